import type { Extras } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Part } from '../../ir/part.ts'
import type { Json } from '../../lib/json.ts'
import { NAME } from './schema.ts'

/** Whether a message is said on the way or is the answer: clients that are not told show the answer twice. */
export type Phase = 'commentary' | 'final_answer'

/** The phase of a message that the model of another protocol has written, by the part behind it; undefined at the end. */
export function phaseBefore(next: Part | undefined): Phase {
  return next !== undefined && GOES_ON.has(next.type) ? 'commentary' : 'final_answer'
}

const GOES_ON: ReadonlySet<Part['type']> = new Set(['text', 'refusal', 'reasoning', 'tool-call', 'code'])

/** The phase as a reader has it: it belongs to an item, so the first part of the item has it. */
export function phaseExtras(phase: Phase): Extras {
  return { [NAME]: { item: { phase } } }
}

export function reportPhase(part: Part, phase: Phase, losses: Losses): void {
  reportOwn(part, 'item', { phase }, 'responses says which message is the answer', losses)
}

/** Reports a member of this protocol that is added to a part. */
export function reportOwn({ extras }: Part, member: string, value: Json, why: string, losses: Losses): void {
  const own = { [member]: value }
  if (extras === undefined) losses.added(['extras'], { [NAME]: own }, why)
  else if (extras[NAME] === undefined) losses.added(['extras', NAME], own, why)
  else losses.added(['extras', NAME, member], value, why)
}

import { known, unknownOf, type Known, type Extras } from '../../ir/extras.ts'
import type { ObjectSchema } from '../../lib/grammar/members.ts'
import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Part, Refusal, Text } from '../../ir/part.ts'
import type { Finish } from '../../ir/response.ts'
import type { Encoding } from '../context.ts'
import { NAME } from './schema.ts'

/** The known members of an item, and its status: every item of an answer has one, and collecting it would cost more than all the rest. */
export function knownItem(schema: ObjectSchema): Known {
  return new Map([...known(schema), ['status', null]])
}

/** Unknown members of an item. Whether it is complete, the whole response says. */
export function unknownOfItem(item: object, known: Known): JsonObject | undefined {
  const rest = unknownOf(item, known)
  const { status } = item as JsonObject // parsed JSON
  return isUsual(status) ? rest : { ...rest, status }
}

/** The status of an item as extras, if it says more than the whole response. */
export function unusual(status: Json | undefined): { readonly status?: Json } {
  return isUsual(status) ? {} : { status }
}

function isUsual(status: Json | undefined): status is 'completed' | 'incomplete' | undefined {
  return status === undefined || status === 'completed' || status === 'incomplete'
}

/** Whether a message is written on the way or is the answer: without this, clients show the answer twice. */
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

/**
 * The refusal to add to a response that has none but ends as one. Responses has no such end: only a refusal among its parts says so. A
 * client that shows only texts gets the refusal as a text.
 */
export function missingRefusal(finish: Finish | undefined, context: Encoding): Refusal | Text | undefined {
  if (finish?.reason !== 'refusal') return undefined
  return { type: showsRefusals(context) ? 'refusal' : 'text', text: finish.message || WORDLESS }
}

const WORDLESS = 'The model refused to answer.'
export const NO_SUCH_END = `${NAME} answers end as a refusal if they contain one`

/** Whether a response with this part ends as a refusal, or with calls. */
export function decidesEnd(part: Part): boolean {
  return part.type === 'refusal' ? part.text !== '' : part.type === 'tool-call' && part.by === 'client'
}

/** Codex drops a message with a refusal, and shows nothing. It names itself in each of its requests. */
export function readsOnlyTexts({ client_metadata }: JsonObject): boolean {
  return isObject(client_metadata) && Object.keys(client_metadata).some((name) => name.startsWith('x-codex-'))
}

/** Whether refusals are written as such, in every view of the response. */
export function showsRefusals({ asked }: Encoding): boolean {
  return asked?.textOnly !== true
}

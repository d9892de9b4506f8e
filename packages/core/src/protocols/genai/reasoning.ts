import { budgetOfEffort, effortOf, isReasoningOff, leavingAnswer, MOST_BUDGET } from '../../ir/reasoning.ts'
import { known, restore, type Known } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Part, Reasoning } from '../../ir/part.ts'
import { equal, withValue } from '../../ir/values.ts'
import { valueAt } from '../../lib/json-path.ts'
import { unwrapBytes, wrapBytes, type Seal } from '../../ir/seal.ts'
import type { ReasoningOptions } from '../../ir/request.ts'
import { defined, type Draft } from '../../lib/members.ts'
import type { MemberName } from '../../lib/grammar/members.ts'
import { isEmpty, type JsonObject } from '../../lib/json.ts'
import { reportUnsupported, type MemberTable } from '../member-tables.ts'
import type { DecodeContext, Encoding } from '../context.ts'
import { TABLES } from './members.ts'
import { NAME, part, type WirePart, type WireThinking } from './schema.ts'

/** The members that the decoder of a kind of part reads: the member with its data, and those beside it. */
export function knownPart(...members: readonly MemberName<typeof part>[]): Known {
  return new Map([...PART].filter(([name]) => name === 'thoughtSignature' || members.some((member) => member === name)))
}

const PART = known(part)

/** Completes a part with its seal and its extras. A placeholder for a seal counts as an extra. */
export function decodeBeside<P extends Part>(
  part: P,
  wire: WirePart,
  left: JsonObject | undefined,
  { issuer }: DecodeContext,
): P {
  const { thoughtSignature: signature } = wire
  const draft: Draft<P> = part
  let rest = left
  if (signature !== undefined && signature !== '') {
    const { seal } = typeof signature === 'string' ? unwrapBytes(signature, issuer) : {}
    if (seal === undefined) rest = { ...rest, thoughtSignature: signature }
    else draft.seal = seal
  }
  if (rest !== undefined) draft.extras = { [NAME]: rest }
  return part
}

/** The reverse. Seals are plain for their own domain; others are sent only to clients. */
export function encodeBeside<P extends Part>(
  wire: Draft<WirePart>,
  part: P,
  table: MemberTable<P>,
  losses: Losses,
  context: Encoding,
): WirePart {
  const { seal } = part
  reportUnsupported(part, table, losses, context)
  if (seal !== undefined) {
    if (seal.issuer === context.issuer) wire.thoughtSignature = seal.value
    else if (context.toward === 'client') wire.thoughtSignature = wrapBytes(seal, 'self')
    else losses.dropped(['seal'], FOREIGN)
  }
  return restore(NAME, part, wire)
}

/** The placeholder that the issuer documents for a lost signature: without one, it refuses the first call of a turn. */
const PLACEHOLDER = 'skip_thought_signature_validator'

/** A reader sees an extra and no seal. */
export function encodePlaceholder(wire: WirePart, part: Part, losses: Losses): WirePart {
  const path = ['extras', NAME, 'thoughtSignature']
  let depth = 1
  while (valueAt(part, path.slice(0, depth)) !== undefined) depth++
  const added = withValue(undefined, path.slice(depth), PLACEHOLDER)
  losses.added(path.slice(0, depth), added, 'its signature was lost, and this model refuses calls without one')
  return { ...wire, thoughtSignature: PLACEHOLDER }
}

/** `joins`: a reader sees it as a continuation of the previous reasoning. */
export function encodeThought(
  part: Reasoning,
  joins: boolean,
  losses: Losses,
  context: Encoding,
): WirePart | undefined {
  const { seal, hidden } = part
  const text = hidden ? '' : part.text
  const foreign = isForeign(seal, context)
  if (foreign || (text === '' && seal === undefined)) {
    losses.dropped([], foreign ? FOREIGN : 'a thought without text or seal is empty')
    return undefined
  }
  if (text !== part.text) losses.changed(['text'], '', 'hidden reasoning has no text')
  if (joins && hidden) losses.dropped(['hidden'], 'it is the seal of the thought before it')
  if (!joins && text === '' && !hidden) losses.added(['hidden'], true, 'a thought without text is read as hidden')
  return encodeBeside({ text, thought: true }, part, TABLES.part.reasoning, losses, context)
}

/** Whether an upstream must not get what has this seal. */
export function isForeign(seal: Seal | undefined, { toward, issuer }: Encoding): boolean {
  return toward === 'upstream' && seal !== undefined && seal.issuer !== issuer
}

export const FOREIGN = 'signed by another issuer'

/** Reasoning whose seal another part carries. Undefined if the part is nothing else. */
export function encodeUnsealed(part: Reasoning, losses: Losses, context: Encoding): WirePart | undefined {
  const { hidden, text } = part
  reportUnsupported(part, TABLES.part.reasoning, losses, context)
  if (hidden && text !== '') losses.changed(['text'], '', 'hidden reasoning has no text')
  return hidden || text === '' ? undefined : restore(NAME, part, { text, thought: true })
}

const LEVELS: ReadonlySet<string> = new Set(['MINIMAL', 'LOW', 'MEDIUM', 'HIGH'])

/** With the members that it did not read. */
export function decodeThinking(wire: WireThinking | undefined): { requested?: ReasoningOptions; rest?: object } {
  if (wire === undefined) return {}
  const { thinkingBudget: budget, thinkingLevel, includeThoughts: show, ...others } = wire
  const level = thinkingLevel?.toUpperCase() ?? ''
  const levelled = LEVELS.has(level) && budget === undefined
  const requested: ReasoningOptions = defined({
    on: budget === undefined ? undefined : budget < 0 ? 'dynamic' : budget > 0,
    budget: budget !== undefined && budget > 0 ? budget : undefined,
    effort: levelled ? level.toLowerCase() : undefined,
    show,
  })
  const rest = levelled || thinkingLevel === undefined ? others : { ...others, thinkingLevel }
  return isEmpty(requested) ? { rest } : { requested, rest }
}

/** One entry of the report for all reasoning options, if any of them changes. `limit`: that of the whole response. */
export function encodeThinking(
  requested: ReasoningOptions,
  limit: number | undefined,
  losses: Losses,
  context: Encoding,
): WireThinking {
  const amount = amountOf(requested, limit, context)
  const wire: WireThinking = { ...amount, ...defined({ includeThoughts: requested.show }) }
  const { requested: read = {} } = decodeThinking(wire)
  if (!equal(read, requested)) losses.changed([], read, 'genai has a thinking budget or a level')
  return wire
}

/**
 * A budget stays a budget and an effort becomes a level, unless the card allows only one of them: `thinking` is 'budget' or 'level' in
 * its dialect. Never both. Models with levels cannot turn thinking off.
 */
function amountOf(requested: ReasoningOptions, limit: number | undefined, { dialect, limits }: Encoding): WireThinking {
  const { on, effort, budget } = requested
  const off = isReasoningOff(requested)
  const { min = 1, max = Number.MAX_SAFE_INTEGER } = limits?.reasoning ?? {}
  // A budget of the caller's own is kept: genai lets it be larger than the limit.
  const most = limit === undefined || on === true ? max : Math.min(max, leavingAnswer(limit))
  const within = (tokens: number) => ({ thinkingBudget: Math.floor(Math.max(Math.min(tokens, most), min)) })
  if (dialect?.['thinking'] === 'level') {
    const level = off ? 'minimal' : (effort ?? (budget === undefined ? on && 'medium' : effortOf(budget)))
    return level ? { thinkingLevel: levelOf(level) } : {}
  }
  if (off) return { thinkingBudget: 0 }
  if (budget !== undefined) return within(budget)
  if (effort === undefined) return on === undefined ? {} : { thinkingBudget: -1 }
  if (dialect?.['thinking'] !== 'budget') return { thinkingLevel: levelOf(effort) }
  return within(effort === 'max' ? (limits?.reasoning?.max ?? MOST_BUDGET) : budgetOfEffort(effort))
}

function levelOf(effort: string): string {
  const level = effort.toUpperCase()
  if (LEVELS.has(level)) return level
  return effort === 'xhigh' || effort === 'max' ? 'HIGH' : 'MEDIUM'
}

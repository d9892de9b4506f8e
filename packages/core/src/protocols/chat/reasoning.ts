import { keep, known, restore, unknownOf } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Part, Reasoning, Text } from '../../ir/part.ts'
import { effortOf, isReasoningOff, reportReasoning } from '../../ir/reasoning.ts'
import { carry, unwrap, wrap, type Seal } from '../../ir/seal.ts'
import type { ReasoningOptions } from '../../ir/request.ts'
import { defined, type Draft } from '../../lib/members.ts'
import { isEmpty, isObject, listOf, stringOf, type Json, type JsonObject } from '../../lib/json.ts'
import { createTagSplitter, type TagRules } from '../../lib/tag-splitter.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { DecodeContext, Encoding } from '../context.ts'
import { historyDialect, type AnswerDialect } from './dialect.ts'
import { FORMS, EFFORT_ALONE, hasEffortsAlone, TABLES } from './members.ts'
import type { WireAnswerMessage } from './answer-schema.ts'
import { NAME, reasoningDetail, type ChatRequest, type WireDetail } from './schema.ts'

/** An entry of reasoning_details: a reasoning part with its index, or a seal for the part before that index. */
export interface Placed<Item, Sealing> {
  readonly part?: Item
  readonly seal?: Sealing
  readonly index?: number
}

/** Puts the reasoning of a message where it stood among its other parts; without an index, in front. */
export function placeReasoning(wire: WireAnswerMessage, others: Part[], context: DecodeContext): Part[] {
  return placeAmong<Part, Seal>(decodeDetails(wire, context), others, (part, seal) => ({ ...part, seal }))
}

/** The order of parts, for the parts themselves and for where they stand. */
export function placeAmong<Item, Sealing>(
  placed: readonly Placed<Item, Sealing>[],
  others: Item[],
  sealed: (before: Item, seal: Sealing) => Item,
): Item[] {
  if (placed.length === 0) return others
  const parts: Item[] = []
  let next = 0 // the number of other parts
  const takeOthers = (length: number) => {
    for (; parts.length < length && next < others.length; next++) parts.push(others[next] as Item) // within the list
  }
  for (const { part, seal, index } of placed) {
    if (index !== undefined) takeOthers(index)
    if (part !== undefined) parts.push(part)
    else {
      const before = parts.pop()
      if (before !== undefined) parts.push(seal === undefined ? before : sealed(before, seal))
    }
  }
  takeOthers(Number.POSITIVE_INFINITY)
  return parts
}

/** `reasoning_details` is authoritative if present; `reasoning` and `reasoning_content` repeat its text. */
function decodeDetails(wire: WireAnswerMessage, context: DecodeContext): Placed<Reasoning, Seal>[] {
  const details = listOf(wire.reasoning_details)
  if (details.length > 0) return details.map((detail) => decodeDetail(detail, context))
  const text = stringOf(wire.reasoning_content) || stringOf(wire.reasoning)
  return text === '' ? [] : [{ part: { type: 'reasoning', text } }]
}

export function decodeDetail(wire: WireDetail, context: DecodeContext): Placed<Reasoning, Seal> {
  const { type, text, summary, data, signature } = wire
  const index = wire.index ?? undefined
  const { seal, target } = unwrap(stringOf(data ?? signature), context.issuer)
  if (target === 'previous') return defined({ index, seal })
  const hidden = type === 'reasoning.encrypted'
  const summed = type === 'reasoning.summary'
  const part = defined({
    type: 'reasoning' as const,
    text: hidden ? '' : stringOf(summed ? summary : text),
    hidden: hidden || undefined,
    summary: summed || undefined,
    seal,
  })
  return defined({ index, part: keep(part, NAME, unknownOf(wire, DETAIL)) })
}

const DETAIL = known(reasoningDetail)

/** Reasoning inside the content: parts of their own kind, or the beginning of the text between tags. */
export function decodeThoughts(parts: readonly Part[], { tags }: Pick<AnswerDialect, 'tags'>): Part[] {
  const first = tags ? parts.find((part) => part.type === 'text') : undefined
  return parts.flatMap((part) => {
    if (part.type === 'opaque') return decodeThinking(part.value) ?? part
    return part === first && part.type === 'text' ? splitText(part) : part
  })
}

function decodeThinking(wire: JsonObject): Reasoning | undefined {
  const { type, thinking, closed, ...rest } = wire // closed repeats what the end of the part says
  if (type !== 'thinking') return undefined
  const pieces = listOf(thinking as readonly Json[] | undefined) // read leniently
  const text = typeof thinking === 'string' ? thinking : pieces.map(textOf).join('')
  const others = pieces.filter((piece) => textOf(piece) === '')
  const left = others.length === 0 ? rest : { ...rest, thinking: others }
  return keep({ type: 'reasoning', text }, NAME, isEmpty(left) ? undefined : left)
}

function textOf(piece: Json): string {
  return isObject(piece) && piece['type'] === 'text' ? stringOf(piece['text']) : ''
}

export const THINK_TAGS: Pick<TagRules, 'open' | 'close'> = { open: '<think>', close: '</think>' }

function splitText(part: Text): Part[] {
  let thought = ''
  let rest = ''
  const splitter = createTagSplitter({
    ...THINK_TAGS,
    inside: (text) => (thought += text),
    outside: (text) => (rest += text),
  })
  splitter.push(part.text)
  splitter.flush()
  const parts: Part[] = thought === '' ? [] : [{ type: 'reasoning', text: thought }]
  return rest === '' ? parts : [...parts, { ...part, text: rest }]
}

/** The entry for a reasoning part at `index`, with the seal of its item. Undefined and reported if it may not be sent. */
export function encodeDetail(
  part: Reasoning,
  index: number,
  losses: Losses,
  context: Encoding,
  itemSeal = part.seal,
): WireDetail | undefined {
  const { seal, hidden, text } = part
  const why = whyUnsupported(part, context, itemSeal)
  if (why !== undefined) {
    losses.dropped([], why)
    return undefined
  }
  if (historyDialect(context) !== undefined) {
    reportUnsupported(part, FORMS.plainReasoning, losses, context)
    return { type: 'reasoning.text', text }
  }
  reportUnsupported(part, hidden ? FORMS.hiddenReasoning : TABLES.part.reasoning, losses, context)
  const carried = seal === undefined ? undefined : carry(seal, context.issuer)
  if (hidden) {
    if (text !== '') losses.changed(['text'], '', 'hidden reasoning has no text')
    return restore(NAME, part, defined({ type: 'reasoning.encrypted', data: carried, index }))
  }
  const detail = part.summary ? { type: 'reasoning.summary', summary: text } : { type: 'reasoning.text', text }
  return restore(NAME, part, defined({ ...detail, signature: carried, index }))
}

/** Why reasoning may not be sent, with the seal of its item; undefined if it may. */
export function whyUnsupported(
  { seal: own, hidden, text }: Reasoning,
  context: Encoding,
  seal = own,
): string | undefined {
  const history = historyDialect(context)
  if (history === 'none') return 'this upstream takes no thoughts back'
  const silent = hidden || text === ''
  if (history !== undefined) return silent ? 'this upstream takes thoughts back as text alone' : undefined
  if (seal === undefined) return silent ? 'reasoning without text and seal is empty' : undefined
  return context.toward === 'upstream' && seal.issuer !== context.issuer ? 'signed by another issuer' : undefined
}

/** Carries the seal of the part before `index`. */
export function carrierOf(seal: Seal, index: number): WireDetail {
  return { type: 'reasoning.encrypted', data: wrap(seal, 'previous'), index }
}

/** The text of the details. Clients read either of two names. */
export function encodeViews(wire: Draft<WireAnswerMessage>, details: WireDetail[], context: Encoding): void {
  const text = details.map((detail) => detail.text ?? detail.summary ?? '').join('')
  const history = historyDialect(context)
  if (history === undefined) wire.reasoning_details = details
  if (text !== '' && history !== 'reasoning_content') wire.reasoning = text
  if (text !== '' && (history === 'reasoning_content' || context.toward === 'client')) wire.reasoning_content = text
}

type WireReasoning = Pick<ChatRequest, 'reasoning' | 'reasoning_effort'>

/** `reasoning.effort` and `reasoning_effort` are the same; "none" turns reasoning off. */
export function decodeReasoning({ reasoning, reasoning_effort }: WireReasoning): ReasoningOptions | undefined {
  const { enabled: on, effort: inner, max_tokens: budget } = reasoning ?? {}
  const effort = inner ?? reasoning_effort
  if (on === false || effort === 'none') return { on: false }
  const requested = defined({ on, effort, budget })
  return isEmpty(requested) ? undefined : requested
}

/**
 * OpenAI's own member is reasoning_effort: budgets become the nearest effort. An upstream with `dialect.reasoning` "object" accepts the
 * reasoning object of the specification.
 */
export function encodeReasoning(
  requested: ReasoningOptions | undefined,
  exclude: boolean | undefined,
  losses: Losses,
  context: Encoding,
): WireReasoning {
  const { on, effort, budget } = requested ?? {}
  const effortAlone = hasEffortsAlone(context.dialect)
  const off = isReasoningOff(requested ?? {}) || (effortAlone && budget === 0)
  const wanted = budget !== undefined || (on !== undefined && on !== false)
  const nearest = effortAlone && wanted ? nearestEffort(budget) : undefined
  const reasoning = off ? defined({ exclude }) : defined({ enabled: on && true, max_tokens: budget, exclude })
  const wire: WireReasoning = defined({
    reasoning_effort: off ? 'none' : (effort ?? nearest),
    reasoning: effortAlone || isEmpty(reasoning) ? undefined : reasoning,
  })
  reportReasoning(requested, decodeReasoning(wire), effortAlone ? EFFORT_ALONE : 'chat has no such option', losses)
  return wire
}

/** An unknown or dynamic amount counts as medium. */
function nearestEffort(budget = -1): string {
  return budget < 0 ? 'medium' : effortOf(budget)
}

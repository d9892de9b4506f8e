import { effortOf } from '../../ir/effort.ts'
import { leftover, nest, restore } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Part, Reasoning, Text } from '../../ir/part.ts'
import { carry, unwrap, wrap, type Seal } from '../../ir/seal.ts'
import type { ReasoningWish } from '../../ir/settings.ts'
import { isObject, listOf, stringOf, type Json, type JsonObject } from '../../lib/json.ts'
import { createTagSplitter, type TagRules } from '../../lib/tag-splitter.ts'
import type { DecodeContext, EncodeContext } from '../protocol.ts'
import { historyDialect, type AnswerDialect } from './dialect.ts'
import { NAME, type ChatRequest, type WireAssistant, type WireDetail } from './schema.ts'

/** An entry of reasoning_details: a reasoning part with its place, or a seal for the part before that place. */
interface Placed {
  readonly part?: Reasoning
  readonly seal?: Seal
  readonly index: number | undefined
}

/** Puts the reasoning of a message where it stood among its other parts; without places, in front. */
export function placeReasoning(wire: WireAssistant, others: readonly Part[], context: DecodeContext): Part[] {
  const placed = decodeDetails(wire, context)
  if (placed.length === 0) return [...others]
  const parts: Part[] = []
  const rest = [...others]
  for (const { part, seal, index } of placed) {
    if (index !== undefined) parts.push(...rest.splice(0, Math.max(0, index - parts.length)))
    if (part !== undefined) parts.push(part)
    else {
      const before = parts.pop()
      if (before !== undefined) parts.push(seal === undefined ? before : { ...before, seal })
    }
  }
  return [...parts, ...rest]
}

/** `reasoning_details` is the truth where it is given; `reasoning` and `reasoning_content` are views of it. */
function decodeDetails(wire: WireAssistant, context: DecodeContext): Placed[] {
  const details = listOf(wire.reasoning_details)
  if (details.length > 0) return details.map((detail) => decodeDetail(detail, context))
  const text = stringOf(wire.reasoning_content) || stringOf(wire.reasoning)
  return text === '' ? [] : [{ part: { type: 'reasoning', text }, index: undefined }]
}

export function decodeDetail(detail: WireDetail, context: DecodeContext): Placed {
  const { type, text, summary, data, signature, index, ...rest } = detail
  const place = index ?? undefined
  const { seal, target } = unwrap(stringOf(data ?? signature), context.issuer)
  if (target === 'previous') return { index: place, ...(seal === undefined ? {} : { seal }) }
  const shared = { ...(seal === undefined ? {} : { seal }), ...leftover(NAME, rest) }
  if (type === 'reasoning.encrypted')
    return { part: { type: 'reasoning', text: '', hidden: true, ...shared }, index: place }
  if (type === 'reasoning.summary')
    return { part: { type: 'reasoning', text: stringOf(summary), summary: true, ...shared }, index: place }
  return { part: { type: 'reasoning', text: stringOf(text), ...shared }, index: place }
}

/** Thoughts that an upstream says among its words: parts of a kind of their own, or the head of the text between tags. */
export function decodeThoughts(parts: readonly Part[], { tags }: Pick<AnswerDialect, 'tags'>): Part[] {
  const first = tags ? parts.find((part) => part.type === 'text') : undefined
  return parts.flatMap((part) => {
    if (part.type === 'opaque') return decodeThinking(part.value) ?? part
    return part === first && part.type === 'text' ? splitText(part) : part
  })
}

function decodeThinking(wire: JsonObject): Reasoning | undefined {
  const { type, thinking, closed, ...rest } = wire // closed says what the end of the part says
  if (type !== 'thinking') return undefined
  const pieces: readonly Json[] = Array.isArray(thinking) ? (thinking as readonly Json[]) : [] // isArray forgets the type
  const text = typeof thinking === 'string' ? thinking : pieces.map(textOf).join('')
  const others = pieces.filter((piece) => textOf(piece) === '')
  return {
    type: 'reasoning',
    text,
    ...leftover(NAME, nest(rest, 'thinking', others.length === 0 ? undefined : others)),
  }
}

function textOf(piece: Json): string {
  return isObject(piece) && piece['type'] === 'text' ? stringOf(piece['text']) : ''
}

export const THINK_TAGS: Pick<TagRules, 'open' | 'close'> = { open: '<think>', close: '</think>' }

function splitText(part: Text): Part[] {
  let thought = ''
  let said = ''
  const splitter = createTagSplitter({
    ...THINK_TAGS,
    inside: (text) => (thought += text),
    outside: (text) => (said += text),
  })
  splitter.push(part.text)
  splitter.flush()
  const parts: Part[] = thought === '' ? [] : [{ type: 'reasoning', text: thought }]
  return said === '' ? parts : [...parts, { ...part, text: said }]
}

/** The entry for a reasoning part at `index`. Undefined, and reported, where it may not go. The losses stand at the part. */
export function encodeDetail(part: Reasoning, index: number, context: EncodeContext): WireDetail | undefined {
  const { losses } = context
  const history = historyDialect(context)
  if (history !== undefined) return history === 'none' ? dropThought(context) : encodePlainThought(part, context)
  if (context.toward === 'upstream' && part.seal !== undefined && part.seal.issuer !== context.issuer) {
    losses.dropped([], 'signed by another issuer')
    return undefined
  }
  if (part.seal === undefined && (part.hidden || part.text === '')) {
    losses.dropped([], 'reasoning without text and seal says nothing')
    return undefined
  }
  if (part.cache !== undefined) losses.dropped(['cache'], 'chat reasoning has no cache mark')
  if (part.item !== undefined) losses.dropped(['item'], 'chat has no output items')
  if (part.hidden) {
    if (part.summary) losses.dropped(['summary'], 'hidden reasoning has no summary')
    if (part.text !== '') losses.changed(['text'], '', 'hidden reasoning has no text')
    return restore(NAME, part, { type: 'reasoning.encrypted', data: carry(part.seal, context.issuer), index })
  }
  const signature = part.seal === undefined ? {} : { signature: carry(part.seal, context.issuer) }
  if (part.summary) return restore(NAME, part, { type: 'reasoning.summary', summary: part.text, ...signature, index })
  return restore(NAME, part, { type: 'reasoning.text', text: part.text, ...signature, index })
}

function dropThought({ losses }: EncodeContext): undefined {
  losses.dropped([], 'this upstream takes no thoughts back')
}

/** For upstreams that take their thoughts back as text alone. The losses stand at the part. */
function encodePlainThought(part: Reasoning, { losses }: EncodeContext): WireDetail | undefined {
  const reason = 'this upstream takes thoughts back as text alone'
  if (part.hidden || part.text === '') {
    losses.dropped([], reason)
    return undefined
  }
  for (const member of ['seal', 'summary', 'cache', 'item'] as const) {
    if (part[member] !== undefined) losses.dropped([member], reason)
  }
  if (part.extras?.[NAME] !== undefined) losses.dropped(['extras', NAME], reason)
  return { type: 'reasoning.text', text: part.text }
}

/** Carries the seal of the part that stands before `index`. */
export function carrierOf(seal: Seal, index: number): WireDetail {
  return { type: 'reasoning.encrypted', data: wrap(seal, 'previous'), index }
}

/** The views of the details. Clients read either of two names. */
export function encodeViews(details: readonly WireDetail[], context: EncodeContext): Partial<WireAssistant> {
  if (details.length === 0) return {}
  const text = details.map((detail) => detail.text ?? detail.summary ?? '').join('')
  const history = historyDialect(context)
  if (history === 'reasoning' || history === 'reasoning_content') return { [history]: text }
  const views =
    text === '' ? {} : context.toward === 'client' ? { reasoning: text, reasoning_content: text } : { reasoning: text }
  return { ...views, reasoning_details: [...details] }
}

type WireReasoning = Pick<ChatRequest, 'reasoning' | 'reasoning_effort'>

/** `reasoning.effort` and `reasoning_effort` are one thing; "none" turns it off. */
export function decodeReasoning({ reasoning, reasoning_effort }: WireReasoning): ReasoningWish | undefined {
  const { enabled, effort: inner, max_tokens } = reasoning ?? {}
  const effort = inner ?? reasoning_effort
  if (enabled === false || effort === 'none') return { on: false }
  const wish: ReasoningWish = {
    ...(enabled == null ? {} : { on: enabled }),
    ...(effort == null ? {} : { effort }),
    ...(max_tokens == null ? {} : { budget: max_tokens }),
  }
  return Object.keys(wish).length === 0 ? undefined : wish
}

/**
 * An upstream with `dialect.reasoning` "effort" knows reasoning_effort alone: budgets become the nearest effort. The others
 * take the reasoning object of the specification.
 */
export function encodeReasoning(
  wish: ReasoningWish | undefined,
  hide: boolean | undefined,
  { losses, dialect }: EncodeContext,
): WireReasoning {
  const exclude = hide === undefined ? {} : { exclude: hide }
  if (dialect?.['reasoning'] === 'effort') return encodeEffort(wish, hide, losses)
  const { on, effort, budget, show } = wish ?? {}
  if (show !== undefined) losses.dropped(['reasoning', 'show'], 'chat shows what its upstream gives')
  if (on === false || effort === 'none') {
    if (on === undefined) losses.added(['reasoning', 'on'], false, 'effort none turns reasoning off')
    else if (on !== false) losses.changed(['reasoning', 'on'], false, 'effort none turns reasoning off')
    if (effort !== undefined) losses.dropped(['reasoning', 'effort'], 'reasoning is off')
    if (budget !== undefined) losses.dropped(['reasoning', 'budget'], 'reasoning is off')
    return { reasoning_effort: 'none', ...(hide === undefined ? {} : { reasoning: exclude }) }
  }
  if (on === 'dynamic') losses.changed(['reasoning', 'on'], true, 'chat leaves the amount to effort')
  const reasoning = {
    ...(on === undefined ? {} : { enabled: true }),
    ...(budget === undefined ? {} : { max_tokens: budget }),
    ...exclude,
  }
  return {
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(Object.keys(reasoning).length === 0 ? {} : { reasoning }),
  }
}

function encodeEffort(wish: ReasoningWish | undefined, hide: boolean | undefined, losses: Losses): WireReasoning {
  if (hide !== undefined) losses.dropped(['delivery', 'hideReasoning'], 'this upstream has efforts alone')
  if (wish === undefined) return {}
  const { on, effort, budget } = wish
  const off = on === false || effort === 'none' || budget === 0
  const reasoning_effort = off ? 'none' : (effort ?? (budget === undefined || budget < 0 ? 'medium' : effortOf(budget)))
  const settled = off ? { on: false } : { effort: reasoning_effort }
  const same = off ? on === false : on === undefined && effort !== undefined
  if (!same || budget !== undefined || wish.show !== undefined || (off && effort !== undefined)) {
    losses.changed(['reasoning'], settled, 'this upstream has efforts alone')
  }
  return { reasoning_effort }
}

import { keep, known, unknownOf } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Part, Reasoning } from '../../ir/part.ts'
import { effortOf, isReasoningOff, reportReasoning } from '../../ir/reasoning.ts'
import { carry, isSealed, unwrap, wrap, type Opened, type Seal } from '../../ir/seal.ts'
import type { ReasoningOptions } from '../../ir/request.ts'
import { defined, type Draft } from '../../lib/members.ts'
import { isEmpty, isObject, listOf, optionalString, stringOf, type Json, type JsonObject } from '../../lib/json.ts'
import type { DecodeContext, Encoding } from '../context.ts'
import { knownItem } from './item-facts.ts'
import { NAME, reasoningItem, summaryPart, thoughtPart, type ItemOf, type ResponsesRequest } from './schema.ts'

type WireReasoning = ItemOf<'reasoning'>

/** What an item of reasoning says: its texts, or the seal of a neighbor, or nothing that can be read. */
export function openReasoning({ encrypted_content }: WireReasoning, { issuer }: DecodeContext): Opened {
  return unwrap(stringOf(encrypted_content), issuer)
}

/**
 * The parts of an item of reasoning; none if it is empty, or has texts of an unknown kind. A seal belongs to the whole item: the last part has it. Thoughts of models of
 * other protocols are written as a summary, because clients show nothing else; then the encrypted content says so.
 */
export function decodeReasoning(wire: WireReasoning, item: string | undefined, context: DecodeContext): Reasoning[] {
  if (!listOf(wire.summary).every(isOf('summary_text')) || !listOf(wire.content).every(isOf('reasoning_text')))
    return []
  const { seal } = openReasoning(wire, context)
  const isForeign = isMarked(wire)
  const parts: Reasoning[] = []
  const read = (list: readonly { readonly text: string }[], isSummary: boolean) => {
    for (const each of list) {
      const part: Draft<Reasoning> = { type: 'reasoning', text: stringOf(each.text) }
      if (isSummary && !isForeign) part.summary = true
      if (item !== undefined) part.item = item
      parts.push(
        isSummary ? keep(part, NAME, unknownOf(each, SUMMARY)) : keepRaw(part, unknownOf(each, THOUGHT), context),
      )
    }
  }
  read(listOf(wire.summary), true)
  read(listOf(wire.content), false)
  if (parts.length === 0)
    return seal === undefined ? [] : [defined({ type: 'reasoning', text: '', hidden: true, seal, item })]
  const last = parts.at(-1)
  if (seal !== undefined && last !== undefined) parts[parts.length - 1] = { ...last, seal }
  return parts
}

/** The content of an item stays content for a client of the same protocol: any other gets it as thoughts. */
export function keepRaw(part: Reasoning, rest: JsonObject | undefined, { caller }: DecodeContext): Reasoning {
  return keep(part, NAME, caller === NAME ? { ...rest, type: RAW } : rest)
}

export function isRaw({ extras }: Reasoning): boolean {
  return extras?.[NAME]?.['type'] === RAW
}

const RAW = 'reasoning_text'

/** Whether a text is of this kind. Some upstreams name none. */
function isOf(kind: string): (text: { readonly type?: unknown }) => boolean {
  return (text) => isObject(text) && (text.type === undefined || text.type === kind)
}

const SUMMARY = known(summaryPart)
const THOUGHT = known(thoughtPart)
/** Unknown members of the item itself. */
export const REASONING = knownItem(reasoningItem)

/** Whether an item is only the id of reasoning that an upstream has stored. Nothing is stored here, so that it would not be found. */
export function isStoredReasoning({ type, summary, content, encrypted_content }: JsonObject): boolean {
  const isEmptyList = (list: Json | undefined) => list == null || (Array.isArray(list) && list.length === 0)
  return type === 'reasoning' && encrypted_content == null && isEmptyList(summary) && isEmptyList(content)
}

/** Whether the encrypted content has our mark: then its texts are thoughts. */
export function isMarked({ encrypted_content }: WireReasoning): boolean {
  return isSealed(encrypted_content)
}

/** Why reasoning may not be sent, with the seal of its item; undefined if it may. */
export function whyUnsupported(
  { hidden, text, item }: Reasoning,
  seal: Seal | undefined,
  { toward, issuer }: Encoding,
): string | undefined {
  if (hidden && seal === undefined) return 'hidden reasoning without its seal is empty'
  if (toward === 'upstream')
    return seal === undefined
      ? 'unsigned reasoning is refused'
      : seal.issuer === issuer
        ? undefined
        : 'signed by another issuer'
  return seal === undefined && text === '' && item === undefined
    ? 'reasoning without text and seal is empty'
    : undefined
}

/** The seal of an item of reasoning, on the wire. */
export interface EncodedSeal {
  readonly encrypted_content?: string
  /** A seal that needs an item of its own. */
  readonly carried?: Seal
}

/**
 * The seal of an item. Clients show only summaries, so thoughts are written as one, with a mark that says what they are. What is a
 * summary or content already cannot have that mark if another domain has signed it.
 */
export function encodeSeal(seal: Seal | undefined, part: Reasoning, { toward, issuer }: Encoding): EncodedSeal {
  if (toward === 'upstream') return seal === undefined ? {} : { encrypted_content: seal.value }
  if (part.hidden) return { encrypted_content: carry(seal, issuer) }
  if (!part.summary && !isRaw(part)) return { encrypted_content: wrap(seal, 'self') }
  if (seal === undefined) return {}
  return seal.issuer === issuer ? { encrypted_content: seal.value } : { carried: seal }
}

/** The mark of thoughts before their seal is known. */
export const THOUGHTS = wrap(undefined, 'self')

/** An item that carries the seal of the part before it through a client. */
export function carrierOf(seal: Seal, id: string): WireReasoning {
  return { type: 'reasoning', id, summary: [], encrypted_content: wrap(seal, 'previous') }
}

/** The seal that needs a carrier behind this part, if any: calls have theirs in their ids. */
export function carriedSeal(part: Part, { toward }: Encoding): Seal | undefined {
  return (part.type === 'text' || part.type === 'media') && toward === 'client' ? part.seal : undefined
}

type WireOptions = NonNullable<ResponsesRequest['reasoning']>

/** "none" turns reasoning off; a summary of any kind shows it. */
export function decodeOptions(wire: WireOptions | null | undefined): ReasoningOptions | undefined {
  if (wire == null) return undefined
  const { effort, summary } = wire
  if (effort === 'none') return { on: false }
  const requested = defined({ effort, show: summary == null ? undefined : true })
  return isEmpty(requested) ? undefined : requested
}

/** The kind of summary that the caller named, if it is not the usual one. */
export function unreadOptions(wire: WireOptions | null | undefined): JsonObject | undefined {
  if (wire == null) return undefined
  const { effort, summary, ...rest } = wire
  const isOff = effort === 'none'
  const kind = summary != null && (summary !== USUAL || isOff) ? { summary } : {}
  const left = { ...rest, ...kind } as JsonObject // parsed JSON
  return isEmpty(left) ? undefined : left
}

const USUAL = 'auto'

export function encodeOptions(
  requested: ReasoningOptions | undefined,
  own: JsonObject | undefined,
  losses: Losses,
): WireOptions | undefined {
  if (requested === undefined) return undefined
  const { on, effort, budget, show } = requested
  const off = isReasoningOff(requested) || budget === 0
  const wanted = budget !== undefined || (on !== undefined && on !== false)
  const nearest = wanted ? (budget === undefined || budget < 0 ? 'medium' : effortOf(budget)) : undefined
  const kind = optionalString(own?.['summary']) ?? USUAL
  const wire: WireOptions = defined({
    effort: off ? 'none' : (effort ?? nearest),
    summary: show === true && !off ? kind : undefined,
  })
  reportReasoning(requested, decodeOptions(wire), 'responses has an effort and a summary', losses)
  return isEmpty(wire) ? undefined : wire
}

import { keep, known, restore, unknownOf } from '../../ir/extras.ts'
import { NO_LOSSES, type Losses } from '../../ir/loss.ts'
import type { Pairs } from '../../ir/pairs.ts'
import type { Media, Opaque, Part, Reasoning, Refusal, Text, ToolCall, ToolResult } from '../../ir/part.ts'
import { textOfPart, transcriptOf } from '../../ir/part-text.ts'
import type { Seal } from '../../ir/seal.ts'
import { eachPart, type Owner } from '../../ir/turns.ts'
import type { Draft } from '../../lib/draft.ts'
import { defined } from '../../lib/defined.ts'
import { isEmpty, isObject, listOf, optionalString, type Json, type JsonObject } from '../../lib/json.ts'
import { standardBase64 } from '../../lib/base64.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { DecodeContext, Encoding } from '../context.ts'
import { decodeCall, decodeSearch, encodeCall, encodeSearch, isSearch, OWN_IDS, withoutUsual } from './calls.ts'
import { encodeCitations } from './citations.ts'
import { decodeContent, EMPTY_TEXT } from './content.ts'
import { FORMS } from './forms.ts'
import type { TokenShares } from './logprobs.ts'
import { TABLES } from './members.ts'
import {
  carriedSeal,
  carrierOf,
  decodeReasoning,
  encodeSeal,
  openReasoning,
  REASONING,
  whyUnsupported,
} from './reasoning.ts'
import { imageCall, message, NAME, type Item, type ItemOf, type WireMessage, type WirePart } from './schema.ts'

/** Output items to the parts of one turn. Items that only carry the seal of a neighbor are merged into it. */
export function decodeItems(items: readonly Item[], context: DecodeContext): Part[] {
  const parts: Part[] = []
  let forNext: Seal | undefined
  for (const [index, item] of items.entries()) {
    const opened = item.type === 'reasoning' ? openReasoning(item, context) : undefined
    if (opened?.target === 'next') forNext = opened.seal
    else if (opened?.target === 'previous') {
      const last = parts.pop()
      if (last !== undefined) parts.push(opened.seal === undefined ? last : { ...last, seal: opened.seal })
    } else {
      for (const part of decodeItem(item, index, context)) {
        parts.push(forNext === undefined ? part : { ...part, seal: forNext })
        forNext = undefined
      }
    }
  }
  return parts
}

/** One item to its parts. Parts of an item without an id have its position instead. */
export function decodeItem(item: Item, index: number, context: DecodeContext): readonly Part[] {
  switch (item.type) {
    case 'reasoning': {
      const rest = unknownOf(item, REASONING)
      const count = listOf(item.summary).length + listOf(item.content).length
      // Thoughts always name their item: without one, they are the summary of another client.
      const isMany = count > 1 || listOf(item.content).length > 0
      const parts = decodeReasoning(item, itemOf(item, isMany ? 2 : 1, index), context)
      return parts.length === 0 ? [opaque(item)] : withItem(parts, rest)
    }
    case 'function_call':
    case 'custom_tool_call':
      return [decodeCall(item, context)]
    case 'web_search_call':
      return decodeSearch(item) ?? [opaque(item)]
    case 'image_generation_call':
      return [decodeImage(item) ?? opaque(item)]
    default:
      return isMessage(item) ? decodeMessage(item, index) : [opaque(item)]
  }
}

/** The type of a message may be absent. */
export function isMessage(item: Item): item is WireMessage {
  return (item.type === undefined || item.type === 'message') && 'role' in item
}

/** What the assistant says: its parts are those of one item. */
function decodeMessage(wire: WireMessage, index: number): readonly Part[] {
  const parts = decodeContent(wire.content)
  if (parts.length === 0) return [opaque(wire)]
  const isMany = parts.length > 1 || parts[0]?.type === 'opaque'
  const item = itemOf(wire, isMany ? 2 : 1, index)
  return withItem(
    parts.map((part) => (item === undefined ? part : { ...part, item })),
    unknownOf(wire, MESSAGE),
  )
}

export const MESSAGE = known(message)

/** The id of an item. Several parts of one without an id are still together. */
function itemOf({ id }: { readonly id?: string | null | undefined }, count: number, index: number): string | undefined {
  return optionalString(id) ?? (count > 1 ? `${NUMBERED}${index}` : undefined)
}

const NUMBERED = '#'

/** The first part has what its item says about itself. */
function withItem(parts: readonly Part[], rest: JsonObject | undefined): readonly Part[] {
  const [first, ...others] = parts
  const item = withoutUsual(rest)
  if (item === undefined || first === undefined) return parts
  return [{ ...first, extras: { ...first.extras, [NAME]: { ...first.extras?.[NAME], item } } }, ...others]
}

function opaque(item: object): Part {
  return { type: 'opaque', protocol: NAME, value: item as JsonObject } // parsed JSON
}

/** An image that the model has drawn. Undefined if it has none. */
function decodeImage(wire: ItemOf<'image_generation_call'>): Media | undefined {
  const { result, id, status, output_format: format } = wire as ItemOf<'image_generation_call'> & JsonObject // parsed JSON
  if (typeof result !== 'string') return undefined
  const mime = `image/${typeof format === 'string' ? format : 'png'}`
  const source = { kind: 'base64' as const, mime, data: standardBase64(result) }
  const { output_format, ...rest } = unknownOf(wire, IMAGE) ?? {}
  const kept = status === undefined || status === 'completed' || status === 'incomplete' ? rest : { ...rest, status }
  return keep(
    defined({ type: 'media', kind: 'image', source, item: optionalString(id) }),
    NAME,
    isEmpty(kept) ? undefined : kept,
  )
}

const IMAGE = known(imageCall)

/** What a part needs to be written: the losses of its place, and the calls around it. */
interface Writing {
  readonly context: Encoding
  readonly pairs: Pairs
  /** The log probabilities of the texts. */
  readonly shares?: TokenShares | undefined
}

/** An item that takes parts: text, or reasoning. */
export interface OpenItem {
  readonly kind: 'message' | 'reasoning'
  readonly wire: Draft<WireMessage> | Draft<ItemOf<'reasoning'>>
  /** The id that its parts name. */
  readonly given: string | undefined
  readonly thoughts: { readonly part: Reasoning; readonly losses: Losses }[]
  /** The last part has one: no other part joins. */
  seal: Seal | undefined
}

/** Parts of one item name its id. */
export function joins(open: OpenItem, part: Part, context: Encoding): boolean {
  if (part.item === undefined || part.item !== open.given || open.seal !== undefined) return false
  if (part.extras?.[NAME]?.['item'] !== undefined || !isWritable(part.item, PREFIX_OF[open.kind], context)) return false
  if (part.type === 'reasoning')
    return (
      open.kind === 'reasoning' &&
      !part.hidden &&
      !open.thoughts[0]?.part.hidden &&
      isSummary(open) === (part.summary === true)
    )
  return open.kind === 'message' && isSaid(part)
}

function isSummary({ thoughts }: OpenItem): boolean {
  return thoughts[0]?.part.summary === true
}

/** A part of a message item. Content of an unknown kind has an item; without one, it is an item itself. */
function isSaid(part: Part): part is Text | Refusal | Opaque {
  return part.type === 'text' || part.type === 'refusal' || (part.type === 'opaque' && part.item !== undefined)
}

/** Nothing that can be written. */
function isHollow(part: Text | Refusal | Opaque): boolean {
  return part.type === 'opaque' ? part.protocol !== NAME : part.text === ''
}

const PREFIX_OF = { message: 'msg', reasoning: 'rs' } as const

function isWritable(id: string, prefix: string, { toward }: Encoding): boolean {
  return id.startsWith(NUMBERED) || toward === 'client' || id.startsWith(`${prefix}_`)
}

/** The id of an item: that of its part unless the item before has it, or a new one for a client. */
export function itemId(
  { item }: Part,
  prefix: string,
  taken: string | undefined,
  losses: Losses,
  context: Encoding,
): string | undefined {
  const isNumbered = item?.startsWith(NUMBERED) === true
  if (item !== undefined && item !== taken && !isNumbered && isWritable(item, prefix, context)) return item
  if (context.toward === 'upstream') {
    if (item !== undefined && !isNumbered) losses.dropped(['item'], OWN_IDS)
    return undefined
  }
  const id = `${prefix}_${context.id()}`
  if (item === undefined) losses.added(['item'], id, EACH_HAS_ID)
  else losses.changed(['item'], id, EACH_HAS_ID)
  return id
}

const EACH_HAS_ID = 'each item of responses has its own id'

/** Begins an item, with what its first part says about it. `before` is the item before it. */
export function openItem(
  kind: OpenItem['kind'],
  part: Part,
  before: OpenItem | undefined,
  losses: Losses,
  context: Encoding,
): OpenItem {
  const taken = before?.kind === kind ? before.given : undefined
  const id = itemId(part, PREFIX_OF[kind], taken, losses, context)
  const status = context.toward === 'client' ? 'completed' : undefined
  const bare =
    kind === 'message'
      ? defined({ type: 'message', id, status, role: 'assistant', content: [] })
      : defined({ type: 'reasoning', id, summary: [] })
  const said = part.extras?.[NAME]?.['item']
  const wire = isObject(said) ? { ...bare, ...said } : bare
  const given = part.item === taken ? undefined : part.item
  return { kind, wire: wire as OpenItem['wire'], given, thoughts: [], seal: undefined } // of its kind
}

/** A text, a refusal, or content of an unknown kind. Undefined and reported if it is empty. */
export function encodeSaid(part: Part, losses: Losses, { context, shares }: Writing): WirePart | undefined {
  if (part.type === 'opaque') {
    reportUnsupported(part, FORMS.content, losses, context)
    reportOwnExtras(part, 'it is complete', losses)
    return part.value as WirePart // one of our own, of an unknown kind
  }
  if (part.type !== 'text' && part.type !== 'refusal') return undefined
  if (part.text === '') {
    losses.dropped([], EMPTY_TEXT)
    return undefined
  }
  if (part.type === 'refusal') {
    reportUnsupported(part, TABLES.part.refusal, losses, context)
    return restored(part, { type: 'refusal', refusal: part.text })
  }
  reportUnsupported(part, TABLES.part.text, losses, context)
  const { citations } = part
  if (citations?.length === 0) losses.dropped(['citations'], 'there are none')
  const annotations = encodeCitations(citations ?? [], part.text.length, losses, context)
  const logprobs = shares?.next(part.text)
  const isShown = context.toward === 'client' || annotations.length > 0
  const wire: Draft<Extract<WirePart, { type: 'output_text' }>> = { type: 'output_text', text: part.text }
  if (isShown) wire.annotations = annotations
  if (logprobs !== undefined && (logprobs.length > 0 || context.toward === 'client')) wire.logprobs = logprobs
  return restored(part, wire)
}

/** The unknown members of a part, without those of its item. */
export function restored<const T extends object>(part: Part, wire: T): T {
  const own = part.extras?.[NAME]
  if (own?.['item'] === undefined) return restore(NAME, part, wire)
  const { item: _item, ...rest } = own
  return restore(NAME, { extras: { [NAME]: rest } }, wire)
}

/** Unknown members of a part that has no place for them; those of its item have one. */
function reportOwnExtras(part: Part, reason: string, losses: Losses): void {
  for (const member of Object.keys(part.extras?.[NAME] ?? {}))
    if (member !== 'item') losses.dropped(['extras', NAME, member], reason)
}

/** Adds a part to an open item. */
function extend(open: OpenItem, part: Part, losses: Losses, writing: Writing): void {
  const { context } = writing
  if (part.type === 'reasoning') {
    open.seal = part.seal
    open.thoughts.push({ part, losses })
    return
  }
  const said = encodeSaid(part, losses, writing)
  if (said === undefined) return
  open.seal = carriedSeal(part, context)
  ;(open.wire as { content: WirePart[] }).content.push(said) // a message
}

/** An item of reasoning, and the seal that needs an item of its own. */
interface ClosedThoughts {
  readonly item: ItemOf<'reasoning'>
  readonly carried?: Seal | undefined
}

const SUMMED = 'only summaries come back from clients of other protocols'

/**
 * The texts of reasoning, and its encrypted content. Upstreams refuse thoughts as the content of an item that had a summary. Most clients
 * of other protocols cannot say which it was, and models with encrypted content show only summaries.
 */
function closeThoughts({ wire, given, thoughts, seal }: OpenItem, context: Encoding): ClosedThoughts {
  const [first] = thoughts
  const isThought = context.toward === 'upstream' && first?.part.summary !== true
  const isContent = isThought && (idOf(wire) !== undefined || given?.startsWith(NUMBERED) === true)
  if (isThought && !isContent && first?.part.hidden !== true)
    for (const { losses } of thoughts) losses.added(['summary'], true, SUMMED)
  const texts = thoughts.flatMap(({ part, losses }) => {
    reportUnsupported(part, part.hidden ? FORMS.hidden : TABLES.part.reasoning, losses, context)
    if (part.hidden) {
      if (part.text !== '') losses.changed(['text'], '', 'hidden reasoning has no text')
      reportOwnExtras(part, 'hidden reasoning has no texts', losses)
      return []
    }
    return [restored(part, { type: isContent ? 'reasoning_text' : 'summary_text', text: part.text })]
  })
  const { encrypted_content, carried } = first === undefined ? {} : encodeSeal(seal, first.part, context)
  const { id, type, summary: _none, ...said } = wire as ItemOf<'reasoning'> & { readonly [member: string]: Json }
  const bare = defined({
    type,
    id,
    summary: isContent ? [] : texts,
    content: isContent && texts.length > 0 ? texts : undefined,
    encrypted_content,
  })
  const item = { ...bare, ...said } as ItemOf<'reasoning'> // of this kind
  return { item, carried }
}

/** The items of a turn: of a history, or of a whole response. The losses are those of the request or the response. */
export function encodeItems(owner: Owner, losses: Losses, writing: Writing): Item[] {
  const { context, pairs } = writing
  const items: Item[] = []
  let open: OpenItem | undefined
  let before: OpenItem | undefined
  let search: { readonly call: ToolCall; readonly losses: Losses } | undefined

  const close = () => {
    if (open !== undefined) pushClosed(open, items, context)
    before = open ?? before
    open = undefined
  }
  const closeSearch = (result: ToolResult | undefined, at: Losses) => {
    if (search !== undefined) items.push(encodeSearch(search.call, result, search.losses, at, context))
    search = undefined
  }
  const add = (kind: OpenItem['kind'], part: Part, at: Losses) => {
    if (open === undefined || !joins(open, part, context)) {
      close()
      open = openItem(kind, part, before, at, context)
    }
    extend(open, part, at, writing)
  }
  eachPart(owner, losses, (given, at, index) => {
    if (search !== undefined) {
      const isAnswer = given.type === 'tool-result' && given.by === 'server' && given.callId === search.call.id
      closeSearch(isAnswer ? given : undefined, at)
      if (isAnswer) return
    }
    const words = sayable(given)
    if (words !== undefined) {
      add('message', words, NO_LOSSES)
      return reportSaid(given, words, idOf(open?.wire), at)
    }
    const part = given
    if (part.type === 'reasoning') {
      const why = whyUnsupported(part, groupSeal(owner.parts, index), context)
      if (why === undefined) add('reasoning', part, at)
      else at.dropped([], why)
      return
    }
    if (isSaid(part) && !isHollow(part)) return add('message', part, at)
    close()
    before = undefined
    if (isSearch(part, context)) search = { call: part, losses: at }
    else for (const item of encodeAlone(part, at, context, pairs)) items.push(item)
  })
  closeSearch(undefined, losses)
  close()
  return items
}

/** An item that takes no more parts. */
export function closeItem(
  open: OpenItem,
  context: Encoding,
): { readonly item: Item; readonly carried?: Seal | undefined } {
  return open.kind === 'reasoning' ? closeThoughts(open, context) : { item: open.wire as Item, carried: open.seal } // a message
}

/** The id of an item; undefined if it has none. */
export function idOf(item: object | undefined): string | undefined {
  return item !== undefined && 'id' in item ? optionalString(item.id) : undefined
}

/** The seal of the item that a part of reasoning belongs to: its last part has it. */
function groupSeal(parts: readonly Part[], index: number): Seal | undefined {
  const first = parts[index]
  for (let at = index; at < parts.length; at++) {
    const part = parts[at]
    if (part?.type !== 'reasoning' || first?.type !== 'reasoning') return undefined
    if (at > index && (part.item === undefined || part.item !== first.item || part.summary !== first.summary))
      return undefined
    if (part.seal !== undefined) return part.seal
  }
  return undefined
}

function pushClosed(open: OpenItem, items: Item[], context: Encoding): void {
  const { item, carried } = closeItem(open, context)
  items.push(item)
  if (carried !== undefined) items.push(carrierOf(carried, `rs_${context.id()}`))
}

/** A part without an equivalent, as text; undefined if it has one, or no words. */
export function sayable(part: Part): Text | undefined {
  const words = part.type === 'code' || part.type === 'code-output' ? textOfPart(part) : transcriptOf(part)
  return words === undefined || words === '' ? undefined : { type: 'text', text: words }
}

/** Reports a part that is written as a text, in an item of its own. */
export function reportSaid(part: Part, text: Text, item: string | undefined, losses: Losses): void {
  const what = part.type === 'media' ? part.kind : part.type
  losses.changed([], defined({ ...text, item }), `responses has no ${what} of this form`)
}

/** A part that is an item of its own, and the item that carries its seal. */
export function encodeAlone(part: Part, losses: Losses, context: Encoding, pairs: Pairs): Item[] {
  if (part.type === 'tool-call' && part.by === 'client') {
    const id = itemId(part, part.custom ? 'ctc' : 'fc', undefined, losses, context)
    return [encodeCall(part, id, losses, context, pairs)]
  }
  if (part.type === 'opaque' && part.protocol === NAME) {
    reportUnsupported(part, TABLES.part.opaque, losses, context)
    return [part.value as Item] // one of our own, of an unknown kind
  }
  const image = part.type === 'media' && part.kind === 'image' ? encodeImage(part, losses, context) : undefined
  if (image === undefined) {
    losses.dropped(
      [],
      part.type === 'text' || part.type === 'refusal' ? EMPTY_TEXT : `responses has no ${part.type} here`,
    )
    return []
  }
  const seal = carriedSeal(part, context)
  return seal === undefined ? [image] : [image, carrierOf(seal, `rs_${context.id()}`)]
}

/** Undefined if it is no image that responses can contain. Upstreams take back only their own. */
function encodeImage(part: Media, losses: Losses, context: Encoding): Item | undefined {
  const { source, item } = part
  const isOwn = context.toward === 'client' || item?.startsWith('ig_') === true
  if (source.kind !== 'base64' || !source.mime.startsWith('image/') || !isOwn) return undefined
  reportUnsupported(part, FORMS.drawn, losses, context)
  const id = itemId(part, 'ig', undefined, losses, context)
  const output_format = source.mime === 'image/png' ? undefined : source.mime.slice('image/'.length)
  const wire = defined({ type: 'image_generation_call', id, status: 'completed', result: source.data, output_format })
  return restore(NAME, part, wire) as Item // of this kind
}

import { restore } from '../../ir/extras.ts'
import { NO_LOSSES, type Losses } from '../../ir/loss.ts'
import type { Pairs } from '../../ir/pairs.ts'
import type { Media, Part, Text, ToolCall, ToolResult } from '../../ir/part.ts'
import { textOfPart, transcriptOf } from '../../ir/part-text.ts'
import type { Seal } from '../../ir/seal.ts'
import { eachPart, type Owner } from '../../ir/turns.ts'
import { defined } from '../../lib/defined.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { Encoding } from '../context.ts'
import { encodeCall, encodeSearch, isSearch } from './calls.ts'
import { EMPTY_TEXT } from './content.ts'
import { FORMS } from './forms.ts'
import { TABLES } from './members.ts'
import {
  closeItem,
  extend,
  idOf,
  isHollow,
  isSaid,
  itemId,
  joins,
  openItem,
  type OpenItem,
  type Writing,
} from './open-item.ts'
import { carriedSeal, carrierOf, whyUnsupported } from './reasoning.ts'
import { NAME, type Item } from './schema.ts'

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
  return restore(NAME, part, wire) // of this kind
}

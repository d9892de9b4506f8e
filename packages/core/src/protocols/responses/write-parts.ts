import { restore } from '../../ir/extras.ts'
import { groupSeals } from '../../ir/group-seals.ts'
import { NO_LOSSES, type Losses } from '../../ir/loss.ts'
import { lostPart } from '../../ir/lost-part.ts'
import type { Pairs } from '../../ir/pairs.ts'
import type { Media, Part, Refusal, Text } from '../../ir/part.ts'
import { textOfPart, transcriptOf } from '../../ir/part-text.ts'
import { eachPart, type Owner } from '../../ir/turns.ts'
import { defined } from '../../lib/defined.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { Encoding } from '../context.ts'
import { encodeCall } from './calls.ts'
import { EMPTY_TEXT } from './content.ts'
import { FORMS } from './forms.ts'
import { answers, encodeHeld, isHeld, type Held } from './held.ts'
import { TABLES } from './members.ts'
import {
  closeItem,
  extend,
  isHollow,
  isSaid,
  itemId,
  joins,
  openItem,
  reportJoined,
  reportRead,
  type OpenItem,
  type Writing,
} from './open-item.ts'
import { NO_SUCH_END } from './refusal.ts'
import { carriedSeal, carrierOf, isBareReasoning, whyUnsupported } from './reasoning.ts'
import { NAME, type Item } from './schema.ts'

/**
 * The items of a turn: of a history, or of a whole response. The losses are those of the request or the response. `last` is added to the
 * parts of the turn.
 */
export function encodeItems(owner: Owner, losses: Losses, writing: Writing, last?: Refusal | Text): Item[] {
  const { context, pairs } = writing
  const items: Item[] = []
  const seals = groupSeals(owner.parts, ANY_KIND)
  let open: OpenItem | undefined
  let before: OpenItem | undefined
  let held: Held | undefined

  const close = (next?: Part) => {
    if (open !== undefined) pushClosed(open, next, items, context)
    before = open ?? before
    open = undefined
  }
  const closeHeld = () => {
    if (held !== undefined) items.push(encodeHeld(held, context))
    held = undefined
  }
  const add = (kind: OpenItem['kind'], part: Part, at: Losses): OpenItem => {
    if (open !== undefined && joins(open, part, context)) reportJoined(open, part, at)
    else {
      close(part)
      open = openItem(kind, part, before, at, context)
    }
    extend(open, part, at, writing)
    return open
  }
  eachPart(owner, losses, (given, at, index) => {
    if (held !== undefined && answers(held, given)) return void held.results.push({ part: given, losses: at })
    closeHeld()
    if (isHeld(given, context)) {
      close(given)
      before = undefined
      held = { part: given, losses: at, results: [] }
      return
    }
    const words = sayable(given)
    if (words !== undefined)
      return reportRead(add('message', words, NO_LOSSES), words, (read) => reportSaid(given, read, at))
    const part = given
    if (part.type === 'reasoning') {
      const why = whyUnsupported(part, seals[index], context)
      if (why === undefined) add('reasoning', part, at)
      else at.dropped([], why)
      return
    }
    if (isSaid(part) && !isHollow(part)) return void add('message', part, at)
    if (part.type === 'text' || part.type === 'refusal') return at.dropped([], EMPTY_TEXT)
    close(part)
    before = undefined
    for (const item of encodeAlone(part, at, context, pairs)) items.push(item)
  })
  closeHeld()
  if (last !== undefined)
    reportRead(add('message', last, NO_LOSSES), last, (read) =>
      losses.added(['candidates', 0, 'parts', owner.parts.length], read, NO_SUCH_END),
    )
  close()
  return items
}

/** An item has one seal for its summary and its content. */
const ANY_KIND = () => true

function pushClosed(open: OpenItem, next: Part | undefined, items: Item[], context: Encoding): void {
  const { item, carried } = closeItem(open, next, context)
  items.push(item)
  if (carried !== undefined) items.push(carrierOf(carried, `rs_${context.id()}`))
}

/** A part without an equivalent, as text; undefined if it has one, or no words. */
export function sayable(part: Part): Text | undefined {
  const words = part.type === 'code' || part.type === 'code-output' ? textOfPart(part) : transcriptOf(part)
  return words === undefined || words === '' ? undefined : { type: 'text', text: words }
}

/** Reports a part that is written as a text. */
export function reportSaid(part: Part, read: Part, losses: Losses): void {
  const what = part.type === 'media' ? part.kind : part.type
  losses.changed([], read, `responses has no ${what} of this form`)
}

/** A part that is an item of its own, and the item that carries its seal. */
export function encodeAlone(part: Part, losses: Losses, context: Encoding, pairs: Pairs): Item[] {
  if (part.type === 'tool-call' && part.by === 'client') {
    return [encodeCall(part, (prefix) => itemId(part, prefix, undefined, losses, context), losses, context, pairs)]
  }
  if (part.type === 'opaque' && part.protocol === NAME) {
    if (context.toward === 'upstream' && isBareReasoning(part.value)) {
      losses.dropped([], 'the upstream has stored no reasoning under this id')
      return []
    }
    reportUnsupported(part, TABLES.part.opaque, losses, context)
    return [part.value as Item] // one of our own, of an unknown kind
  }
  const image = part.type === 'media' && part.kind === 'image' ? encodeImage(part, losses, context) : undefined
  if (image === undefined) {
    losses.dropped([], lostPart(part, NAME))
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

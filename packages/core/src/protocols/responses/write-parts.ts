import { restore } from '../../ir/extras.ts'
import { groupSeals } from '../../ir/reasoning.ts'
import { NO_LOSSES, type Losses } from '../../ir/loss.ts'
import { lostPart, textOfPart, transcriptOf } from '../../ir/unsupported-part.ts'
import type { Pairs } from '../../ir/pairs.ts'
import type { Media, Part, Refusal, Text } from '../../ir/part.ts'
import { eachPart, type Owner } from '../../ir/turns.ts'
import { defined } from '../../lib/members.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { Encoding } from '../context.ts'
import { encodeCall } from './calls.ts'
import { EMPTY_TEXT } from './content.ts'
import { FORMS, TABLES } from './members.ts'
import { createItemWriter, isHeld } from './item-writer.ts'
import { extend, isHollow, isMessagePart, itemId, reportRead, type OpenItem, type Writing } from './open-item.ts'
import { NO_SUCH_END } from './item-facts.ts'
import { carriedSeal, carrierOf, isStoredReasoning, whyUnsupported } from './reasoning.ts'
import { NAME, type Item } from './schema.ts'

/**
 * The items of a turn: of a history, or of a whole response. The losses are those of the request or the response. `last` is added to the
 * parts of the turn.
 */
export function encodeItems(owner: Owner, losses: Losses, writing: Writing, last?: Refusal | Text): Item[] {
  const { context, pairs } = writing
  const items = createItemWriter(context)
  const seals = groupSeals(owner.parts, ANY_KIND)
  const add = (kind: OpenItem['kind'], part: Part, at: Losses): OpenItem => {
    const open = items.enter(kind, part, at)
    extend(open, part, at, writing)
    return open
  }
  eachPart(owner, losses, (part, at, index) => {
    const results = items.resultsWith(part)
    if (results !== undefined) return void results.push({ part, losses: at })
    if (isHeld(part, context)) return items.hold(part, at)
    const words = sayable(part)
    if (words !== undefined)
      return reportRead(add('message', words, NO_LOSSES), words, (read) => reportMessagePart(part, read, at))
    if (part.type === 'reasoning') {
      const why = whyUnsupported(part, seals[index], context)
      if (why === undefined) add('reasoning', part, at)
      else at.dropped([], why)
      return
    }
    if (isMessagePart(part) && !isHollow(part)) return void add('message', part, at)
    if (part.type === 'text' || part.type === 'refusal') return at.dropped([], EMPTY_TEXT)
    items.close(part)
    for (const item of encodeAlone(part, at, context, pairs)) items.add(item)
  })
  if (last !== undefined)
    reportRead(add('message', last, NO_LOSSES), last, (read) =>
      losses.added(['candidates', 0, 'parts', owner.parts.length], read, NO_SUCH_END),
    )
  return items.finish()
}

/** An item has one seal for its summary and its content. */
const ANY_KIND = () => true

/** A part without an equivalent, as text; undefined if it has one, or no text. */
export function sayable(part: Part): Text | undefined {
  const words = part.type === 'code' || part.type === 'code-output' ? textOfPart(part) : transcriptOf(part)
  return words === undefined || words === '' ? undefined : { type: 'text', text: words }
}

/** Reports a part that is written as a text. */
export function reportMessagePart(part: Part, read: Part, losses: Losses): void {
  const what = part.type === 'media' ? part.kind : part.type
  losses.changed([], read, `responses has no ${what} of this form`)
}

/** A part that is an item of its own, and the item that carries its seal. */
export function encodeAlone(part: Part, losses: Losses, context: Encoding, pairs: Pairs): Item[] {
  if (part.type === 'tool-call' && part.by === 'client') {
    return [encodeCall(part, (prefix) => itemId(part, prefix, undefined, losses, context), losses, context, pairs)]
  }
  if (part.type === 'opaque' && part.protocol === NAME) {
    if (context.toward === 'upstream' && isStoredReasoning(part.value)) {
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

/** Undefined if responses cannot contain it. Upstreams take back only their own. */
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

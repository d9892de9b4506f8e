import { keep, known, restore, unknownOf } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import { lostPart, textOfPart } from '../../ir/unsupported-part.ts'
import type { Part, Text } from '../../ir/part.ts'
import { listOf, stringOf, type JsonObject } from '../../lib/json.ts'
import { keepMarked } from '../cache-control.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { Encoding } from '../context.ts'
import { mark } from './cache.ts'
import { decodeMedia, encodeMedia } from './media.ts'
import { TABLES } from './members.ts'
import { NAME, refusalPart, textPart, type WirePart } from './schema.ts'

/** Content to parts. */
export function decodeContent(content: string | readonly WirePart[] | null | undefined): Part[] {
  if (content === null || content === undefined || content === '') return []
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content).map(decodePart)
}

export function decodePart(wire: WirePart): Part {
  switch (wire.type) {
    case 'text': {
      const part = { type: wire.type, text: stringOf(wire.text) }
      return keepMarked(part, NAME, wire, unknownOf(wire, TEXT))
    }
    case 'refusal':
      return keep({ type: wire.type, text: stringOf(wire.refusal) }, NAME, unknownOf(wire, REFUSAL))
    case 'image_url':
    case 'input_audio':
    case 'file':
      return decodeMedia(wire) ?? opaque(wire)
    default:
      wire satisfies never
      return opaque(wire)
  }
}

function opaque(wire: object): Part {
  return { type: 'opaque', protocol: NAME, value: wire as JsonObject } // parsed JSON
}

const TEXT = known(textPart)
const REFUSAL = known(refusalPart)

/** A part of a user message or an instruction. Undefined and reported if chat has no equivalent. */
export function encodePart(part: Part, losses: Losses, context: Encoding): WirePart | undefined {
  if (part.type === 'text') return encodeText(part, losses, context)
  const words = textOfPart(part)
  if (words !== undefined) return encodeAsText(part, words, losses)
  if (part.type === 'opaque' && part.protocol === NAME) {
    reportUnsupported(part, TABLES.part.opaque, losses, context)
    return part.value as WirePart // one of our own parts, of an unknown kind
  }
  const wire = part.type === 'media' ? encodeMedia(part, losses, context) : undefined
  if (wire === undefined) losses.dropped([], lostPart(part, NAME))
  return wire
}

/** Undefined for an empty text, which upstreams refuse. */
function encodeText(part: Text, losses: Losses, context: Encoding): WirePart | undefined {
  if (part.text === '') {
    losses.dropped([], EMPTY_TEXT)
    return undefined
  }
  reportUnsupported(part, TABLES.part.text, losses, context)
  const wire: Extract<WirePart, { type: 'text' }> = { type: 'text', text: part.text }
  return restore(NAME, part, mark(wire, part, losses, context))
}

/** A part without an equivalent, as text. */
export function encodeAsText(part: Part, text: string, losses: Losses): WirePart | undefined {
  if (text === '') {
    losses.dropped([], EMPTY_TEXT)
    return undefined
  }
  losses.changed([], { type: 'text', text }, lostPart(part, NAME))
  return { type: 'text', text }
}

export const EMPTY_TEXT = 'an empty text is refused'

/** One plain text is a string, and no parts are an empty string. */
export function plain(parts: readonly WirePart[]): string | WirePart[] {
  const [first, second] = parts
  if (first === undefined) return ''
  if (first.type === 'text' && second === undefined && Object.keys(first).length === 2) return first.text
  return [...parts]
}

import { keep, known, restore, unknownOf } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import { lostPart, textOfPart } from '../../ir/unsupported-part.ts'
import type { Part, Text } from '../../ir/part.ts'
import type { Draft } from '../../lib/members.ts'
import { listOf, stringOf, type JsonObject } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { Encoding } from '../context.ts'
import { keepMarked, mark } from './cache.ts'
import { decodeCitations } from './citations.ts'
import { FORMS } from './members.ts'
import { decodeMedia, encodeMedia } from './media.ts'
import { inputText, NAME, outputText, refusalPart, type PartOf, type WirePart } from './schema.ts'

/** Content to parts. */
export function decodeContent(content: string | readonly WirePart[] | null | undefined): Part[] {
  if (content === null || content === undefined || content === '') return []
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content).map(decodePart)
}

export function decodePart(wire: WirePart): Part {
  switch (wire.type) {
    case 'input_text': {
      const part = { type: 'text' as const, text: stringOf(wire.text) }
      return keepMarked(part, wire.prompt_cache_breakpoint, unknownOf(wire, INPUT))
    }
    case 'output_text': {
      const { citations, unread } = decodeCitations(wire.annotations)
      const rest = unknownOf(wire, OUTPUT)
      const part: Draft<Text> = { type: 'text', text: stringOf(wire.text) }
      if (citations !== undefined) part.citations = citations
      return keep(part, NAME, unread === undefined ? rest : { ...rest, ...unread })
    }
    case 'refusal':
      return keep({ type: wire.type, text: stringOf(wire.refusal) }, NAME, unknownOf(wire, REFUSAL))
    case 'input_image':
    case 'input_file':
    case 'input_audio':
      return decodeMedia(wire) ?? opaque(wire)
    default:
      wire satisfies never
      return opaque(wire)
  }
}

function opaque(wire: object): Part {
  return { type: 'opaque', protocol: NAME, value: wire as JsonObject } // parsed JSON
}

const INPUT = known(inputText)
/** Log probabilities belong to the whole answer. */
const OUTPUT = known(outputText, { apart: ['logprobs'] })
const REFUSAL = known(refusalPart)

/** A part of a user message, an instruction or a tool result. Undefined and reported if responses has no equivalent. */
export function encodePart(part: Part, losses: Losses, context: Encoding): WirePart | undefined {
  if (part.type === 'text') return encodeText(part, losses, context)
  const words = textOfPart(part)
  if (words !== undefined) return encodeAsText(part, words, losses)
  const wire =
    part.type === 'media'
      ? encodeMedia(part, losses, context)
      : part.type === 'opaque' && part.protocol === NAME
        ? (part.value as WirePart) // one of our own, of an unknown kind
        : undefined
  if (wire === undefined) losses.dropped([], lostPart(part, NAME))
  return wire
}

/** Undefined for an empty text, which upstreams refuse. */
function encodeText(part: Text, losses: Losses, context: Encoding): WirePart | undefined {
  if (part.text === '') {
    losses.dropped([], EMPTY_TEXT)
    return undefined
  }
  reportUnsupported(part, FORMS.inputText, losses, context)
  const wire: PartOf<'input_text'> = { type: 'input_text', text: part.text }
  return restore(NAME, part, mark(wire, part, losses, context))
}

/** A part without an equivalent, as text. */
export function encodeAsText(part: Part, text: string, losses: Losses): WirePart | undefined {
  if (text === '') {
    losses.dropped([], EMPTY_TEXT)
    return undefined
  }
  losses.changed([], { type: 'text', text }, lostPart(part, NAME))
  return { type: 'input_text', text }
}

export const EMPTY_TEXT = 'an empty text is refused'

/** One plain text is a string, and no parts are an empty string. */
export function plain(parts: readonly WirePart[]): string | WirePart[] {
  const [first, second] = parts
  if (first === undefined) return ''
  if (first.type === 'input_text' && second === undefined && Object.keys(first).length === 2) return first.text
  return [...parts]
}

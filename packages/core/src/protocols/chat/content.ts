import { leftover, nest, restore } from '../../ir/extras.ts'
import type { Part, SearchHit, Text } from '../../ir/part.ts'
import { listOf, stringOf } from '../../lib/json.ts'
import type { DecodeContext, EncodeContext } from '../protocol.ts'
import { decodeCache, encodeCache } from './cache.ts'
import { decodeMedia, encodeMedia } from './media.ts'
import { NAME, type WirePart } from './schema.ts'

/** Content to parts. */
export function decodeContent(
  content: string | readonly WirePart[] | null | undefined,
  _context: DecodeContext,
): Part[] {
  if (content === null || content === undefined || content === '') return []
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content).map(decodePart)
}

function decodePart(part: WirePart): Part {
  switch (part.type) {
    case 'text': {
      const { type, text, cache_control, ...rest } = part
      const cache = decodeCache(cache_control)
      return { type, text: stringOf(text), ...cache.mark, ...leftover(NAME, nest(rest, 'cache_control', cache.rest)) }
    }
    case 'refusal': {
      const { type, refusal, ...rest } = part
      return { type, text: stringOf(refusal), ...leftover(NAME, rest) }
    }
    case 'image_url':
    case 'input_audio':
    case 'file':
      return decodeMedia(part)
    default:
      part satisfies never
      return { type: 'opaque', protocol: NAME, value: part }
  }
}

/** A part of a user's or an instruction's content. Nothing, and reported, where chat has no place. The losses stand at it. */
export function encodePart(part: Part, context: EncodeContext): WirePart[] {
  const { losses } = context
  const wire = encodeBare(part, context)
  if (wire.length > 0 && part.type !== 'text') {
    if (part.item !== undefined) losses.dropped(['item'], 'chat has no output items')
    if (part.seal !== undefined) losses.dropped(['seal'], `chat has no seal on ${part.type}`)
  }
  return wire
}

function encodeBare(part: Part, context: EncodeContext): WirePart[] {
  const { losses } = context
  switch (part.type) {
    case 'text':
      return encodeText(part, context)
    case 'media': {
      const wire = encodeMedia(part, context)
      return wire === undefined ? [] : [wire]
    }
    case 'search-hit':
      return encodeHit(part, context)
    case 'refusal':
      return sayAsText(part, part.text, context)
    case 'code':
      return sayAsText(part, `\`\`\`${part.language.toLowerCase()}\n${part.text}\n\`\`\``, context)
    case 'code-output':
      return sayAsText(part, `\`\`\`\n${part.text}\n\`\`\``, context)
    case 'opaque':
      if (part.protocol === NAME) return [part.value as WirePart] // one of our own parts, of a kind not known here
      losses.dropped([], `a part that only ${part.protocol} knows`)
      return []
    case 'reasoning':
    case 'tool-call':
    case 'tool-result':
      losses.dropped([], `chat has no ${part.type} here`)
      return []
    default:
      return part satisfies never
  }
}

/** Nothing for an empty text: upstreams refuse it. The losses stand at the part. */
export function encodeText(part: Text, context: EncodeContext): WirePart[] {
  const { losses } = context
  if (part.text === '') {
    losses.dropped([], 'an empty text is refused')
    return []
  }
  if (part.item !== undefined) losses.dropped(['item'], 'chat has no output items')
  if (part.seal !== undefined) losses.dropped(['seal'], 'chat texts have no seal here')
  if (part.citations !== undefined) losses.dropped(['citations'], 'chat takes no citations here')
  const wire: WirePart = { type: 'text', text: part.text }
  const { cache_control } = encodeCache(part, context)
  if (cache_control !== undefined) wire.cache_control = cache_control
  return [restore(NAME, part, wire)]
}

/** A part without a form of its own, in words. The losses stand at the part. */
export function sayAsText(part: Part, text: string, context: EncodeContext): WirePart[] {
  if (text === '') {
    context.losses.dropped([], 'an empty text is refused')
    return []
  }
  context.losses.changed([], { type: 'text', text }, `chat has no ${part.type} here`)
  return [{ type: 'text', text }]
}

/** A search result in words. The losses stand at the part. */
export function encodeHit(part: SearchHit, context: EncodeContext): WirePart[] {
  const inner = part.parts?.flatMap((each) => (each.type === 'text' ? each.text : [])) ?? []
  const text = [part.title, part.url, ...inner].filter((line) => line !== undefined && line !== '').join('\n')
  if (text === '') {
    context.losses.dropped([], 'an empty search result')
    return []
  }
  context.losses.changed([], { type: 'text', text }, 'chat has no search results')
  return [{ type: 'text', text }]
}

/** One plain text is a string, and nothing at all is an empty one. */
export function plain(parts: readonly WirePart[]): string | WirePart[] {
  const [first, second] = parts
  if (first === undefined) return ''
  if (first.type === 'text' && second === undefined && Object.keys(first).length === 2) return first.text
  return [...parts]
}

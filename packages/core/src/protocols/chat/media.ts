import { leftover, nest, restore } from '../../ir/extras.ts'
import type { Media, Part, Source } from '../../ir/part.ts'
import { formatDataUrl, parseDataUrl } from '../../lib/data-url.ts'
import type { EncodeContext } from '../protocol.ts'
import { decodeCache, encodeCache } from './cache.ts'
import { ISSUER, NAME, type WirePart } from './schema.ts'

type WireMedia = Extract<WirePart, { type: 'image_url' | 'input_audio' | 'file' }>

export function decodeMedia(part: WireMedia): Media {
  const { cache_control, ...wire } = part
  const cache = decodeCache(cache_control)
  const shared = (rest: object): object => ({
    ...cache.mark,
    ...leftover(NAME, nest(rest, 'cache_control', cache.rest)),
  })
  switch (wire.type) {
    case 'image_url': {
      const { type, image_url, ...rest } = wire
      const { url, detail, ...inner } = image_url
      const source = sourceOfUrl(url)
      return {
        type: 'media',
        kind: 'image',
        source,
        ...(detail === undefined ? {} : { detail }),
        ...shared(nest(rest, 'image_url', inner)),
      }
    }
    case 'input_audio': {
      const { type, input_audio, ...rest } = wire
      const { data, format, ...inner } = input_audio
      return {
        type: 'media',
        kind: 'audio',
        source: { kind: 'base64', mime: `audio/${format}`, data },
        ...shared(nest(rest, 'input_audio', inner)),
      }
    }
    case 'file': {
      const { type, file, ...rest } = wire
      const { file_id, file_data, filename, ...inner } = file
      const title = filename === undefined ? {} : { title: filename }
      return {
        type: 'media',
        kind: 'document',
        source: sourceOfFile(file_id, file_data),
        ...title,
        ...shared(nest(rest, 'file', inner)),
      }
    }
    default:
      return wire satisfies never
  }
}

function sourceOfUrl(url: string): Source {
  const inline = parseDataUrl(url)
  return inline === undefined ? { kind: 'url', url } : { kind: 'base64', ...inline }
}

/** File data is a data URL, or bare base64 of a PDF. */
function sourceOfFile(id: string | undefined, data: string | undefined): Source {
  if (data === undefined) return { kind: 'file', issuer: ISSUER, id: id ?? '' }
  const inline = parseDataUrl(data)
  return { kind: 'base64', ...(inline ?? { mime: 'application/pdf', data }) }
}

/** Undefined, and reported, when chat has no place for it. The losses stand at the part. */
export function encodeMedia(part: Media, context: EncodeContext): WirePart | undefined {
  const { losses } = context
  const wire = encodeBare(part, context)
  if (wire === undefined) {
    losses.dropped([], `chat takes no ${part.kind} of this form`)
    return undefined
  }
  if (wire.type === 'text') {
    losses.changed([], { type: 'text', text: wire.text }, 'chat takes this document as text')
    return wire
  }
  for (const member of ['context', 'cite', 'clip', 'transcript'] as const) {
    if (part[member] !== undefined) losses.dropped([member], `chat media has no ${member}`)
  }
  if (part.kind !== 'document' && part.title !== undefined) losses.dropped(['title'], `chat ${part.kind} has no title`)
  if (part.kind !== 'image' && part.detail !== undefined) losses.dropped(['detail'], `chat ${part.kind} has no detail`)
  return restore(NAME, part, { ...wire, ...encodeCache(part, context) })
}

function encodeBare(part: Media, { losses }: EncodeContext): WirePart | undefined {
  const { source, kind, title, detail } = part
  if (kind === 'image') {
    if (source.kind !== 'base64' && source.kind !== 'url') return undefined
    if (source.kind === 'url' && source.mime !== undefined)
      losses.dropped(['source', 'mime'], 'chat URLs have no media type')
    const url = source.kind === 'url' ? source.url : formatDataUrl(source)
    return { type: 'image_url', image_url: { url, ...(detail === undefined ? {} : { detail }) } }
  }
  if (kind === 'audio') {
    const format = source.kind === 'base64' ? FORMAT_OF[source.mime] : undefined
    if (source.kind !== 'base64' || format === undefined) return undefined
    if (source.mime !== `audio/${format}`)
      losses.changed(['source', 'mime'], `audio/${format}`, 'chat has one name for it')
    return { type: 'input_audio', input_audio: { data: source.data, format } }
  }
  if (kind === 'video') return undefined
  const named = title === undefined ? {} : { filename: title }
  switch (source.kind) {
    case 'base64':
      return { type: 'file', file: { ...named, file_data: formatDataUrl(source) } }
    case 'file':
      if (source.issuer !== ISSUER) return undefined
      if (source.mime !== undefined) losses.dropped(['source', 'mime'], 'chat files have no media type')
      return { type: 'file', file: { ...named, file_id: source.id } }
    case 'text':
      return sayAsText(source.text)
    case 'parts':
      return sayAsText(source.parts.flatMap(textOf).join('\n\n'))
    case 'url':
      return undefined
    default:
      return source satisfies never
  }
}

const FORMAT_OF: { readonly [mime: string]: string } = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mp3': 'mp3',
  'audio/mpeg': 'mp3',
}

function sayAsText(text: string): WirePart | undefined {
  return text === '' ? undefined : { type: 'text', text }
}

function textOf(part: Part): string[] {
  return part.type === 'text' ? [part.text] : []
}

import { known, restore, unknownOf, type Known } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Media, Source } from '../../ir/part.ts'
import { textsOf } from '../../ir/unsupported-part.ts'
import { standardBase64 } from '../../lib/base64.ts'
import { formatDataUrl, isUrl, parseDataUrl, parseFileData, type DataUrl } from '../../lib/data-url.ts'
import { defined } from '../../lib/members.ts'
import { reportUnsupported, WHOLE } from '../member-tables.ts'
import type { Encoding } from '../context.ts'
import { keepMarked, mark } from './cache.ts'
import { TABLES } from './members.ts'
import { inputAudio, inputFile, inputImage, ISSUER, NAME, type PartOf, type WirePart } from './schema.ts'

type WireMedia = PartOf<'input_image' | 'input_file' | 'input_audio'>

/** Undefined if it has no source, or the data of its audio is a URL. */
export function decodeMedia(wire: WireMedia): Media | undefined {
  const media = decodeKnown(wire)
  const marked = wire.type === 'input_audio' ? undefined : wire.prompt_cache_breakpoint
  return media && keepMarked(media, marked, unknownOf(wire, KNOWN_OF[wire.type]))
}

const KNOWN_OF: { readonly [Type in WireMedia['type']]: Known } = {
  input_image: known(inputImage),
  input_file: known(inputFile),
  input_audio: known(inputAudio),
}

function decodeKnown(wire: WireMedia): Media | undefined {
  const type = 'media' as const
  switch (wire.type) {
    case 'input_image': {
      const source = decodeSource(undefined, wire.image_url, wire.file_id)
      const detail = wire.detail === 'auto' ? undefined : wire.detail // the default
      return source && defined({ type, kind: 'image' as const, source, detail })
    }
    case 'input_audio': {
      const { data, format } = wire.input_audio
      return isUrl(data) ? undefined : { type, kind: 'audio', source: inlineSource({ mime: `audio/${format}`, data }) }
    }
    case 'input_file': {
      const source = decodeSource(wire.file_data, wire.file_url, wire.file_id)
      return source && defined({ type, kind: 'document' as const, source, title: wire.filename })
    }
    default:
      return wire satisfies never
  }
}

function decodeSource(
  data: string | null | undefined,
  url: string | null | undefined,
  id: string | null | undefined,
): Source | undefined {
  if (data != null) return inlineOr(data, parseFileData(data))
  if (url != null) return inlineOr(url, parseDataUrl(url))
  return id == null ? undefined : { kind: 'file', issuer: ISSUER, id }
}

function inlineOr(url: string, inline: DataUrl | undefined): Source {
  return inline === undefined ? { kind: 'url', url } : inlineSource(inline)
}

function inlineSource({ mime, data }: DataUrl): Source {
  return { kind: 'base64', mime, data: standardBase64(data) }
}

/** Undefined if responses has no equivalent. */
export function encodeMedia(part: Media, losses: Losses, context: Encoding): WirePart | undefined {
  const table = TABLES.media[part.kind]
  const wire = encodeKnown(part, losses, context)
  if (wire === undefined || table === WHOLE) return undefined
  if (wire.type === 'input_text') {
    losses.changed([], { type: 'text', text: wire.text }, 'responses takes this document as text')
    return wire
  }
  reportUnsupported(part, table, losses, context)
  if (wire.type !== 'input_audio') return restore(NAME, part, mark(wire, part, losses, context))
  if (part.cache !== undefined) losses.dropped(['cache'], 'responses marks no audio')
  return restore(NAME, part, wire)
}

function encodeKnown(part: Media, losses: Losses, context: Encoding): WireMedia | PartOf<'input_text'> | undefined {
  const { source, kind, title: filename, detail } = part
  if (source.kind === 'file' && source.issuer !== ISSUER) return undefined
  if (source.kind === 'url') reportUnsupported(source, TABLES.source.url, losses.at('source'), context)
  if (source.kind === 'file') reportUnsupported(source, TABLES.source.file, losses.at('source'), context)
  if (kind === 'image') {
    const at = imageSource(source)
    return at && defined({ type: 'input_image' as const, ...at, detail })
  }
  if (kind === 'audio') {
    const format = source.kind === 'base64' ? FORMAT_OF.get(source.mime) : undefined
    if (source.kind !== 'base64' || format === undefined) return undefined
    const mime = `audio/${format}`
    if (source.mime !== mime) losses.changed(['source', 'mime'], mime, 'responses has one name for it')
    return { type: 'input_audio', input_audio: { data: source.data, format } }
  }
  if (kind === 'video') return undefined
  if (source.kind === 'url') return defined({ type: 'input_file' as const, file_url: source.url, filename })
  if (source.kind === 'file') return defined({ type: 'input_file' as const, file_id: source.id, filename })
  if (source.kind === 'base64') {
    const name =
      filename ?? `document.${source.mime === 'text/plain' ? 'txt' : source.mime.replace(/^.*[^a-z0-9]/, '')}`
    if (filename === undefined) losses.added(['title'], name, 'files have a name')
    return { type: 'input_file', filename: name, file_data: formatDataUrl(source) }
  }
  const text = source.kind === 'text' ? source.text : textsOf(source.parts).join('\n\n')
  return text === '' ? undefined : { type: 'input_text', text }
}

function imageSource(source: Source): { readonly image_url: string } | { readonly file_id: string } | undefined {
  if (source.kind === 'base64') return { image_url: formatDataUrl(source) }
  if (source.kind === 'url') return { image_url: source.url }
  return source.kind === 'file' ? { file_id: source.id } : undefined
}

const FORMAT_OF: ReadonlyMap<string, string> = new Map([
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/mp3', 'mp3'],
  ['audio/mpeg', 'mp3'],
])

import { known, restore, unknownOf, type Known } from '../../ir/extras.ts'
import type { LinkedMedia } from '../../ir/linked-media.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Media, Source } from '../../ir/part.ts'
import { textsOf } from '../../ir/unsupported-part.ts'
import { standardBase64 } from '../../lib/base64.ts'
import { formatDataUrl, isUrl, parseDataUrl, parseFileData, type DataUrl } from '../../lib/data-url.ts'
import { defined } from '../../lib/members.ts'
import { isObject } from '../../lib/json.ts'
import { keepMarked } from '../cache-control.ts'
import { reportUnsupported, WHOLE } from '../member-tables.ts'
import type { Encoding } from '../context.ts'
import type { LinkForm } from '../protocol.ts'
import { mark } from './cache.ts'
import { TABLES } from './members.ts'
import { audioPart, filePart, imagePart, ISSUER, NAME, type WirePart } from './schema.ts'

type WireMedia = Extract<WirePart, { type: 'image_url' | 'input_audio' | 'file' }>

/** Undefined if the data of its audio is a URL. */
export function decodeMedia(wire: WireMedia): Media | undefined {
  const media = decodeKnown(wire)
  return media && keepMarked(media, NAME, wire, unknownOf(wire, KNOWN_OF[wire.type]))
}

const KNOWN_OF: { readonly [Type in WireMedia['type']]: Known } = {
  image_url: known(imagePart),
  input_audio: known(audioPart),
  file: known(filePart),
}

function decodeKnown(wire: WireMedia): Media | undefined {
  const type = 'media'
  switch (wire.type) {
    case 'image_url': {
      const { url, detail } = wire.image_url
      const source = inlineOr(url, parseDataUrl(url))
      return defined({ type, kind: 'image', source, detail: detail === 'auto' ? undefined : detail }) // that is the default
    }
    case 'input_audio': {
      const { data, format } = wire.input_audio
      return isUrl(data) ? undefined : { type, kind: 'audio', source: inlineSource({ mime: `audio/${format}`, data }) }
    }
    case 'file': {
      const { file_id: id = '', file_data: data, filename: title } = wire.file
      const source: Source =
        data === undefined ? { kind: 'file', issuer: ISSUER, id } : inlineOr(data, parseFileData(data))
      return defined({ type, kind: 'document', source, title })
    }
    default:
      return wire satisfies never
  }
}

/** An image that a model answered with. */
export type WireImage = Extract<WirePart, { type: 'image_url' }> & { readonly index?: number }

/** Undefined if one of them is not an image: then all of them stay extras. */
export function decodeImages(wire: readonly WireImage[]): Media[] | undefined {
  const areImages = wire.every((image) => isObject(image) && image.type === 'image_url' && isObject(image.image_url))
  return areImages ? wire.flatMap(({ index, ...image }) => decodeMedia(image) ?? []) : undefined
}

/** Undefined if an answer of chat cannot contain it. */
export function encodeImage(part: Media, index: number, losses: Losses, context: Encoding): WireImage | undefined {
  const wire = part.kind === 'image' ? encodeMedia(part, losses, context) : undefined
  return wire?.type === 'image_url' ? { ...wire, index } : undefined
}

function inlineOr(url: string, inline: DataUrl | undefined): Source {
  return inline === undefined ? { kind: 'url', url } : inlineSource(inline)
}

function inlineSource({ mime, data }: DataUrl): Source {
  return { kind: 'base64', mime, data: standardBase64(data) }
}

/** Undefined if chat has no equivalent. */
export function encodeMedia(part: Media, losses: Losses, context: Encoding): WirePart | undefined {
  const table = TABLES.media[part.kind]
  const wire = encodeKnown(part, losses, context)
  if (wire === undefined || table === WHOLE) return undefined
  if (wire.type === 'text') {
    losses.changed([], wire, 'chat takes this document as text')
    return wire
  }
  reportUnsupported(part, table, losses, context)
  return restore(NAME, part, mark(wire, part, losses, context))
}

function encodeKnown(
  part: Media,
  losses: Losses,
  context: Encoding,
): WireMedia | Extract<WirePart, { type: 'text' }> | undefined {
  const { source, kind, title: filename, detail } = part
  const inline = source.kind === 'base64'
  if (kind === 'video' || (source.kind === 'file' && source.issuer !== ISSUER)) return undefined
  if (kind === 'image') {
    if (!inline && source.kind !== 'url') return undefined
    if (!inline) reportUnsupported(source, TABLES.source.url, losses.at('source'), context)
    return { type: 'image_url', image_url: defined({ url: inline ? formatDataUrl(source) : source.url, detail }) }
  }
  if (kind === 'audio') {
    const format = inline ? FORMAT_OF.get(source.mime) : undefined
    if (!inline || format === undefined) return undefined
    const mime = `audio/${format}`
    if (source.mime !== mime) losses.changed(['source', 'mime'], mime, 'chat has one name for it')
    return { type: 'input_audio', input_audio: { data: source.data, format } }
  }
  if (inline) {
    const name =
      filename ?? `document.${source.mime === 'text/plain' ? 'txt' : source.mime.replace(/^.*[^a-z0-9]/, '')}`
    if (filename === undefined) losses.added(['title'], name, 'chat files have a name')
    return { type: 'file', file: { filename: name, file_data: formatDataUrl(source) } }
  }
  if (source.kind === 'file') {
    reportUnsupported(source, TABLES.source.file, losses.at('source'), context)
    return { type: 'file', file: defined({ filename, file_id: source.id }) }
  }
  if (source.kind === 'url') {
    if (!(context.urls ?? context.caller === NAME)) return undefined
    reportUnsupported(source, TABLES.source.url, losses.at('source'), context)
    return { type: 'file', file: defined({ filename, file_data: source.url }) }
  }
  const text = source.kind === 'text' ? source.text : textsOf(source.parts).join('\n\n')
  return text === '' ? undefined : { type: 'text', text }
}

/** Chat names files and audio by id or with their bytes. Some upstreams open URLs of files too, and some callers know them. */
export function takesLinked({ kind, source: { mime } }: LinkedMedia, opens: boolean | undefined): LinkForm {
  if (kind === 'image') return opens === false ? 'bytes' : 'url'
  if (kind === 'document' && opens === true) return 'url'
  const isKnown = kind === 'document' || mime === undefined || FORMAT_OF.has(mime)
  return kind !== 'video' && isKnown ? 'bytes' : 'none'
}

const FORMAT_OF: ReadonlyMap<string, string> = new Map([
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/mp3', 'mp3'],
  ['audio/mpeg', 'mp3'],
])

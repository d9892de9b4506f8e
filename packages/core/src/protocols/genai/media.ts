import { leftover, nest, restore } from '../../ir/extras.ts'
import type { Clip, Media, Part, Source } from '../../ir/part.ts'
import type { Seal } from '../../ir/seal.ts'
import { encodeBase64 } from '../../lib/base64.ts'
import { isObject } from '../../lib/json.ts'
import type { EncodeContext } from '../protocol.ts'
import { encodeSeal } from './reasoning.ts'
import { isAccepted, ISSUER, NAME, type WirePart } from './schema.ts'

/** Undefined when the data is not what it should be; then the part is kept whole. */
export function decodeMedia(part: WirePart, seal: Seal | undefined): Media | undefined {
  const { inlineData, fileData, videoMetadata, mediaResolution, ...rest } = part
  const inline = isObject(inlineData)
  const { displayName, ...data }: { readonly [member: string]: unknown } = inline ? inlineData : { ...fileData }
  const { source, rest: sourceRest } = inline ? decodeInline(data) : decodeFile(data)
  if (source === undefined) return undefined
  const mime = 'mime' in source ? (source.mime ?? '') : ''
  const { clip, rest: clipRest } = decodeClip(videoMetadata)
  const { detail, rest: detailRest } = decodeDetail(mediaResolution)
  const named = typeof displayName === 'string'
  let left: object = nest(
    rest,
    inline ? 'inlineData' : 'fileData',
    named || displayName === undefined ? sourceRest : { ...sourceRest, displayName },
  )
  left = nest(left, 'videoMetadata', clipRest)
  left = nest(left, 'mediaResolution', detailRest)
  return {
    type: 'media',
    kind: kindOf(mime, source),
    source,
    ...(named ? { title: displayName } : {}),
    ...(detail === undefined ? {} : { detail }),
    ...(clip === undefined ? {} : { clip }),
    ...(seal === undefined ? {} : { seal }),
    ...leftover(NAME, left),
  }
}

interface DecodedSource {
  readonly source?: Source
  readonly rest: object
}

function decodeInline(wire: { readonly mimeType?: unknown; readonly data?: unknown }): DecodedSource {
  const { mimeType, data, ...rest } = wire
  if (typeof mimeType !== 'string' || typeof data !== 'string') return { rest }
  return { source: { kind: 'base64', mime: mimeType, data }, rest }
}

function decodeFile(wire: { readonly mimeType?: unknown; readonly fileUri?: unknown }): DecodedSource {
  const { mimeType, fileUri, ...rest } = wire
  if (typeof fileUri !== 'string') return { rest }
  return { source: sourceOf(fileUri, typeof mimeType === 'string' ? { mime: mimeType } : {}), rest }
}

/** Anybody can open a URL; buckets and uploaded files are the issuer's own. */
function sourceOf(uri: string, typed: { readonly mime?: string }): Source {
  const open = /^https?:\/\//i.test(uri) && !/^https?:\/\/generativelanguage\.googleapis\.com\//i.test(uri)
  return open ? { kind: 'url', url: uri, ...typed } : { kind: 'file', issuer: ISSUER, id: uri, ...typed }
}

function kindOf(mime: string, source: Source): Media['kind'] {
  const [family] = mime.split('/', 1)
  if (family === 'image' || family === 'audio' || family === 'video') return family
  return mime === '' && source.kind === 'url' && VIDEO_SITES.test(source.url) ? 'video' : 'document'
}

const VIDEO_SITES = /^https?:\/\/((www|m)\.)?(youtube\.com|youtu\.be)\//i

function decodeClip(wire: unknown): { clip?: Clip; rest?: unknown } {
  if (!isObject(wire)) return wire === undefined ? {} : { rest: wire }
  const { startOffset, endOffset, fps, ...rest } = wire
  const clip = {
    ...(typeof startOffset === 'string' ? { start: startOffset } : {}),
    ...(typeof endOffset === 'string' ? { end: endOffset } : {}),
    ...(typeof fps === 'number' ? { fps } : {}),
  }
  return { clip, rest }
}

const DETAILS: ReadonlySet<string> = new Set(['low', 'medium', 'high', 'ultra_high'])
const PREFIX = 'MEDIA_RESOLUTION_'

/** A bare word or an object with a level, with and without the prefix. */
function decodeDetail(wire: unknown): { detail?: string; rest?: unknown } {
  if (wire === undefined) return {}
  const { level, ...rest } = isObject(wire) ? wire : { level: wire }
  const detail = typeof level === 'string' ? level.replace(PREFIX, '').toLowerCase() : ''
  return DETAILS.has(detail) ? { detail, rest } : { rest: wire }
}

/** Undefined, and reported, when genai has no place for it. The losses stand at the part. */
export function encodeMedia(part: Media, context: EncodeContext): WirePart | undefined {
  const { losses } = context
  const wire = encodeSource(part, context)
  if (wire === undefined) {
    losses.dropped([], `genai takes no ${part.kind} of this form`)
    return undefined
  }
  for (const member of ['context', 'cite', 'transcript', 'cache', 'item'] as const) {
    if (part[member] !== undefined) losses.dropped([member], `genai media has no ${member}`)
  }
  const { detail, clip } = part
  const known = detail !== undefined && DETAILS.has(detail)
  if (detail !== undefined && !known) losses.dropped(['detail'], `genai has no resolution ${detail}`)
  return restore(NAME, part, {
    ...wire,
    ...(clip === undefined ? {} : { videoMetadata: encodeClip(clip) }),
    ...(known ? { mediaResolution: { level: `${PREFIX}${detail.toUpperCase()}` } } : {}),
    ...encodeSeal(part, context),
  })
}

function encodeClip({ start, end, fps }: Clip): NonNullable<WirePart['videoMetadata']> {
  return {
    ...(start === undefined ? {} : { startOffset: start }),
    ...(end === undefined ? {} : { endOffset: end }),
    ...(fps === undefined ? {} : { fps }),
  }
}

function encodeSource(part: Media, context: EncodeContext): WirePart | undefined {
  const { losses } = context
  const { source } = part
  switch (source.kind) {
    case 'base64':
      return takes(source.mime, context)
        ? { inlineData: { mimeType: source.mime, data: source.data, ...encodeTitle(part, context) } }
        : undefined
    case 'url':
    case 'file': {
      if (source.kind === 'file' && source.issuer !== ISSUER) return undefined
      const uri = source.kind === 'url' ? source.url : source.id
      const mime =
        source.mime ?? (kindOf('', source) === 'video' && part.kind === 'video' ? undefined : guessMime(uri, part))
      if (mime !== undefined && !takes(mime, context)) return undefined
      const typed = mime === undefined ? {} : { mime }
      const read = sourceOf(uri, typed)
      if (read.kind !== source.kind) losses.changed(['source'], read, 'genai tells files and URLs apart by their names')
      else if (mime !== source.mime) losses.added(['source', 'mime'], mime, 'genai wants the media type')
      return {
        fileData: { ...(mime === undefined ? {} : { mimeType: mime }), fileUri: uri, ...encodeTitle(part, context) },
      }
    }
    case 'text':
      return encodeText(source.text, part, context)
    case 'parts':
      return encodeText(source.parts.flatMap(textOf).join('\n\n'), part, context)
    default:
      return source satisfies never
  }
}

/** Upstreams take what the protocol lists; answers may hold anything. */
function takes(mime: string, { toward }: EncodeContext): boolean {
  return toward === 'client' || isAccepted(mime)
}

function encodeText(text: string, part: Media, context: EncodeContext): WirePart | undefined {
  if (text === '') return undefined
  const data = encodeBase64(text)
  context.losses.changed(['source'], { kind: 'base64', mime: 'text/plain', data }, 'genai takes texts as files')
  return { inlineData: { mimeType: 'text/plain', data, ...encodeTitle(part, context) } }
}

function textOf(part: Part): string[] {
  return part.type === 'text' ? [part.text] : []
}

/** Names are for answers, and for upstreams that take them. The losses stand at the part. */
function encodeTitle(part: Media, context: EncodeContext): { displayName?: string } {
  if (part.title === undefined) return {}
  if (context.toward === 'client' || context.dialect?.['displayName'] === true) return { displayName: part.title }
  context.losses.dropped(['title'], 'this upstream takes no names of files')
  return {}
}

const MIME_OF: { readonly [extension: string]: string } = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  pdf: 'application/pdf',
  txt: 'text/plain',
  mp3: 'audio/mp3',
  wav: 'audio/wav',
  mp4: 'video/mp4',
  mov: 'video/mov',
  avi: 'video/avi',
  mpeg: 'video/mpeg',
}
const USUAL: { readonly [Kind in Media['kind']]: string } = {
  image: 'image/jpeg',
  audio: 'audio/mpeg',
  video: 'video/mp4',
  document: 'application/pdf',
}

/** By the ending of the name where that fits the kind, otherwise what is usual. */
function guessMime(uri: string, part: Media): string {
  const ending = /\.([a-z0-9]+)(?:[?#]|$)/i.exec(uri)?.[1]?.toLowerCase() ?? ''
  const mime = Object.hasOwn(MIME_OF, ending) ? MIME_OF[ending] : undefined
  return mime !== undefined && kindOf(mime, part.source) === part.kind ? mime : USUAL[part.kind]
}

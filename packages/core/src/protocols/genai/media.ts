import { nest } from '../../ir/extras.ts'
import type { LinkedMedia } from '../../ir/linked-media.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Clip, Media, Part, Source } from '../../ir/part.ts'
import { textsOf } from '../../ir/unsupported-part.ts'
import { encodeBase64, standardBase64 } from '../../lib/base64.ts'
import { isUrl } from '../../lib/data-url.ts'
import { defined, decodeMembers, encodeMembers, isNumber, isString, type Members } from '../../lib/members.ts'
import { isEmpty, isObject, type JsonObject } from '../../lib/json.ts'
import { DragomanError } from '../../ir/error.ts'
import type { ModelRequest } from '../../ir/request.ts'
import type { DecodeContext, Encoding } from '../context.ts'
import type { LinkForm } from '../protocol.ts'
import type { Locate } from '../locate.ts'
import { TABLES, takesTitles } from './members.ts'
import { decodeBeside, encodeBeside } from './reasoning.ts'
import { isAccepted, ISSUER, NAME, type WirePart } from './schema.ts'

type WireData = NonNullable<WirePart['inlineData']> & NonNullable<WirePart['fileData']>
interface Data {
  readonly mime: string
  readonly data: string
  readonly uri: string
  readonly title: string
}
const INLINE: Members<WireData, Data> = {
  mimeType: ['mime', isString],
  data: ['data', isString],
  displayName: ['title', isString],
}
const FILE: Members<WireData, Data> = {
  mimeType: ['mime', isString],
  fileUri: ['uri', isString],
  displayName: ['title', isString],
}
const CLIP: Members<NonNullable<WirePart['videoMetadata']>, Clip> = {
  startOffset: ['start', isString],
  endOffset: ['end', isString],
  fps: ['fps', isNumber],
}

/** Undefined if the data is invalid; then the part is kept as a whole. */
export function decodeMedia(wire: WirePart, context: DecodeContext): Media | undefined {
  const { inlineData, fileData, videoMetadata, mediaResolution, thoughtSignature, ...rest } = wire
  const inline = isObject(inlineData)
  if (!inline && !isObject(fileData)) return undefined
  const { ours, rest: dataRest } = decodeMembers(inlineData ?? fileData ?? {}, inline ? INLINE : FILE)
  const source = decodeSource(ours)
  if (source === undefined) return undefined
  const clip = isObject(videoMetadata) ? decodeMembers(videoMetadata, CLIP) : { ours: undefined, rest: videoMetadata }
  const { detail, rest: detailRest } = decodeDetail(mediaResolution)
  let left = nest(rest, inline ? 'inlineData' : 'fileData', dataRest)
  left = nest(left, 'videoMetadata', clip.rest)
  left = nest(left, 'mediaResolution', detailRest)
  const kind = kindOf(ours.mime ?? '', source)
  const part: Media = defined({ type: 'media', kind, source, title: ours.title, detail, clip: clip.ours })
  return decodeBeside(part, wire, isEmpty(left) ? undefined : (left as JsonObject), context) // the rest of a parsed object
}

function decodeSource({ mime, data, uri }: Partial<Data>): Source | undefined {
  if (uri !== undefined) return sourceOf(uri, mime)
  if (mime === undefined || data === undefined || isUrl(data)) return undefined
  return { kind: 'base64', mime, data: standardBase64(data) }
}

/** Everyone can open a URL; buckets and uploaded files belong to the issuer. */
export function sourceOf(uri: string, mime: string | undefined): Source {
  const open = /^https?:\/\/(?!generativelanguage\.googleapis\.com\/)/i.test(uri)
  return open ? defined({ kind: 'url', url: uri, mime }) : defined({ kind: 'file', issuer: ISSUER, id: uri, mime })
}

function kindOf(mime: string, source: Source): Media['kind'] {
  const [family] = mime.split('/', 1)
  if (family === 'image' || family === 'audio' || family === 'video') return family
  return mime === '' && source.kind === 'url' && VIDEO_SITES.test(source.url) ? 'video' : 'document'
}

const VIDEO_SITES = /^https?:\/\/((www|m)\.)?(youtube\.com|youtu\.be)\//i

const DETAILS: ReadonlySet<string> = new Set(['low', 'medium', 'high', 'ultra_high'])
const PREFIX = 'MEDIA_RESOLUTION_'

/** A word or an object with a level, with and without the prefix. */
function decodeDetail(wire: unknown): { detail?: string; rest?: unknown } {
  const { level, ...rest } = isObject(wire) ? wire : { level: wire }
  const detail = typeof level === 'string' ? level.replace(PREFIX, '').toLowerCase() : ''
  return DETAILS.has(detail) ? { detail, rest } : { rest: wire }
}

/** Undefined and reported if genai has no equivalent. */
export function encodeMedia(part: Media, losses: Losses, context: Encoding): WirePart | undefined {
  const { detail, clip } = part
  const wire = encodeSource(part, losses, context)
  if (wire === undefined) {
    losses.dropped([], `genai takes no ${part.kind} of this form`)
    return undefined
  }
  const known = detail === undefined || DETAILS.has(detail)
  if (!known) losses.dropped(['detail'], `genai has no resolution ${detail}`)
  const level = known && detail !== undefined ? { level: PREFIX + detail.toUpperCase() } : undefined
  const videoMetadata = clip && encodeMembers(clip, CLIP)
  return encodeBeside(
    { ...wire, ...defined({ videoMetadata, mediaResolution: level }) },
    part,
    TABLES.media[part.kind],
    losses,
    context,
  )
}

function encodeSource(part: Media, losses: Losses, context: Encoding): WirePart | undefined {
  const { source, kind } = part
  if (source.kind === 'text' || source.kind === 'parts') {
    const text = source.kind === 'text' ? source.text : textsOf(source.parts).join('\n\n')
    if (text === '') return undefined
    const data = encodeBase64(text)
    losses.changed(['source'], { kind: 'base64', mime: 'text/plain', data }, 'genai takes texts as files')
    return { inlineData: { mimeType: 'text/plain', data, ...encodeTitle(part, context) } }
  }
  if (source.kind === 'base64') {
    const { mime: mimeType, data } = source
    return takes(mimeType, context) ? { inlineData: { mimeType, data, ...encodeTitle(part, context) } } : undefined
  }
  if (source.kind === 'file' && source.issuer !== ISSUER) return undefined
  const fileUri = source.kind === 'url' ? source.url : source.id
  const film = kind === 'video' && kindOf('', source) === kind
  const mimeType = source.mime ?? (film ? undefined : guessMime(fileUri, part))
  if (mimeType !== undefined && !takes(mimeType, context)) return undefined
  const read = sourceOf(fileUri, mimeType)
  if (read.kind !== source.kind) losses.changed(['source'], read, 'genai distinguishes files and URLs by their names')
  else if (mimeType !== source.mime) losses.added(['source', 'mime'], mimeType, 'genai wants the media type')
  return { fileData: { ...defined({ mimeType }), fileUri, ...encodeTitle(part, context) } }
}

/**
 * Gemini opens URLs (2026), but wants the media type, which the other protocols do not have: a wrong guess is refused. Videos of
 * some sites are always URLs.
 */
export function takesLinked({ kind, source }: LinkedMedia, opens: boolean | undefined): LinkForm {
  const { mime } = source
  if (opens === true || (kind === 'video' && mime === undefined && kindOf('', source) === kind)) return 'url'
  return mime === undefined || isAccepted(mime) ? 'bytes' : 'none'
}

/** Upstreams accept what the protocol lists, and perhaps more, which its own callers know; responses may contain anything. */
function takes(mime: string, { toward, caller }: Encoding): boolean {
  return toward === 'client' || caller === NAME || isAccepted(mime)
}

function encodeTitle({ title }: Media, context: Encoding): { displayName?: string } {
  return title !== undefined && takesTitles(context) ? { displayName: title } : {}
}

const MIME_OF: ReadonlyMap<string, string> = new Map([
  ['jpg', 'image/jpeg'],
  ['pdf', 'application/pdf'],
  ['txt', 'text/plain'],
])
const USUAL: { readonly [Kind in Media['kind']]: string } = {
  image: 'image/jpeg',
  audio: 'audio/mpeg',
  video: 'video/mp4',
  document: 'application/pdf',
}

/** By the extension of the name if that fits the kind, otherwise the usual type. */
function guessMime(uri: string, { kind, source }: Media): string {
  const ending = /\.([a-z0-9]+)(?:[?#]|$)/i.exec(uri)?.[1]?.toLowerCase() ?? ''
  const mime = MIME_OF.get(ending) ?? `${kind}/${ending}`
  return isAccepted(mime) && kindOf(mime, source) === kind ? mime : USUAL[kind]
}

/**
 * Refuses a request with inline media of a type that genai does not list if the target has no place for it. In the turns of the model,
 * media of any type may not be allowed: there it is a loss.
 */
export function refuseUnplaced({ messages }: ModelRequest, losses: Losses, locate: Locate): void {
  if (!messages.some(({ parts }) => parts.some(isUnlisted))) return
  const dropped = new Set(losses.entries().map(({ kind, path }) => (kind === 'dropped' ? path.join('.') : '')))
  for (const [index, { role, parts }] of messages.entries()) {
    if (role !== 'user') continue
    for (const [position, part] of parts.entries()) {
      if (!isUnlisted(part)) continue
      const path = ['messages', index, 'parts', position]
      if (!dropped.has(path.join('.')) && !dropped.has(`messages.${index}`)) continue
      const param = locate([...path, 'source', 'mime'], 'dropped').join('.')
      throw new DragomanError('invalid-request', `${param}: this model does not take ${part.source.mime}.`, { param })
    }
  }
}

/** Inline media of a type that the protocol does not list. */
function isUnlisted(part: Part): part is Media & { readonly source: Extract<Source, { readonly kind: 'base64' }> } {
  return part.type === 'media' && part.source.kind === 'base64' && !isAccepted(part.source.mime)
}

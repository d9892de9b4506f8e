import { keepExtras, nest, restore } from '../../ir/extras.ts'
import { reportForeignExtras } from '../../ir/foreign-extras.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Source } from '../../ir/part.ts'
import type { BlockedVideos, GeneratedVideo, VideoOperation, VideoState } from '../../ir/video.ts'
import { standardBase64 } from '../../lib/base64.ts'
import { isObject, listOf, merge, numberOf, objectOf, optionalString, stringOf } from '../../lib/json.ts'
import type { EncodeContext } from '../context.ts'
import { ISSUER, NAME } from './schema.ts'
import type { WireOperation, WireSample, WireVideo, WireVideos } from './video-schema.ts'
import { decodeStatus, encodeStatus } from './video-status.ts'

const MP4 = 'video/mp4'

/** An operation of Vertex AI or of the Gemini API. */
export function decodeOperation(wire: WireOperation): VideoOperation {
  const { name, done, response, error, ...rest } = wire
  const named = stringOf(name)
  if (isObject(error))
    return { name: named, state: { status: 'failed', error: decodeStatus(error) }, ...keepExtras(NAME, rest) }
  if (done !== true) return { name: named, state: { status: 'running' }, ...keepExtras(NAME, rest) }
  const { state, rest: left } = decodeVideos(objectOf(response))
  return { name: named, state, ...keepExtras(NAME, nest(rest, 'response', left)) }
}

function decodeVideos(wire: WireVideos): { readonly state: VideoState; readonly rest: object } {
  const { videos, raiMediaFilteredCount, raiMediaFilteredReasons, generateVideoResponse, ...rest } = wire
  const {
    generatedSamples,
    raiMediaFilteredCount: count,
    raiMediaFilteredReasons: reasons,
    ...samplesRest
  } = objectOf(generateVideoResponse)
  const blocked = decodeBlocked(raiMediaFilteredCount ?? count, raiMediaFilteredReasons ?? reasons)
  const generated = [
    ...listOf(videos).flatMap(decodeVideo),
    ...listOf(generatedSamples).flatMap((sample) => decodeSample(objectOf(sample))),
  ]
  return {
    state: { status: 'done', videos: generated, ...(blocked === undefined ? {} : { blocked }) },
    rest: { ...samplesRest, ...rest },
  }
}

function decodeBlocked(count: unknown, reasons: readonly string[] | undefined): BlockedVideos | undefined {
  const why = listOf(reasons).map((reason) => optionalString(reason) ?? JSON.stringify(reason))
  const blocked = numberOf(count) ?? why.length
  return blocked > 0 || why.length > 0 ? { count: blocked, reasons: why } : undefined
}

function decodeVideo(wire: WireVideo): GeneratedVideo[] {
  const { gcsUri, bytesBase64Encoded, mimeType, ...rest } = objectOf(wire)
  const source = decodeSource(gcsUri, bytesBase64Encoded, mimeType)
  return source === undefined ? [] : [{ source, ...privacyOf(source), ...keepExtras(NAME, rest) }]
}

/** The files of the Gemini API are opened with its key. */
function decodeSample({ video, ...others }: { readonly video?: WireSample }): GeneratedVideo[] {
  const { uri, encodedVideo, encoding, ...rest } = objectOf(video)
  const source = decodeSource(uri, encodedVideo, encoding)
  if (source === undefined) return []
  return [{ source, ...(source.kind === 'url' ? { private: true } : {}), ...keepExtras(NAME, { ...others, ...rest }) }]
}

function decodeSource(uri: unknown, data: unknown, type: unknown): Source | undefined {
  const mime = optionalString(type) ?? MP4
  if (typeof data === 'string') return { kind: 'base64', mime, data: standardBase64(data) }
  if (typeof uri !== 'string' || uri === '') return undefined
  return linkOf(uri, mime)
}

/** Everyone can open a URL; buckets belong to the issuer. */
function linkOf(uri: string, mime: string): Source {
  return isLink(uri) ? { kind: 'url', url: uri, mime } : { kind: 'file', issuer: ISSUER, id: uri, mime }
}

function isLink(uri: string): boolean {
  return /^https?:\/\//i.test(uri)
}

function privacyOf(source: Source): Pick<GeneratedVideo, 'private'> {
  const isPrivate = source.kind === 'url' && /^https:\/\/generativelanguage\.googleapis\.com\//i.test(source.url)
  return isPrivate ? { private: true } : {}
}

/** In the form of Vertex AI, which the specification has. */
export function encodeOperation(operation: VideoOperation, { losses }: EncodeContext): WireOperation {
  const { name, state, extras } = operation
  reportForeignExtras(extras, NAME, losses)
  const at = losses.at('state')
  switch (state.status) {
    case 'running':
      return restore(NAME, operation, { name })
    case 'failed':
      return restore(NAME, operation, { name, done: true, error: encodeStatus(state.error, at.at('error')) })
    case 'done': {
      const { videos, blocked } = state
      const wires = videos.flatMap((video, index) => encodeVideo(video, at.at('videos', index)) ?? [])
      const response: WireVideos = {
        videos: wires,
        ...(blocked === undefined
          ? {}
          : { raiMediaFilteredCount: blocked.count, raiMediaFilteredReasons: blocked.reasons }),
      }
      return restore(NAME, operation, { name, done: true, response })
    }
    default:
      return state satisfies never
  }
}

/** Undefined and reported if the caller could not open it. */
function encodeVideo(video: GeneratedVideo, losses: Losses): WireVideo | undefined {
  const { source } = video
  const location = video.private === true || source === undefined ? undefined : locationOf(source)
  if (location === undefined) {
    losses.dropped([], 'the caller cannot open it')
    return undefined
  }
  reportForeignExtras(video.extras, NAME, losses)
  const { mime } = location
  if (mime === undefined) losses.added(['source', 'mime'], MP4, 'genai has the type of every video')
  const { changed } = location
  if (changed !== undefined) losses.changed(['source'], changed, 'genai distinguishes files and URLs by their names')
  return merge({ ...location.wire, mimeType: mime ?? MP4 }, video.extras?.[NAME])
}

interface Location {
  readonly wire: WireVideo
  readonly mime: string | undefined
  /** How the wire is read, if that is another kind of source. */
  readonly changed?: Source
}

function locationOf(source: Source): Location | undefined {
  switch (source.kind) {
    case 'base64':
      return { wire: { bytesBase64Encoded: source.data }, mime: source.mime }
    case 'url':
    case 'file': {
      if (source.kind === 'file' && source.issuer !== ISSUER) return undefined
      const uri = source.kind === 'url' ? source.url : source.id
      const wire = { gcsUri: uri }
      const isSame = isLink(uri) === (source.kind === 'url')
      if (isSame) return { wire, mime: source.mime }
      const mime = source.mime ?? MP4
      return { wire, mime, changed: linkOf(uri, mime) }
    }
    default:
      return undefined
  }
}

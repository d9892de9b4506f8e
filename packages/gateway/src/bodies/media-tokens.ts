import type { Media } from '@dragoman/core'
import { base64Problem, decodeBase64, type DataUrl } from '@dragoman/core/provider'
import { bytesAt, imageArea } from './image-area.ts'
import { textTokens } from './text-tokens.ts'

/**
 * An image costs about a token per 750 pixels at most vendors, as large as it is: 14,400 for twelve megapixels (2026). Gemini takes 1,120 for each
 * image, or 2,240 if it is asked for the highest resolution.
 */
const PIXELS_PER_TOKEN = 750
const LEAST_PER_IMAGE = 1120
const FINEST_PER_IMAGE = 2240
const MOST_PER_IMAGE = 16_000
/** For media by address, and for images whose size is not known. */
export const UNSEEN: { readonly [Kind in Media['kind']]: number } = {
  image: 5000,
  audio: 10_000,
  video: 10_000,
  document: 10_000,
}
/**
 * Bytes per token, so few that speech, quiet films and texts of low quality are not underestimated: audio of 32 kbit/s with 32 tokens a second, films of
 * 1 Mbit/s with 300, pages of 50 KB with 3,000.
 */
const BYTES_PER_TOKEN = { audio: 125, video: 400, document: 16 } as const

/** What is known of media. Without data, it is named by an address or an id. */
export interface SizedMedia {
  readonly kind: Media['kind']
  readonly data?: DataUrl | undefined
  readonly detail?: unknown
}

/** Estimates the tokens of media. Undefined if its data is not what it says: then it is text. */
export function mediaTokens({ kind, data, detail }: SizedMedia): number | undefined {
  if (data === undefined) return UNSEEN[kind]
  const mime = data.mime.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (kind === 'document' && TEXTS.test(mime)) return tokensOfText(data.data)
  const isKnown = isOfKind(kind, mime) && SIGNATURES[kind].test(bytesAt(data.data, 0, SIGNED))
  if (!isKnown || base64Problem(data.data) !== undefined) return undefined
  if (kind === 'image') return imageTokens(data.data, detail)
  return Math.ceil((data.data.length * 0.75) / BYTES_PER_TOKEN[kind])
}

/** Types that upstreams read as text. */
const TEXTS = /^(?:text\/|application\/(?:json|xml|javascript|typescript|x-[a-z]+|yaml|rtf|csv|sql)$)/
/** The beginning of a file. Some PDFs do not begin with their mark. */
const SIGNED = 1020
const SIGNATURES: { readonly [Kind in Media['kind']]: RegExp } = {
  // PNG, JPEG, GIF, WebP, BMP, TIFF, HEIC and AVIF.
  image: /^(?:\x89PNG|\xff\xd8\xff|GIF8|RIFF[^]{4}WEBP|BM|II\*\0|MM\0\*|[^]{4}ftyp)/,
  // WAV, AIFF, MP3 with and without a tag, AAC, Ogg, FLAC, MP4, WebM.
  audio: /^(?:RIFF[^]{4}WAVE|FORM|ID3|\xff[\xe0-\xff]|ADIF|OggS|fLaC|[^]{4}ftyp|[^]E\xdf\xa3)/,
  // MP4 and QuickTime, WebM, AVI, MPEG, FLV, WMV.
  video:
    /^(?:[^]{4}(?:ftyp|moov|mdat|wide|free|skip)|[^]E\xdf\xa3|RIFF[^]{4}AVI |\0\0[^][\xb3\xba]|G[^]{187}G|FLV|\x30\x26\xb2\x75)/,
  document: /%PDF-/,
}

function isOfKind(kind: Media['kind'], mime: string): boolean {
  return kind === 'document' ? mime === 'application/pdf' : mime.startsWith(`${kind}/`)
}

function tokensOfText(base64: string): number | undefined {
  const text = decodeBase64(base64)
  return text === undefined ? undefined : textTokens(text)
}

function imageTokens(base64: string, detail: unknown): number {
  const area = imageArea(base64)
  const least = typeof detail === 'string' && /ultra_high$/i.test(detail) ? FINEST_PER_IMAGE : LEAST_PER_IMAGE
  if (area === undefined) return UNSEEN.image
  return Math.min(MOST_PER_IMAGE, Math.max(least, Math.ceil(area / PIXELS_PER_TOKEN)))
}

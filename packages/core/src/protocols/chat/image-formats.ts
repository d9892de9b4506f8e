import { imageTypeOf } from '../../lib/data-url.ts'

/** `png` as a media type. A format that is not known here is one too. */
export function decodeFormat(word: string | null | undefined): string | undefined {
  if (word == null || word === '') return undefined
  return word === 'svg' ? 'image/svg+xml' : `image/${word === 'jpg' ? 'jpeg' : word}`
}

/** The reverse; undefined for a media type that is not an image's. */
export function encodeFormat(type: string | undefined): string | undefined {
  if (type === 'image/svg+xml') return 'svg'
  return type?.startsWith('image/') === true ? type.slice('image/'.length) : undefined
}

/** The media type of an image in an answer: the wire has none for each image. Its first bytes count more than the format of the answer. */
export function typeOf(base64: string, format: string | undefined): string {
  return imageTypeOf(base64) ?? format ?? 'image/png'
}

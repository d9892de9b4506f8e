import { refine, text } from './grammar/schema.ts'

/** The two halves of a base64 data URL; the data is never decoded. */
export interface DataUrl {
  readonly mime: string
  readonly data: string
}

const MARK = ';base64,'

/** Undefined for anything but `data:<mime>;base64,<data>`. */
export function parseDataUrl(url: string): DataUrl | undefined {
  if (!url.startsWith('data:')) return undefined
  const mark = url.indexOf(MARK)
  if (mark < 0 || mark > 200) return undefined
  return { mime: url.slice(5, mark), data: url.slice(mark + MARK.length) }
}

/** The data of a file: a data URL, or the plain base64 of a PDF. Undefined for the URL of a file. */
export function parseFileData(data: string): DataUrl | undefined {
  return parseDataUrl(data) ?? (isUrl(data) ? undefined : { mime: 'application/pdf', data })
}

/** Whether a text begins as a URL does. Base64 has no colon. */
export function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(text)
}

/** The reverse of `parseDataUrl`. */
export function formatDataUrl({ mime, data }: DataUrl): string {
  return `data:${mime}${MARK}${data}`
}

/** How the base64 of each format begins. */
const STARTS: readonly (readonly [start: RegExp, mime: string])[] = [
  [/^iVBORw0KGgo/, 'image/png'],
  [/^\/9j\//, 'image/jpeg'],
  // RIFF, four bytes of length, WEBP.
  [/^UklGR.{7}RUJQ/, 'image/webp'],
  [/^R0lGOD/, 'image/gif'],
]

/** The media type of an image, by the first bytes of its base64; undefined if it is not one of the usual formats. */
export function imageTypeOf(base64: string): string | undefined {
  const head = base64.slice(0, 20)
  return STARTS.find(([start]) => start.test(head))?.[1]
}

/** The same by its first bytes. */
export function imageTypeOfBytes(bytes: Uint8Array): string | undefined {
  return imageTypeOf(btoa(String.fromCharCode(...bytes.subarray(0, 15))))
}

/** The grammar of data that is base64 without a media type. Only its beginning is looked at: it can be many megabytes long. */
export const inlineData = refine(text, (data) => !isUrl(data), 'is a URL, not base64')

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

/** The reverse of `parseDataUrl`. */
export function formatDataUrl({ mime, data }: DataUrl): string {
  return `data:${mime}${MARK}${data}`
}

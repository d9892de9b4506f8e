/**
 * The media type of a file: what its server says, or what its first bytes say if that is more. Upstreams refuse an image with the
 * name of another format.
 */
export function mediaTypeOf(bytes: Uint8Array, header: string | undefined): string | undefined {
  const declared = declaredType(header)
  const inside = typeInside(bytes)
  const isImage = inside?.startsWith('image/') === true || declared?.startsWith('image/') === true
  return declared === undefined || isImage ? (inside ?? declared) : declared
}

/** The media type of a `content-type` header; undefined if it says nothing. */
export function declaredType(header: string | undefined): string | undefined {
  const type = header?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return /^[^/\s]+\/[^/\s]+$/.test(type) && !UNKNOWN.has(type) ? type : undefined
}

/** Whether a list such as `image/*` and `application/pdf` has this type. */
export function isWanted(type: string, accept: readonly string[]): boolean {
  return accept.some((entry) => (entry.endsWith('/*') ? type.startsWith(entry.slice(0, -1)) : type === entry))
}

/** What servers say about files that they do not know. */
const UNKNOWN: ReadonlySet<string> = new Set(['application/octet-stream', 'binary/octet-stream', 'application/unknown'])

/** Text at the beginning of a file, each at its offset; `?` is any character. */
const SIGNATURES: readonly (readonly [offset: number, text: string, type: string])[] = [
  [0, '\u0089PNG\r\n\u001a\n', 'image/png'],
  [0, '\u00ff\u00d8\u00ff', 'image/jpeg'],
  [0, 'GIF87a', 'image/gif'],
  [0, 'GIF89a', 'image/gif'],
  [0, 'RIFF????WEBP', 'image/webp'],
  [4, 'ftypavif', 'image/avif'],
  [4, 'ftypheic', 'image/heic'],
  [0, '%PDF-', 'application/pdf'],
  [0, 'RIFF????WAVE', 'audio/wav'],
  [0, 'ID3', 'audio/mpeg'],
  [0, 'fLaC', 'audio/flac'],
  [4, 'ftypisom', 'video/mp4'],
  [4, 'ftypmp42', 'video/mp4'],
]

function typeInside(bytes: Uint8Array): string | undefined {
  const begins = (offset: number, text: string): boolean =>
    text.split('').every((char, index) => char === '?' || bytes[offset + index] === char.charCodeAt(0))
  return SIGNATURES.find(([offset, text]) => begins(offset, text))?.[2]
}

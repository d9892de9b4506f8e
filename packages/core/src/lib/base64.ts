/** Base64 of the UTF-8 bytes of a text. */
export function encodeBase64(text: string): string {
  if (isAscii(text)) return btoa(text)
  const bytes = new TextEncoder().encode(text)
  let binary = ''
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192))
  return btoa(binary)
}

function isAscii(text: string): boolean {
  // Cheaper than encoding, which most seals and ids do not need.
  return !/[^\p{ASCII}]/u.test(text)
}

/** Reads both base64 alphabets. Undefined for anything that is not base64 of UTF-8. */
export function decodeBase64(base64: string): string | undefined {
  try {
    const binary = atob(base64.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Base64 of the bytes of all pieces: padding is only at its end. Pieces that are not base64 are joined as they are. */
export function joinBase64(pieces: readonly string[]): string {
  const isPadded = pieces.slice(0, -1).some((piece) => piece.endsWith('='))
  try {
    return isPadded ? btoa(pieces.map((piece) => atob(piece)).join('')) : pieces.join('')
  } catch {
    return pieces.join('')
  }
}

/**
 * Base64 in the standard alphabet, padded and without white space: Python's genai SDK writes the URL-safe alphabet, other clients leave
 * out the padding or break lines, and upstreams need not accept that. Returns the same string if it is already right.
 */
export function standardBase64(base64: string): string {
  const text = isPlain(base64) ? base64 : base64.replace(/-/g, '+').replace(/_/g, '/').replace(/\s+/g, '')
  const surplus = text.length % 4
  return surplus < 2 ? text : text + '='.repeat(4 - surplus) // one character too many is not base64, and is left unchanged
}

/** Data can be megabytes long: searching for one character is much faster than a regular expression. */
function isPlain(base64: string): boolean {
  return base64.length < 1024 ? !/[-_\s]/.test(base64) : UNUSUAL.every((character) => !base64.includes(character))
}

/** The characters that JSON writers put into base64. */
const UNUSUAL = ['-', '_', '\n', '\r', ' ', '\t']

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
    if (isAscii(binary)) return binary
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
  if (base64.length >= PIECE && isStandardBase64(base64)) return base64
  const text = /[-_\s]/.test(base64) ? base64.replace(/-/g, '+').replace(/_/g, '/').replace(/\s+/g, '') : base64
  const surplus = text.length % 4
  return surplus < 2 ? text : text + '='.repeat(4 - surplus) // one character too many is not base64, and is left unchanged
}

const PIECE = 1 << 15

/**
 * Whether a text is base64 in the standard alphabet, padded and without white space. Data can be many megabytes long, so it is decoded in
 * pieces that are thrown away again: `atob` is ten times faster than a regular expression or a loop, and 32 KB at a time need no memory.
 */
export function isStandardBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false
  for (let start = 0; start < text.length; start += PIECE) {
    const piece = text.slice(start, start + PIECE)
    const isLast = start + PIECE >= text.length
    const padding = isLast && piece.endsWith('=') ? (piece.endsWith('==') ? 2 : 1) : 0
    // White space is not decoded, nor is padding before the end of a piece.
    if (decodedLength(piece) !== (piece.length / 4) * 3 - padding) return false
  }
  return true
}

function decodedLength(piece: string): number | undefined {
  try {
    return atob(piece).length
  } catch {
    return undefined
  }
}

/**
 * The problem of a text that is not base64, of either alphabet; undefined if it is. White space and missing padding are accepted, as
 * `standardBase64` accepts them.
 */
export function base64Problem(text: string): string | undefined {
  if (isStandardBase64(text)) return undefined
  const wrong = text.search(/[^A-Za-z0-9+/\-_=\s]/)
  if (wrong >= 0) return `is not base64: wrong character at position ${wrong}`
  const standard = standardBase64(text)
  const padding = standard.indexOf('=')
  if (padding >= 0 && (padding < standard.length - 2 || !standard.endsWith('='))) {
    return 'is not base64: padding before its end'
  }
  return standard.length % 4 === 0 ? undefined : 'is not base64: wrong length'
}

import { standardBase64 } from './base64.ts'

/** A multiple of 4, so that every piece of valid base64 is valid. */
const PIECE = 1 << 16

/**
 * The problem of a text that is not base64, of either alphabet; undefined if it is. White space and missing padding are accepted, as
 * `standardBase64` accepts them. Data can be many megabytes long, so it is read in pieces that are thrown away again: `atob` is ten times
 * faster than a regular expression or a loop, and 64 KB at a time need no memory.
 */
export function base64Problem(text: string): string | undefined {
  for (let start = 0; start < text.length; start += PIECE) {
    const piece = text.slice(start, start + PIECE)
    const isLast = start + PIECE >= text.length
    if (!isBase64(piece) || (!isLast && piece.endsWith('='))) return problemFrom(text, start)
  }
  return undefined
}

function isBase64(piece: string): boolean {
  try {
    atob(piece)
    return true
  } catch {
    return false
  }
}

/** Of a text that is not plain base64 from here on; everything before is. */
function problemFrom(text: string, start: number): string | undefined {
  const wrong = text.slice(start).search(/[^A-Za-z0-9+/\-_=\s]/)
  if (wrong >= 0) return `is not base64: wrong character at position ${start + wrong}`
  const standard = standardBase64(text)
  const padding = standard.indexOf('=')
  if (padding >= 0 && (padding < standard.length - 2 || !standard.endsWith('='))) {
    return 'is not base64: padding before its end'
  }
  return standard.length % 4 === 0 ? undefined : 'is not base64: wrong length'
}

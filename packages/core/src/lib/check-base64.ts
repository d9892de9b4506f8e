import { isStandardBase64, standardBase64 } from './base64.ts'

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

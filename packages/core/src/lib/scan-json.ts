export const QUOTE = 34
export const COMMA = 44
export const COLON = 58
export const OPEN_LIST = 91
export const BACKSLASH = 92
export const CLOSE_LIST = 93
export const OPEN = 123
export const CLOSE = 125

/** From the colon to the comma or brace that ends the member. */
export function scanValue(
  bytes: Uint8Array,
  from: number,
): { readonly start: number; readonly end: number; readonly next: number } {
  let depth = 0
  let start = -1
  let end = from
  let i = from
  while (i < bytes.length) {
    const code = bytes[i] ?? 0
    if (depth === 0 && (code === COMMA || code === CLOSE)) break
    if (code > 32 && start < 0) start = i
    if (code === QUOTE) i = endOfString(bytes, i)
    else {
      if (code === OPEN || code === OPEN_LIST) depth++
      else if (code === CLOSE || code === CLOSE_LIST) depth--
      i++
    }
    if (code > 32) end = i
  }
  return { start, end, next: i }
}

/** The index after the closing quote. A quote ends the string if an even number of backslashes is before it. */
export function endOfString(bytes: Uint8Array, start: number): number {
  for (let quote = bytes.indexOf(QUOTE, start + 1); quote >= 0; quote = bytes.indexOf(QUOTE, quote + 1)) {
    let before = quote - 1
    while (bytes[before] === BACKSLASH) before--
    if ((quote - before) % 2 === 1) return quote + 1
  }
  return bytes.length
}

import { parseJson } from './json.ts'

export const QUOTE = 34
export const COMMA = 44
export const COLON = 58
export const OPEN_LIST = 91
const BACKSLASH = 92
export const CLOSE_LIST = 93
export const OPEN = 123
export const CLOSE = 125

/** A range of bytes. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The values of a member of the object that opens at a position: every occurrence, also one with escapes in its name. */
export function valuesOf(bytes: Uint8Array, open: number, key: string): readonly Span[] {
  const found: Span[] = []
  eachMember(bytes, open, (name, value) => {
    if (value.start >= 0 && isString(key, bytes, name.start, name.end)) found.push(value)
  })
  return found
}

/** Scans the members of the object that opens at a position: the name from quote to quote, and the value. */
export function eachMember(bytes: Uint8Array, open: number, visit: (name: Span, value: Span) => void): void {
  let i = open + 1
  for (;;) {
    while (bytes[i] !== QUOTE) {
      if (bytes[i] === CLOSE || i >= bytes.length) return
      i++
    }
    const name = { start: i, end: endOfString(bytes, i) }
    i = name.end
    while (i < bytes.length && bytes[i] !== COLON) i++
    const value = scanValue(bytes, i + 1)
    i = value.next
    visit(name, value)
  }
}

/** Has no state between calls, and costs more to create than to use. */
const UTF8 = new TextDecoder()

/** Whether the string from quote to quote reads as this ASCII text. Only a string with an escape needs parsing. */
export function isString(text: string, bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start + 1; i < end - 1; i++)
    if (bytes[i] === BACKSLASH) return parseJson(UTF8.decode(bytes.subarray(start, end))) === text
  if (text.length !== end - start - 2) return false
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== bytes[start + 1 + i]) return false
  return true
}

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

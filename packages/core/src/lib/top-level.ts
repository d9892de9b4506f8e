/** Top-level members to set (JSON text) or to take out (null). */
export type Edits = { readonly [key: string]: string | null }

/**
 * Edits the top level of a JSON object in the sender's own bytes, so that numbers, spacing and key order elsewhere stay as they
 * were. Give it bytes that JSON.parse has accepted; every structural character is ASCII, so nothing needs decoding.
 *
 * Every occurrence of an edited key counts, also when it is spelled with escapes: JSON.parse takes the last of several, other
 * parsers the first, and a request must not be admitted for one model and answered by another.
 */
export function editTopLevel(bytes: Uint8Array, edits: Edits): Uint8Array {
  const done = new Set<string>()
  const kept: Uint8Array[][] = []
  for (const member of members(bytes)) {
    const edit = Object.hasOwn(edits, member.key) ? edits[member.key] : undefined
    if (edit === undefined) kept.push([bytes.subarray(member.start, member.valueEnd)])
    else if (edit !== null && !done.has(member.key)) {
      kept.push([bytes.subarray(member.start, member.valueStart), ENCODER.encode(edit)])
    }
    done.add(member.key)
  }
  for (const [key, value] of Object.entries(edits)) {
    if (value !== null && !done.has(key)) kept.push([ENCODER.encode(`${JSON.stringify(key)}:${value}`)])
  }
  return joinMembers(kept)
}

/** Keeps no state between calls, and costs more to make than to use. */
const ENCODER = new TextEncoder()

interface Member {
  readonly key: string
  readonly start: number
  readonly valueStart: number
  readonly valueEnd: number
}

const QUOTE = 34
const COMMA = 44
const COLON = 58
const OPEN_LIST = 91
const BACKSLASH = 92
const CLOSE_LIST = 93
const OPEN = 123
const CLOSE = 125

function members(bytes: Uint8Array): Member[] {
  const found: Member[] = []
  let i = bytes.indexOf(OPEN) + 1
  for (;;) {
    while (bytes[i] !== QUOTE) {
      if (bytes[i] === CLOSE || i >= bytes.length) return found
      i++
    }
    const start = i
    i = endOfString(bytes, i)
    const key = nameOf(bytes.subarray(start, i))
    while (i < bytes.length && bytes[i] !== COLON) i++
    const value = scanValue(bytes, i + 1)
    i = value.next
    found.push({ key, start, valueStart: value.start, valueEnd: value.end })
  }
}

/** From behind the colon to the comma or brace that ends the member. */
function scanValue(
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

/** The key as JSON.parse would read it. Most are short and plain, and need no decoder. */
function nameOf(literal: Uint8Array): string {
  let name = ''
  for (let i = 1; i < literal.length - 1; i++) {
    const code = literal[i] ?? 0
    if (code === BACKSLASH || code > 0x7e || i > 64) return String(JSON.parse(new TextDecoder().decode(literal)))
    name += String.fromCharCode(code)
  }
  return name
}

/** Index after the closing quote. A quote ends the string when an even number of backslashes stands before it. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let quote = bytes.indexOf(QUOTE, start + 1); quote >= 0; quote = bytes.indexOf(QUOTE, quote + 1)) {
    let before = quote - 1
    while (bytes[before] === BACKSLASH) before--
    if ((quote - before) % 2 === 1) return quote + 1
  }
  return bytes.length
}

function joinMembers(members: readonly (readonly Uint8Array[])[]): Uint8Array {
  const length = members.reduce((sum, pieces) => sum + pieces.reduce((part, piece) => part + piece.length, 1), 1)
  const joined = new Uint8Array(Math.max(length, 2))
  joined[0] = OPEN
  let at = 1
  for (const [index, pieces] of members.entries()) {
    if (index > 0) joined[at++] = COMMA
    for (const piece of pieces) {
      joined.set(piece, at)
      at += piece.length
    }
  }
  joined[at] = CLOSE
  return joined
}

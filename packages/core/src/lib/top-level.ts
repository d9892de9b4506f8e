import { joinBytes } from './frames.ts'
import type { JsonObject } from './json.ts'
import { CLOSE, COLON, COMMA, eachMember, isString, OPEN, QUOTE, scanValue, type Span } from './scan-json.ts'
import { utf8Length } from './utf8-offset.ts'

/** Top-level members to set (JSON text) or to remove (null). */
export type Edits = { readonly [key: string]: string | null }

/** The bytes of a body, already parsed: most members are then found by a search that is much faster than a scan. */
export interface Parsed {
  readonly text: string
  /** The result of JSON.parse for the text, unchanged. */
  readonly json: JsonObject
}

/**
 * Edits the top level of a JSON object in the sender's own bytes, so that numbers, spacing and key order stay unchanged elsewhere.
 * Scans every byte, and so finds every member in any spelling. The bytes must be accepted by JSON.parse; every structural character is
 * ASCII, so nothing needs decoding.
 *
 * Every occurrence of an edited key is edited, also one with escapes: JSON.parse uses the last of several, other parsers the first, and a
 * request must not be admitted for one model and answered by another.
 */
export function editTopLevel(bytes: Uint8Array, edits: Edits): Uint8Array {
  const keys = Object.keys(edits)
  if (keys.length === 0) return bytes
  const done = new Set<string>()
  const pieces: Uint8Array[] = []
  const add = (piece: Uint8Array, text: string): void => {
    pieces.push(pieces.length === 0 ? BEGIN : BETWEEN, piece)
    if (text !== '') pieces.push(ENCODER.encode(text))
  }
  eachMember(bytes, bytes.indexOf(OPEN), ({ start, end }, value) => {
    const key = keys.find((each) => isString(each, bytes, start, end))
    if (key === undefined) return add(bytes.subarray(start, value.end), '')
    const edit = edits[key] ?? null
    if (edit !== null && !done.has(key)) add(bytes.subarray(start, value.start), edit)
    done.add(key)
  })
  for (const key of keys) {
    const edit = edits[key] ?? null
    if (edit !== null && !done.has(key)) add(ENCODER.encode(JSON.stringify(key)), `:${edit}`)
  }
  if (pieces.length === 0) pieces.push(BEGIN)
  return joinBytes([...pieces, END])
}

const BEGIN = Uint8Array.of(OPEN)
const BETWEEN = Uint8Array.of(COMMA)
const END = Uint8Array.of(CLOSE)
/** Has no state between calls, and costs more to create than to use. */
export const ENCODER: Encoder = new TextEncoder()

/** For declarations: not every consumer has the type `TextEncoder`. */
interface Encoder {
  encode(text: string): Uint8Array
  encodeInto(text: string, bytes: Uint8Array): { readonly written: number }
}

/** Bytes to remove, and their replacement. */
export interface Cut {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The bytes with the cuts made; the same bytes if there are none. */
export function applyCuts(bytes: Uint8Array, cuts: readonly Cut[]): Uint8Array {
  if (cuts.length === 0) return bytes
  let room = bytes.length
  for (const { text } of cuts) room += LONGEST_UNIT * text.length
  const joined = new Uint8Array(room)
  let at = 0
  let from = 0
  for (const { start, end, text } of cuts) {
    joined.set(bytes.subarray(from, start), at)
    at += start - from
    at += ENCODER.encodeInto(text, joined.subarray(at)).written
    from = end
  }
  joined.set(bytes.subarray(from), at)
  return joined.subarray(0, at + bytes.length - from)
}

/** Bytes of a UTF-16 unit in UTF-8. */
const LONGEST_UNIT = 3

/**
 * The same edits as positions in the bytes, in order; undefined if only a scan can find the members. A member of the parsed object is at its top
 * level. If its quoted name occurs once in the whole text, and no escape can spell it, that position is the member: there is no second
 * one, and no string or nested member has the name.
 */
export function findCuts(bytes: Uint8Array, edits: Edits, { text, json }: Parsed): readonly Cut[] | undefined {
  const cuts: Cut[] = []
  let added = ''
  let stays: Cut | undefined
  let outs = 0
  let isFirstOut = false
  for (const key in edits) {
    const edit = edits[key] ?? null
    if (!Object.hasOwn(json, key)) {
      if (edit !== null) added += `,${JSON.stringify(key)}:${edit}`
      continue
    }
    const found = PLAIN.test(key) ? findMember(bytes, text, key) : undefined
    if (found === undefined) return undefined
    if (edit === null) {
      outs++
      isFirstOut ||= bytes[found.before] === OPEN
      cuts.push(takenOut(bytes, found))
    } else {
      if (stays !== undefined) cuts.push(stays)
      stays = { start: found.start, end: found.end, text: edit }
    }
  }
  if (outs === 0 && stays === undefined && added === '') return []
  // New members follow a member that stays. If the first of several is removed, the commas would have to be rearranged.
  if (stays === undefined || (isFirstOut && outs > 1) || mayHide(text)) return undefined
  cuts.push({ start: stays.start, end: stays.end, text: stays.text + added })
  return cuts.sort((left, right) => left.start - right.start)
}

/** Names that can be spelled differently only with an escape of a printable ASCII character. */
const PLAIN = /^\w+$/
const HIDING = /\\u00[2-7]/

function mayHide(text: string): boolean {
  // Most texts have no such number, and most others no such escape.
  return text.includes('00') && text.includes('\\u00') && HIDING.test(text)
}

interface Found {
  /** The start of its name, and of its value. */
  readonly name: number
  readonly start: number
  readonly end: number
  /** The position of the comma or brace after it. */
  readonly next: number
  /** The position of the comma or brace before it. */
  readonly before: number
}

/** The value of the only member with this name; undefined if there is none, or if only a scan can find it. The name has word characters only. */
export function findOnly(bytes: Uint8Array, key: string, { text, json }: Parsed): Span | undefined {
  return Object.hasOwn(json, key) && !mayHide(text) ? findMember(bytes, text, key) : undefined
}

/** The only member with this name; undefined if its quoted name occurs more than once. */
function findMember(bytes: Uint8Array, text: string, key: string): Found | undefined {
  const found = onlyIndex(text, key)
  const name = found < 0 ? -1 : byteOffset(bytes, text, found)
  // In an answer with bytes that are not UTF-8, the text has another length.
  if (bytes[name] !== QUOTE || !isString(key, bytes, name, name + key.length + 2)) return undefined
  let before = name - 1
  while (before > 0 && bytes[before] !== COMMA && bytes[before] !== OPEN) before--
  const colon = bytes.indexOf(COLON, name + key.length)
  return { name, before, ...scanValue(bytes, colon + 1) }
}

/** The position of the only quoted name; -1 if there is none, or more than one. */
function onlyIndex(text: string, key: string): number {
  const quoted = `"${key}"`
  // A search stops at every first character of its pattern. Quotes are rare in long strings and nowhere else.
  const skipped = hasLongStrings(text) ? 0 : Math.max(1, quoted.length - PATTERN)
  const pattern = quoted.slice(skipped, skipped + PATTERN)
  let found = -1
  for (let i = text.indexOf(pattern); i >= 0; i = text.indexOf(pattern, i + 1)) {
    if (!text.startsWith(quoted, i - skipped)) continue
    if (found >= 0) return -1
    found = i - skipped
  }
  return found
}

/** The longest pattern for which V8 only searches for its first character, which is many times faster than its other ways. */
const PATTERN = 6

/** Whether none of its samples is a quote. Of a short text, the samples say nothing. */
function hasLongStrings(text: string): boolean {
  const step = text.length >> 6
  for (let i = step; i < text.length; i += step) if (step < SAMPLED || text[i] === '"') return false
  return true
}

/** The least distance of samples. */
const SAMPLED = 64

/** Counted from the nearer end. A byte order mark at the beginning is not in the text. */
function byteOffset(bytes: Uint8Array, text: string, index: number): number {
  if (bytes.length === text.length) return index
  const isNearStart = index * 2 < text.length && bytes[0] !== BYTE_ORDER_MARK
  return isNearStart ? utf8Length(text.slice(0, index)) : bytes.length - utf8Length(text.slice(index))
}

/** The first byte of one. */
const BYTE_ORDER_MARK = 0xef

/** A member is removed with the comma before it; the first one with the comma after it. */
function takenOut(bytes: Uint8Array, { name, end, next, before }: Found): Cut {
  if (bytes[before] === COMMA) return { start: before, end, text: '' }
  return { start: name, end: bytes[next] === COMMA ? next + 1 : end, text: '' }
}

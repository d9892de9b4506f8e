import type { JsonObject } from './json.ts'
import { CLOSE, COMMA, eachMember, isString, OPEN, COLON, scanValue } from './scan-json.ts'
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
 * The bytes must be accepted by JSON.parse; every structural character is ASCII, so nothing needs decoding.
 *
 * Every occurrence of an edited key is edited, also one with escapes: JSON.parse uses the last of several, other parsers the first, and a
 * request must not be admitted for one model and answered by another.
 */
export function editTopLevel(bytes: Uint8Array, edits: Edits, parsed?: Parsed): Uint8Array {
  const cuts = parsed === undefined ? undefined : findCuts(bytes, edits, parsed)
  return cuts === undefined ? editByScan(bytes, edits) : applyCuts(bytes, cuts)
}

/** The same result in pieces, most of which are views of the sender's own bytes: a large body is not copied for a small edit. */
export function cutTopLevel(bytes: Uint8Array, edits: Edits, parsed: Parsed): readonly Uint8Array[] {
  const cuts = findCuts(bytes, edits, parsed)
  if (cuts === undefined) return [editByScan(bytes, edits)]
  const pieces: Uint8Array[] = []
  let from = 0
  for (const { start, end, text } of cuts) {
    pieces.push(bytes.subarray(from, start))
    if (text !== '') pieces.push(ENCODER.encode(text))
    from = end
  }
  pieces.push(bytes.subarray(from))
  return pieces
}

function applyCuts(bytes: Uint8Array, cuts: readonly Cut[]): Uint8Array {
  if (cuts.length === 0) return bytes
  let room = bytes.length
  for (const { start, end, text } of cuts) room += LONGEST_UNIT * text.length - (end - start)
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

/** Scans every byte, and so finds every member in any spelling. */
function editByScan(bytes: Uint8Array, edits: Edits): Uint8Array {
  const wanted: Wanted[] = []
  for (const key in edits) wanted.push({ key, edit: edits[key] ?? null, done: false })
  if (wanted.length === 0) return bytes
  const pieces: Piece[] = []
  eachMember(bytes, bytes.indexOf(OPEN), ({ start, end }, value) => {
    const found = findWanted(wanted, bytes, start, end)
    if (found === undefined) pieces.push({ start, end: value.end })
    else if (found.edit !== null && !found.done) pieces.push({ start, end: value.start, text: found.edit })
    if (found !== undefined) found.done = true
  })
  return assemble(bytes, pieces, wanted)
}

interface Wanted {
  readonly key: string
  readonly edit: string | null
  done: boolean
}

/** A range of the sender's bytes, and the text that follows it. */
interface Piece {
  readonly start: number
  readonly end: number
  readonly text?: string
}

/** Has no state between calls, and costs more to create than to use. */
const ENCODER = new TextEncoder()
/** Bytes of a UTF-16 unit in UTF-8. */
const LONGEST_UNIT = 3

/** The edit for the key between two quotes, as JSON.parse would read it. */
function findWanted(wanted: readonly Wanted[], bytes: Uint8Array, start: number, end: number): Wanted | undefined {
  for (const each of wanted) if (isString(each.key, bytes, start, end)) return each
  return undefined
}

/** The pieces with commas between them, and the new members. */
function assemble(bytes: Uint8Array, pieces: readonly Piece[], wanted: readonly Wanted[]): Uint8Array {
  const joined = new Uint8Array(bytes.length + roomFor(wanted))
  let at = 0
  const write = (text: string): void => {
    at += ENCODER.encodeInto(text, joined.subarray(at)).written
  }
  for (const { start, end, text } of pieces) {
    joined[at] = at === 0 ? OPEN : COMMA
    joined.set(bytes.subarray(start, end), at + 1)
    at += end - start + 1
    if (text !== undefined) write(text)
  }
  for (const { key, edit, done } of wanted) {
    if (edit === null || done) continue
    joined[at] = at === 0 ? OPEN : COMMA
    at++
    write(`${JSON.stringify(key)}:${edit}`)
  }
  if (at === 0) joined[at++] = OPEN
  joined[at++] = CLOSE
  return joined.subarray(0, at)
}

/** More than the edits can need: a UTF-16 unit is at most three bytes, and a key may be written with escapes. */
function roomFor(wanted: readonly Wanted[]): number {
  let room = 8
  for (const { key, edit } of wanted) if (edit !== null) room += 6 * key.length + LONGEST_UNIT * edit.length + 4
  return room
}

/** Bytes to remove, and their replacement. */
interface Cut {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * The positions of the edited members, in order; undefined if only a scan can find them. A member of the parsed object is at its top
 * level. If its quoted name occurs once in the whole text, and no escape can spell it, that position is the member: there is no second
 * one, and no string or nested member has the name.
 */
function findCuts(bytes: Uint8Array, edits: Edits, { text, json }: Parsed): readonly Cut[] | undefined {
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
  cuts.push({ ...stays, text: stays.text + added })
  return cuts.toSorted((left, right) => left.start - right.start)
}

/** Names that can be spelled differently only with an escape of a printable ASCII character. */
const PLAIN = /^\w+$/
const HIDING = /\\u00[2-7]/

function mayHide(text: string): boolean {
  return text.includes('00') && HIDING.test(text)
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

/** The only member with this name; undefined if its quoted name occurs more than once. */
function findMember(bytes: Uint8Array, text: string, key: string): Found | undefined {
  // Without the first quote: a search for it would stop at every string.
  const pattern = `${key}"`
  let found = -1
  for (let i = text.indexOf(pattern); i >= 0; i = text.indexOf(pattern, i + 1)) {
    if (text[i - 1] !== '"') continue
    if (found >= 0) return undefined
    found = i - 1
  }
  if (found < 0) return undefined
  const name = byteOffset(bytes, text, found)
  let before = name - 1
  while (before > 0 && bytes[before] !== COMMA && bytes[before] !== OPEN) before--
  const colon = bytes.indexOf(COLON, name + key.length)
  return { name, before, ...scanValue(bytes, colon + 1) }
}

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

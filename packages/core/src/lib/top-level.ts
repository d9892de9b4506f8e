import type { Edits, Parsed } from './edits.ts'
import { findCuts, type Cut } from './member-cuts.ts'
import { CLOSE, COMMA, eachMember, isString, OPEN } from './scan-json.ts'

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

import type { Edits, Parsed } from './edits.ts'
import { COLON, COMMA, OPEN, scanValue } from './scan-json.ts'
import { utf8Length } from './utf8-offset.ts'

/** Bytes to remove, and their replacement. */
export interface Cut {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * The positions of the edited members, in order; undefined if only a scan can find them. A member of the parsed object is at its top
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

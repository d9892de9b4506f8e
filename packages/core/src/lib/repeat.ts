import { isObject, parseJson } from './json.ts'

/**
 * Recognizes an event that differs from the previous one in only one string: then only the string needs parsing. The counterpart of
 * `template`. This is exact, not a guess: the text around the string is compared completely, and in JSON any string can replace
 * another.
 */
export interface Repeat<Event> {
  /** The string of an event that repeats the learned one; undefined for any other event. */
  text(data: string): string | undefined
  /** Learns an event by its string, if that occurs once. `read` finds the string in a parsed event. */
  learn(data: string, text: string | undefined, read: (event: Event) => string | undefined): void
  forget(): void
}

/** A value that differs from event to event: where it begins and ends in the learned one. */
interface Hole {
  readonly start: number
  readonly end: number
  /** Undefined for the string that is read. */
  readonly member?: string
  readonly isNumber?: boolean
}

const PLAIN = /^"[^"\\\p{Cc}]*"$/u
const PROBE = '\u0001probe\u0001'
const PROBE_NUMBER = 6_007_012

/**
 * A memory for one stream, empty until it learns an event. `unread` names members of the event that are not read and may differ too:
 * strings, and whole numbers from 0.
 */
export function createRepeat<Event>(unread: readonly string[] = []): Repeat<Event> {
  let before = ''
  let after = ''
  let holes: readonly Hole[] = []
  let pieces: readonly string[] = [] // the text around the holes, if there are several

  const severalText = (data: string): string | undefined => {
    let text: string | undefined
    let at = 0
    for (let index = 0; index < holes.length; index++) {
      const piece = pieces[index] ?? ''
      const hole = holes[index]
      const start = at + piece.length
      if (hole === undefined || data.slice(at, start) !== piece) return undefined
      at = hole.isNumber ? endOfNumber(data, start) : endOfString(data, start)
      if (at < 0) return undefined
      if (hole.isNumber) continue
      const value = stringOf(data.slice(start, at))
      if (value === undefined) return undefined
      if (hole.member === undefined) text = value
    }
    return data.slice(at) === after ? text : undefined
  }
  return {
    text(data) {
      if (before === '') return undefined
      if (holes.length > 1) return severalText(data)
      const end = data.length - after.length
      if (end < before.length + 2) return undefined
      // Slices are compared as memory; startsWith and endsWith go character by character.
      if (data.slice(end) !== after || data.slice(0, before.length) !== before) return undefined
      return stringOf(data.slice(before.length, end))
    },
    learn(data, text, read) {
      if (text === undefined || text === '') return
      const literal = JSON.stringify(text)
      const start = data.indexOf(literal)
      if (start < 1 || data.includes(literal, start + 1)) return
      const found: Hole[] = [{ start, end: start + literal.length }]
      for (const member of unread) {
        const hole = holeOf(data, member)
        if (hole !== undefined) found.push(hole)
      }
      found.sort((one, other) => one.start - other.start)
      if (found.some((hole, index) => hole.start < (found[index - 1]?.end ?? 1))) return
      const around = found.map((hole, index) => data.slice(found[index - 1]?.end ?? 0, hole.start))
      const tail = data.slice(found.at(-1)?.end)
      const probed = parseJson(around.map((piece, index) => piece + probeOf(found[index])).join('') + tail)
      if (!isObject(probed) || read(probed as Event) !== PROBE) return // an event like the one just read
      if (
        found.some(
          ({ member, isNumber }) => member !== undefined && probed[member] !== (isNumber ? PROBE_NUMBER : PROBE),
        )
      )
        return
      before = around[0] ?? ''
      after = tail
      holes = found
      pieces = around
    },
    forget() {
      before = ''
    },
  }
}

/** The value of a string literal; undefined if it is not one. */
function stringOf(quoted: string): string | undefined {
  if (PLAIN.test(quoted)) return quoted.slice(1, -1)
  const text = parseJson(quoted)
  return typeof text === 'string' ? text : undefined
}

const ZERO = 48
const NINE = 57
const QUOTE = 34
const BACKSLASH = 92
const SPACE = 32

/** A range that looks like the value of a member. The probe shows whether it is. */
function holeOf(data: string, member: string): Hole | undefined {
  const key = `"${member}":`
  const found = data.indexOf(key)
  if (found < 0) return undefined
  let start = found + key.length
  while (data.charCodeAt(start) === SPACE) start++
  const isNumber = data.charCodeAt(start) !== QUOTE
  const end = isNumber ? endOfNumber(data, start) : endOfString(data, start)
  return end < 0 ? undefined : { start, end, member, isNumber }
}

function probeOf(hole: Hole | undefined): string {
  return JSON.stringify(hole?.isNumber ? PROBE_NUMBER : PROBE)
}

/** The end of a whole number that begins here; -1 if there is none. */
function endOfNumber(data: string, start: number): number {
  let end = start
  for (let code = data.charCodeAt(end); code >= ZERO && code <= NINE; code = data.charCodeAt(end)) end++
  return end === start || (end > start + 1 && data.charCodeAt(start) === ZERO) ? -1 : end
}

/** The end of a string that begins here; -1 if there is none. */
function endOfString(data: string, start: number): number {
  if (data.charCodeAt(start) !== QUOTE) return -1
  let quote = data.indexOf('"', start + 1)
  while (quote >= 0 && isEscaped(data, quote)) quote = data.indexOf('"', quote + 1)
  return quote < 0 ? -1 : quote + 1
}

function isEscaped(data: string, quote: number): boolean {
  let backslash = quote - 1
  while (data.charCodeAt(backslash) === BACKSLASH) backslash--
  return (quote - backslash) % 2 === 0
}

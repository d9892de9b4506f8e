import { joinBytes, type OutgoingBody } from '@dragoman/core/provider'
import { randomId } from '../ports.ts'

/**
 * A JSON body without its long strings: a short stand-in is in the place of each. It is parsed, checked and translated like any other
 * body, and at the end the bytes of the strings are put back, so that megabytes of base64 never become text.
 */
export interface ShortBody {
  readonly bytes: Uint8Array
  /** Puts the strings back into a JSON text: in pieces, most of which are views of the body's own bytes. */
  fill(text: string): OutgoingBody
  /** A value whose strings are whole again, for code that needs them as text. */
  restore<T>(value: T): T
}

/** Shorter strings cost less than their stand-ins. */
const LONG = 64 * 1024
/** How much of a string its stand-in begins with: enough to know a file by its first bytes. */
const KEPT = 1024
/** A body with more strings is not one of a few large files. */
const MOST_STRINGS = 20_000
const QUOTE = 34
const BACKSLASH = 92
const EQUALS = 61

/** Cuts out long strings of base64, after a check of every character. */
export function shortenRequest(bytes: Uint8Array): ShortBody {
  return shorten(bytes, isBase64)
}

/** The same for an answer of an upstream, which is trusted: only what the cut itself needs is checked. */
export function shortenAnswer(bytes: Uint8Array): ShortBody {
  return shorten(bytes, isPlain)
}

type Test = (bytes: Uint8Array, start: number, end: number) => boolean

function shorten(bytes: Uint8Array, isCut: Test): ShortBody {
  const cuts = bytes.length < LONG ? [] : findCuts(bytes, isCut)
  if (cuts.length === 0) return { bytes, fill: (text) => text, restore: (value) => value }
  const id = randomId()
  const marks = cuts.map((cut, index) => ({ ...cut, mark: id + index.toString(16).padStart(MARK - id.length, '0') }))
  return {
    bytes: joinBytes(shortPieces(bytes, marks)),
    fill: (text) => fill(bytes, marks, id, text),
    restore: (value) => restore(value, (text) => whole(bytes, marks, id, text)),
  }
}

/** The part of a string that is left out. */
interface Range {
  readonly start: number
  readonly end: number
}

interface Marked extends Range {
  readonly mark: string
}

/** The length of a mark. It is base64 itself, and a multiple of four: a stand-in is padded rightly if its string is. */
const MARK = 36

function findCuts(bytes: Uint8Array, isCut: Test): Range[] {
  const cuts: Range[] = []
  let visited = 0
  for (let quote = bytes.indexOf(QUOTE); quote >= 0 && visited < MOST_STRINGS; visited++) {
    const start = quote + 1
    let end = bytes.indexOf(QUOTE, start)
    while (end >= 0 && isEscaped(bytes, start, end) && visited++ < MOST_STRINGS) end = bytes.indexOf(QUOTE, end + 1)
    if (end < 0) break
    const range = end - start < LONG ? undefined : cutOf(bytes, start, end)
    if (range !== undefined && isCut(bytes, range.start, range.end)) cuts.push(range)
    quote = bytes.indexOf(QUOTE, end + 1)
  }
  return cuts
}

function isEscaped(bytes: Uint8Array, start: number, end: number): boolean {
  let before = end
  while (before > start && bytes[before - 1] === BACKSLASH) before--
  return (end - before) % 2 === 1
}

/** Without the padding, and with as many characters as make the stand-in as long as the string, modulo four. */
function cutOf(bytes: Uint8Array, start: number, end: number): Range {
  let last = end
  while (end - last < 2 && bytes[last - 1] === EQUALS) last--
  return { start: start + KEPT + ((last - start) % 4), end: last }
}

/** One for every character of base64. */
const IS_BASE64 = Uint8Array.from({ length: 256 }, (_, code) =>
  /[A-Za-z0-9+/]/.test(String.fromCharCode(code)) ? 1 : 0,
)

function isBase64(bytes: Uint8Array, start: number, end: number): boolean {
  let all = 1
  for (let at = start; at < end; at++) all &= IS_BASE64[bytes[at] as number] as number // within both
  return all === 1
}

const ASCII_END = 128

/** A cut must not be inside an escape or a character, and the URL-safe alphabet of base64 must be translated. */
function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  const range = bytes.subarray(start - KEPT, end)
  const isAscii = (bytes[start - 1] ?? 0) < ASCII_END && (bytes[start] ?? 0) < ASCII_END
  return isAscii && [BACKSLASH, HYPHEN, UNDERSCORE].every((code) => range.indexOf(code) < 0)
}

const HYPHEN = 45
const UNDERSCORE = 95
const UTF8 = new TextEncoder()
/** Base64 is ASCII, which this decodes without a look at each byte. */
const LATIN = new TextDecoder('latin1')

function shortPieces(bytes: Uint8Array, marks: readonly Marked[]): Uint8Array[] {
  const pieces: Uint8Array[] = []
  let from = 0
  for (const { start, end, mark } of marks) {
    pieces.push(bytes.subarray(from, start), UTF8.encode(mark))
    from = end
  }
  return [...pieces, bytes.subarray(from)]
}

function fill(bytes: Uint8Array, marks: readonly Marked[], id: string, text: string): OutgoingBody {
  const pieces: Uint8Array[] = []
  eachMark(marks, id, text, (before, found) => {
    if (before !== '') pieces.push(UTF8.encode(before))
    if (found !== undefined) pieces.push(bytes.subarray(found.start, found.end))
  })
  return pieces
}

function whole(bytes: Uint8Array, marks: readonly Marked[], id: string, text: string): string {
  let filled = ''
  eachMark(marks, id, text, (before, found) => {
    filled += before
    if (found !== undefined) filled += LATIN.decode(bytes.subarray(found.start, found.end))
  })
  return filled
}

/** Calls `use` for each mark with the text before it, and for the rest of the text. */
function eachMark(
  marks: readonly Marked[],
  id: string,
  text: string,
  use: (before: string, found: Marked | undefined) => void,
): void {
  let from = 0
  for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, from)) {
    const mark = text.slice(at, at + MARK)
    use(
      text.slice(from, at),
      marks.find((each) => each.mark === mark),
    )
    from = at + MARK
  }
  use(text.slice(from), undefined)
}

function restore<T>(value: T, wholeText: (text: string) => string): T {
  const copy = (node: unknown): unknown => {
    if (typeof node === 'string') return node.length < KEPT ? node : wholeText(node)
    if (Array.isArray(node)) return node.map(copy)
    if (typeof node !== 'object' || node === null) return node
    return Object.fromEntries(Object.entries(node).map(([key, each]) => [copy(key), copy(each)]))
  }
  return copy(value) as T // the same shape
}

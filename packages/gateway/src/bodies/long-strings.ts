import { createShortBody, holesOf, KEPT, type Hole, type ShortBody } from './short-body.ts'

/** Shorter strings cost less than their stand-ins. */
const LONG = 64 * 1024
/** A body with more strings is not one of a few large files. */
const MOST_STRINGS = 20_000
const QUOTE = 34
const BACKSLASH = 92
const COMMA = 44

/** Cuts long strings of base64 out of a JSON body, after a check of every character. */
export function shortenRequest(bytes: Uint8Array): ShortBody {
  return shorten(bytes, isBase64)
}

/** The same for an answer of an upstream, which is trusted: only what the cut itself needs is checked. */
export function shortenAnswer(bytes: Uint8Array): ShortBody {
  return shorten(bytes, isPlain)
}

/** The same for an answer that is relayed as it is: its strings are not looked at. */
export function shortenRelayed(bytes: Uint8Array): ShortBody {
  return shorten(bytes, isWholeCut)
}

type Test = (bytes: Uint8Array, start: number, end: number) => boolean

function shorten(bytes: Uint8Array, isCut: Test): ShortBody {
  const cuts = bytes.length < LONG ? [] : findCuts(bytes, isCut)
  const holes = holesOf(cuts.map(({ start, end }) => ({ base64: bytes.subarray(start, end) })))
  return createShortBody(cuts.length === 0 ? [bytes] : shortPieces(bytes, cuts, holes), holes)
}

/** The part of a string that is left out. */
interface Range {
  readonly start: number
  readonly end: number
}

function findCuts(bytes: Uint8Array, isCut: Test): Range[] {
  const cuts: Range[] = []
  let visited = 0
  for (let quote = bytes.indexOf(QUOTE); quote >= 0 && visited < MOST_STRINGS; visited++) {
    const start = quote + 1
    let end = bytes.indexOf(QUOTE, start)
    while (end >= 0 && isEscaped(bytes, start, end) && visited++ < MOST_STRINGS) end = bytes.indexOf(QUOTE, end + 1)
    if (end < 0) break
    const range = end - start < LONG ? undefined : rangeOf(bytes, start, end)
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

/** From one group of four characters to another, so that the bytes of what is left are the same. Padding is left. */
function rangeOf(bytes: Uint8Array, start: number, end: number): Range {
  const from = dataStart(bytes, start) + KEPT
  return { start: from, end: end - 4 - ((end - from) % 4) }
}

const DATA = Array.from('data:', (char) => char.charCodeAt(0))
/** The longest beginning of a data URL. */
const LONGEST_TYPE = 256

function dataStart(bytes: Uint8Array, start: number): number {
  if (!DATA.every((code, index) => bytes[start + index] === code)) return start
  const comma = bytes.subarray(start, start + LONGEST_TYPE).indexOf(COMMA)
  return comma < 0 ? start : start + comma + 1
}

/** Has a one for every character of base64. */
const IS_BASE64 = Uint8Array.from({ length: 256 }, (_, code) =>
  /[A-Za-z0-9+/]/.test(String.fromCharCode(code)) ? 1 : 0,
)

function isBase64(bytes: Uint8Array, start: number, end: number): boolean {
  let all = 1
  for (let at = start; at < end; at++) all &= IS_BASE64[bytes[at] as number] as number // within both
  return all === 1
}

const ASCII_END = 128
/** The longest escape: \\u0041. */
const ESCAPE = 6

/** A cut must not be inside an escape or a character. */
function isWholeCut(bytes: Uint8Array, start: number, end: number): boolean {
  return [start, end].every((at) => {
    const before = bytes.subarray(at - ESCAPE, at)
    return (bytes[at] ?? 0) < ASCII_END && before.every((code) => code < ASCII_END && code !== BACKSLASH)
  })
}

/** The URL-safe alphabet of base64 must be translated. */
function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  const range = bytes.subarray(start - KEPT, end)
  return isWholeCut(bytes, start, end) && [HYPHEN, UNDERSCORE].every((code) => range.indexOf(code) < 0)
}

const HYPHEN = 45
const UNDERSCORE = 95
const UTF8 = new TextEncoder()

function shortPieces(bytes: Uint8Array, cuts: readonly Range[], holes: readonly Hole[]): Uint8Array[] {
  const pieces: Uint8Array[] = []
  let from = 0
  for (const [index, { start, end }] of cuts.entries()) {
    pieces.push(bytes.subarray(from, start), UTF8.encode(holes[index]?.mark))
    from = end
  }
  return [...pieces, bytes.subarray(from)]
}

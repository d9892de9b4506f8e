import type { Draft } from './draft.ts'

const LF = 10
const CR = 13

/** A frame larger than this is none of ours: 64 MiB holds any image in base64. */
const LIMIT = 64 * 1024 * 1024

/** Cuts the bytes of an event stream behind each blank line, whatever its line ends. */
export interface Frames {
  /** The complete frames that end in this chunk; the very same bytes when nothing was waiting. A frame without end throws a RangeError. */
  push(chunk: Uint8Array): readonly Uint8Array[]
  /** How many bytes wait for a blank line. */
  readonly waiting: number
  /** What is left without a blank line. */
  rest(): Uint8Array | undefined
}

/** Every byte is looked at once: a large frame costs no more in many chunks than in one. */
export function createFrames(limit = LIMIT): Frames {
  let held: Uint8Array[] = []
  let empty = true // nothing stands on the line yet
  let returned = false // the last byte was a CR, and the LF that may belong to it is yet to come
  const ends: LineEnds = { lf: UNKNOWN, cr: UNKNOWN }

  const frames: Draft<Frames> = {
    waiting: 0,
    push(chunk) {
      const found: Uint8Array[] = []
      let start = 0
      const cut = (end: number) => {
        const last = chunk.subarray(start, end)
        found.push(held.length === 0 ? last : joinBytes([...held, last]))
        if (held.length > 0) held = []
        frames.waiting = 0
        start = end
      }
      let line = 0
      ends.lf = UNKNOWN
      ends.cr = UNKNOWN
      if (returned && chunk.length > 0) {
        line = chunk[0] === LF ? 1 : 0
        returned = false
        if (empty) cut(line)
        empty = true
      }
      for (let end = nextLineEnd(ends, chunk, line); end >= 0; end = nextLineEnd(ends, chunk, line)) {
        empty &&= end === line
        line = end + 1
        returned = chunk[end] === CR && line === chunk.length
        if (returned) break
        if (chunk[end] === CR && chunk[line] === LF) line++
        if (empty) cut(line)
        empty = true
      }
      if (line < chunk.length) empty = false
      if (start < chunk.length) held.push(start === 0 ? chunk : chunk.subarray(start))
      frames.waiting += chunk.length - start
      if (frames.waiting > limit) throw new RangeError(`a frame of more than ${limit} bytes`)
      return found
    },
    rest: () => (held.length === 0 ? undefined : joinBytes(held)),
  }
  return frames
}

export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces
  if (only !== undefined && pieces.length === 1) return only
  const joined = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    joined.set(piece, at)
    at += piece.length
  }
  return joined
}

/** Where the next line end of each kind stands in a chunk; -1: there is none. */
interface LineEnds {
  lf: number
  cr: number
}

/** Not looked for yet. */
const UNKNOWN = -2

/** Line ends in the order they come. What was found, or not found, of one kind is not searched for again. */
function nextLineEnd(ends: LineEnds, bytes: Uint8Array, from: number): number {
  if (ends.lf !== -1 && ends.lf < from) ends.lf = bytes.indexOf(LF, from)
  if (ends.cr !== -1 && ends.cr < from) ends.cr = bytes.indexOf(CR, from)
  const { lf, cr } = ends
  return cr < 0 || (lf >= 0 && lf < cr) ? lf : cr
}

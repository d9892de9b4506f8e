import type { Draft } from './members.ts'

const LF = 10
const CR = 13

/** The largest frame: 64 MiB is enough for any image in base64. */
const LIMIT = 64 * 1024 * 1024

/** Cuts the bytes of an event stream after each blank line, for all line ends. */
export interface Frames {
  /** The complete frames that end in this chunk; the same bytes if nothing was buffered. A frame without an end throws a RangeError. */
  push(chunk: Uint8Array): readonly Uint8Array[]
  /** The number of bytes that wait for a blank line. */
  readonly waiting: number
  /** The rest without a blank line. */
  rest(): Uint8Array | undefined
}

/** Every byte is examined once: a large frame costs no more in many chunks than in one. */
export function createFrames(limit = LIMIT): Frames {
  let held: Uint8Array[] = []
  let empty = true // the line is still empty
  let returned = false // the last byte was a CR, and its LF may still come
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

/** The pieces as one; a single piece as it is, without a copy. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces
  return only !== undefined && pieces.length === 1 ? only : fill(new Uint8Array(sizeOf(pieces)), pieces)
}

function sizeOf(pieces: readonly Uint8Array[]): number {
  let size = 0
  for (const piece of pieces) size += piece.length
  return size
}

function fill(joined: Uint8Array, pieces: readonly Uint8Array[]): Uint8Array {
  let at = 0
  for (const piece of pieces) {
    joined.set(piece, at)
    at += piece.length
  }
  return joined
}

/** The size of the blocks of `createJoiner`. Results of up to a quarter of it share a block. */
const BLOCK = 2048

/** Joins pieces like `joinBytes`, small ones in shared blocks: a buffer for each of them costs more than the copy. */
export function createJoiner(): (pieces: readonly Uint8Array[]) => Uint8Array {
  let block: Uint8Array | undefined
  let at = BLOCK
  return (pieces) => {
    const size = sizeOf(pieces)
    if (pieces.length === 1 || size > BLOCK / 4) return joinBytes(pieces)
    if (block === undefined || at + size > BLOCK) {
      block = new Uint8Array(BLOCK)
      at = 0
    }
    at += size
    return fill(block.subarray(at - size, at), pieces)
  }
}

/** The next line end of each kind in a chunk; -1 if there is none. */
interface LineEnds {
  lf: number
  cr: number
}

/** Not searched yet. */
const UNKNOWN = -2

/** Line ends in order. A search result of one kind is kept, also if nothing was found. */
function nextLineEnd(ends: LineEnds, bytes: Uint8Array, from: number): number {
  if (ends.lf !== -1 && ends.lf < from) ends.lf = bytes.indexOf(LF, from)
  if (ends.cr !== -1 && ends.cr < from) ends.cr = bytes.indexOf(CR, from)
  const { lf, cr } = ends
  return cr < 0 || (lf >= 0 && lf < cr) ? lf : cr
}

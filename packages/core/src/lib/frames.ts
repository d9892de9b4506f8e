import type { Draft } from './draft.ts'

const LF = 10
const CR = 13

/** Cuts the bytes of an event stream behind each blank line, whatever its line ends. */
export interface Frames {
  /** The complete frames that end in this chunk; the very same bytes when nothing was waiting. */
  push(chunk: Uint8Array): readonly Uint8Array[]
  /** What is left without a blank line. */
  readonly rest: Uint8Array | undefined
}

export function createFrames(): Frames {
  const frames: Draft<Frames> = {
    rest: undefined,
    push(chunk) {
      const bytes = frames.rest === undefined ? chunk : joinBytes([frames.rest, chunk])
      const found: Uint8Array[] = []
      let start = 0
      for (let end = frameEnd(bytes, start); end > 0; end = frameEnd(bytes, start)) {
        found.push(bytes.subarray(start, end))
        start = end
      }
      frames.rest = start === bytes.length ? undefined : bytes.subarray(start)
      return found
    },
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

/** Index behind the first blank line, or 0. A chunk that ends in a CR waits for the LF that may follow. */
function frameEnd(bytes: Uint8Array, from: number): number {
  let lineStart = from
  for (let i = nextLineEnd(bytes, from); i >= 0; i = nextLineEnd(bytes, lineStart)) {
    if (bytes[i] === CR && i + 1 === bytes.length) return 0
    const next = bytes[i] === CR && bytes[i + 1] === LF ? i + 2 : i + 1
    if (i === lineStart) return next
    lineStart = next
  }
  return 0
}

function nextLineEnd(bytes: Uint8Array, from: number): number {
  const lf = bytes.indexOf(LF, from)
  const cr = bytes.indexOf(CR, from)
  return cr < 0 || (lf >= 0 && lf < cr) ? lf : cr
}

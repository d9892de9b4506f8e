import { joinBytes } from './frames.ts'

const QUOTE = 34
const BACKSLASH = 92
const LETTER_U = 117
const LF = 10

/** The bytes of a string that are kept: a size, a name or an error message fits. */
const KEPT = 1024

type State = 'outside' | 'inside' | 'skipping'

/** Leaves out what is long in JSON text, or in the frames of a stream of JSON. */
export interface Skim {
  /** The chunk without the rest of long strings, in pieces. */
  push(chunk: Uint8Array): readonly Uint8Array[]
}

/**
 * What remains is JSON with its long strings cut short, so that an answer with megabytes of base64 can be parsed for its few other
 * members. The bytes of a long string are only searched for its end. A line end, which JSON strings do not have, also ends one: text
 * that is not JSON, such as a comment in a stream, cannot hide what follows.
 */
export function createSkim(kept = KEPT): Skim {
  let state = 'outside' as State
  let length = 0 // the bytes of the string so far
  let escaped = 0 // the bytes that still belong to an escape sequence

  /** The position after the part of a string that is kept; the chunk's length if it goes on. */
  const keepString = (chunk: Uint8Array, from: number): number => {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at] as number // within the chunk
      if (byte === LF || (byte === QUOTE && escaped === 0)) {
        state = 'outside'
        return at + (byte === QUOTE ? 1 : 0)
      }
      if (escaped === 1 && byte === LETTER_U) escaped = 4
      else if (escaped > 0) escaped--
      else if (length >= kept && (byte & 0xc0) !== 0x80) {
        // Not inside an escape sequence, and not inside a character.
        state = 'skipping'
        return at
      } else if (byte === BACKSLASH) escaped = 1
      length++
    }
    return chunk.length
  }

  /** The position of the quote or line end that ends a skipped string; the chunk's length if it goes on. */
  const skipString = (chunk: Uint8Array, from: number): number => {
    let at = from
    for (;;) {
      const quote = chunk.indexOf(QUOTE, at)
      const end = quote < 0 ? chunk.length : quote
      const line = chunk.subarray(at, end).indexOf(LF)
      if (line >= 0) return finish(at + line)
      escaped = backslashes(chunk, at, end, escaped)
      if (quote < 0) return end
      if (escaped === 0) return finish(quote)
      escaped = 0
      at = quote + 1
    }
  }
  const finish = (at: number): number => {
    state = 'inside' // its last byte is kept
    escaped = 0
    return at
  }

  const isSkipping = (): boolean => state === 'skipping'

  return {
    push(chunk) {
      const pieces: Uint8Array[] = []
      let start = 0
      let at = 0
      while (at < chunk.length) {
        if (state === 'skipping') start = at = skipString(chunk, at)
        else if (state === 'inside') {
          at = keepString(chunk, at)
          if (isSkipping() && at > start) pieces.push(chunk.subarray(start, at))
        } else {
          const quote = chunk.indexOf(QUOTE, at)
          at = quote < 0 ? chunk.length : quote + 1
          if (quote >= 0) state = 'inside'
          length = escaped = 0
        }
      }
      if (!isSkipping() && at > start) pieces.push(chunk.subarray(start, at))
      return pieces
    },
  }
}

/** Whether the byte at `end` is escaped: by an odd number of backslashes before it. `before` is that of the byte at `start`. */
function backslashes(bytes: Uint8Array, start: number, end: number, before: number): number {
  let at = end
  while (at > start && bytes[at - 1] === BACKSLASH) at--
  const count = end - at
  return at === start ? (count + before) % 2 : count % 2
}

/** The text of an answer or a frame, with its long strings cut short. */
export interface SkimmedText {
  push(chunk: Uint8Array): void
  /** The text since the last call; empty if there was too much of it. */
  take(): string
}

/** The most bytes that are kept. */
const MOST = 1 << 20
/** Has no state between calls, and costs more to create than to use. */
const UTF8 = new TextDecoder()

/** Collects what a skim leaves. */
export function createSkimmedText(): SkimmedText {
  const skim = createSkim()
  let pieces: Uint8Array[] = []
  let size = 0
  return {
    push(chunk) {
      for (const piece of skim.push(chunk)) {
        size += piece.length
        if (size <= MOST) pieces.push(piece)
      }
    },
    take() {
      const text = size > MOST ? '' : UTF8.decode(joinBytes(pieces))
      pieces = []
      size = 0
      return text
    },
  }
}

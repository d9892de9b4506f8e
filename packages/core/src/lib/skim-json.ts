import { parseJson, type Json } from './json.ts'

/** Reads JSON that arrives in pieces, without its long strings. */
export interface Skim {
  push(chunk: Uint8Array): void
  /** The value, with `LONG` instead of each long string; undefined for what is not JSON, or is too large without them. */
  end(): Json | undefined
}

/** Stands for a string that is too long to be kept. */
export const LONG = '…'

const QUOTE = 34
const BACKSLASH = 92
const LONGEST = 1024
const MOST = 1 << 20

/** Has no state between calls, and costs more to create than to use. */
const UTF8 = new TextDecoder()
const MARK = new TextEncoder().encode(LONG)

/** For answers with pictures: everything but the megabytes of base64 in them. */
export function createSkim(): Skim {
  let kept = new Uint8Array(4096)
  let size = 0
  /** The position after the quote of the open string. */
  let open: number | undefined
  /** The open string is too long. */
  let isLong = false
  /** An odd number of backslashes is before the next byte. */
  let isEscaped = false
  const append = (bytes: Uint8Array): void => {
    if (size > MOST) return
    if (size + bytes.length > kept.length) {
      const larger = new Uint8Array(Math.max(kept.length * 2, size + bytes.length))
      larger.set(kept.subarray(0, size))
      kept = larger
    }
    kept.set(bytes, size)
    size += bytes.length
  }
  const appendText = (bytes: Uint8Array, start: number): void => {
    if (isLong) return
    isLong = size - start + bytes.length > LONGEST
    if (!isLong) return append(bytes)
    size = start
    append(MARK)
  }
  return {
    push(chunk) {
      let from = 0
      while (from < chunk.length) {
        if (open === undefined) {
          const quote = chunk.indexOf(QUOTE, from)
          const end = quote < 0 ? chunk.length : quote + 1
          append(chunk.subarray(from, end))
          from = end
          if (quote >= 0) [open, isLong, isEscaped] = [size, false, false]
          continue
        }
        const { end, closed, escaped } = endOfText(chunk, from, isEscaped)
        appendText(chunk.subarray(from, end), open)
        isEscaped = escaped
        from = end
        if (closed) {
          append(chunk.subarray(end, end + 1))
          from = end + 1
          open = undefined
        }
      }
    },
    end: () => (size > MOST || open !== undefined ? undefined : parseJson(UTF8.decode(kept.subarray(0, size)))),
  }
}

interface TextEnd {
  readonly end: number
  readonly closed: boolean
  readonly escaped: boolean
}

/** The position of the quote that ends a string, or the end of the chunk. */
function endOfText(chunk: Uint8Array, from: number, isEscaped: boolean): TextEnd {
  let quote = chunk.indexOf(QUOTE, from)
  while (quote >= 0 && isEscapedAt(chunk, from, quote, isEscaped)) quote = chunk.indexOf(QUOTE, quote + 1)
  if (quote >= 0) return { end: quote, closed: true, escaped: false }
  return { end: chunk.length, closed: false, escaped: isEscapedAt(chunk, from, chunk.length, isEscaped) }
}

function isEscapedAt(chunk: Uint8Array, from: number, at: number, isEscaped: boolean): boolean {
  let before = at - 1
  while (before >= from && chunk[before] === BACKSLASH) before--
  const isOdd = (at - 1 - before) % 2 === 1
  return before < from && isEscaped ? !isOdd : isOdd
}

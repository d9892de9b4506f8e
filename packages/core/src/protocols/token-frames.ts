import { QUOTE } from '../lib/scan-json.ts'
import { ENCODER } from '../lib/top-level.ts'

/**
 * Frames of a stream that differ only in their tokens: literal bytes, and between them strings or numbers of which only the length can
 * matter. A frame of this kind is found by one comparison of its bytes: it needs no text, and no search for what it cannot contain.
 */
export interface TokenFrames {
  readonly literals: readonly Uint8Array[]
  /** Whether the string before the literal of this index is output. */
  readonly outputs: readonly boolean[]
  /** What the client gets instead of the first literal; undefined if it gets the frame as it is. */
  readonly head: Uint8Array | undefined
}

const INSIDE = String.raw`(?:[^"\\]|\\.)*`

/** Finds the strings of the members with these names: `text|thinking`. The end of a name is enough, and faster to search for. */
export function outputOf(names: string): RegExp {
  return new RegExp(`((?:${names})": ?")${INSIDE}`, 'g')
}

/** The characters of output in a frame, without parsing. */
export function outputLength(text: string, output: RegExp): number {
  return text.length - text.replace(output, '$1').length
}

/** Values that differ from frame to frame beside the output: noise against the measuring of tokens, and the number of an event. */
const VARIES = new RegExp(`(obfuscation": ?")${INSIDE}|("sequence_number": ?)\\d+`, 'g')
/** A frame has blank lines only at its end. */
const MARK = '\n\n\n'
const LF = 10

/**
 * Learns from one frame, which must have nothing of interest but output, and from what the client gets of it. Only for JSON: there, a
 * quote after the name of a member ends that name, and the next one begins its value. The quotes inside a value are escaped, so it cannot
 * contain what is searched for with its quotes.
 */
export function learnTokenFrames(
  frame: Uint8Array,
  text: string,
  out: Uint8Array,
  output: RegExp,
): TokenFrames | undefined {
  const parts = text.replace(output, `$1${MARK}`).replace(VARIES, `$1$2${MARK}`).split(MARK)
  const literals = parts.map((part) => ENCODER.encode(part))
  const outputs = parts.map((_, index) => !/obfuscation": ?"$/.test(parts[index - 1] ?? ''))
  const rest = frame.subarray(literals[0]?.length)
  const head = out.subarray(0, out.length - rest.length)
  const learned = { literals, outputs, head: out === frame ? undefined : head }
  // A frame that ends with CR can go on with LF. Nothing must be changed after the first value.
  const isLearned = parts.length > 1 && frame.at(-1) === LF && isEqual(rest, out.subarray(head.length))
  // It is not one of its own kind if it has a byte order mark, or bytes that are not UTF-8.
  return isLearned && tokenLength(learned, frame) >= 0 ? learned : undefined
}

/** The characters of output in a frame of this kind; -1 for any other bytes. Called for every token, so it allocates nothing. */
export function tokenLength({ literals, outputs }: TokenFrames, chunk: Uint8Array): number {
  let at = 0
  let length = 0
  for (let index = 0; index < literals.length; index++) {
    const literal = literals[index] as Uint8Array // within the list
    if (index > 0) {
      const isText = literal[0] === QUOTE
      let units = -at
      for (let byte = chunk[at] ?? 0; isText ? byte !== QUOTE : byte >= ZERO && byte <= NINE; byte = chunk[++at] ?? 0) {
        // A line end, or the end of the chunk.
        if (byte < 32) return -1
        if (byte === BACKSLASH && (chunk[at + 1] === QUOTE || chunk[at + 1] === BACKSLASH)) at++
        // A character of four bytes is two units, any other is one.
        else if (byte >= 0x80 && byte < 0xc0) units--
        else if (byte >= 0xf0) units++
      }
      if (isText && outputs[index] === true) length += units + at
    }
    for (let i = 0; i < literal.length; i++) if (literal[i] !== chunk[at++]) return -1
  }
  return at === chunk.length ? length : -1
}

const BACKSLASH = 92
const ZERO = 48
const NINE = 57

/** Whether two lists of bytes are the same. */
export function isEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index])
}

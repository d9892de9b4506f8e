/** Where the characters of a text stand in its UTF-8 bytes, and the other way round. */
export interface Offsets {
  /** How many bytes there are. */
  readonly bytes: number
  /** The byte at which a UTF-16 index stands; inside a surrogate pair, that of the pair. */
  byteAt(index: number): number
  /** The UTF-16 index at which a byte stands; undefined inside a character and behind the end. */
  indexAt(byte: number): number | undefined
}

/** Counted once, asked often: many places of one text cost no more than the text. */
export function createOffsets(text: string): Offsets {
  const { length } = text
  const bytes = utf8Length(text)
  if (bytes === length) {
    return { bytes, byteAt: (index) => index, indexAt: (byte) => (byte >= 0 && byte <= length ? byte : undefined) }
  }
  const starts = new Float64Array(length + 1)
  for (let i = 0, at = 0; i < length; i++) {
    const size = sizeAt(text, i)
    starts[i] = at
    if (size === 4) starts[++i] = at
    at += size
  }
  starts[length] = bytes
  return {
    bytes,
    byteAt: (index) => starts[index] ?? bytes,
    indexAt(byte) {
      let low = 0
      let high = length
      while (low < high) {
        const middle = (low + high) >> 1
        if ((starts[middle] ?? bytes) < byte) low = middle + 1
        else high = middle
      }
      return starts[low] === byte ? low : undefined
    },
  }
}

/** How many bytes a text has in UTF-8. Half a surrogate pair counts as the three bytes it is replaced by. */
export function utf8Length(text: string): number {
  let bytes = 0
  for (let i = 0; i < text.length; i++) {
    const size = sizeAt(text, i)
    if (size === 4) i++
    bytes += size
  }
  return bytes
}

/** The index itself, or that of the pair it would cut; never behind the end. */
export function wholeIndex(text: string, index: number): number {
  if (index >= text.length) return text.length
  return index > 0 && sizeAt(text, index - 1) === 4 ? index - 1 : Math.max(0, index)
}

function sizeAt(text: string, index: number): number {
  const code = text.charCodeAt(index)
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  const pair = code >= 0xd800 && code < 0xdc00 && isLow(text.charCodeAt(index + 1))
  return pair ? 4 : 3
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000
}

/** Converts between character positions of a text and positions in its UTF-8 bytes. The text may grow. */
export interface Offsets {
  /** The number of UTF-16 units and of bytes. Half a surrogate pair counts as the three bytes of its replacement. */
  readonly length: number
  readonly bytes: number
  add(text: string): void
  /** The byte position of a UTF-16 index; inside a surrogate pair, that of the pair. */
  byteAt(index: number): number
  /** The UTF-16 index of a byte position; undefined inside a character and after the end. */
  indexAt(byte: number): number | undefined
  /** The index itself, or that of the pair it would cut; never after the end. */
  wholeIndex(index: number): number
}

/** Counted once and used often: many positions of one text cost no more than the text. */
export function createOffsets(text = ''): Offsets {
  let starts: number[] | undefined // of each unit; empty while every unit is one byte
  let half = false // the last unit is the first half of a pair
  const startOf = (index: number): number => (starts === undefined ? index : (starts[index] ?? offsets.bytes))
  const addUnit = (code: number) => {
    const pairs = half && isLow(code)
    if (code >= 0x80) starts ??= Array.from({ length: offsets.length }, (_, index) => index)
    starts?.push(pairs ? offsets.bytes - 3 : offsets.bytes)
    offsets.length++
    offsets.bytes += pairs ? 1 : sizeOf(code)
    half = !pairs && isHigh(code)
  }
  const offsets = {
    length: 0,
    bytes: 0,
    add(more: string) {
      for (let index = 0; index < more.length; index++) addUnit(more.charCodeAt(index))
    },
    byteAt: startOf,
    indexAt(byte: number) {
      let low = 0
      let high = offsets.length
      while (low < high) {
        const middle = (low + high) >> 1
        if (startOf(middle) < byte) low = middle + 1
        else high = middle
      }
      return startOf(low) === byte ? low : undefined
    },
    wholeIndex(index: number) {
      if (index >= offsets.length) return offsets.length
      return index > 0 && startOf(index) === startOf(index - 1) ? index - 1 : Math.max(0, index)
    },
  }
  offsets.add(text)
  return offsets
}

/** The number of UTF-8 bytes of a text. */
export function utf8Length(text: string): number {
  let bytes = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    const pairs = isHigh(code) && isLow(text.charCodeAt(index + 1))
    bytes += pairs ? 4 : sizeOf(code)
    if (pairs) index++
  }
  return bytes
}

function sizeOf(code: number): number {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : 3
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000
}

/** Writes bits, the highest first, as H.264 does. */
export interface BitWriter {
  bits(value: number, count: number): void
  /** An unsigned number in Exp-Golomb code, `ue(v)`. */
  unsigned(value: number): void
  /** A signed number, `se(v)`. */
  signed(value: number): void
  /** Bits given as text: `000101`. */
  code(bits: string): void
  /** Adds the stop bit, fills the last byte, and returns all bytes. */
  end(): Uint8Array
}

export function createBitWriter(): BitWriter {
  const bytes: number[] = []
  let current = 0
  let filled = 0
  const bit = (value: number): void => {
    current = (current << 1) | value
    filled++
    if (filled < 8) return
    bytes.push(current)
    current = 0
    filled = 0
  }
  const bits = (value: number, count: number): void => {
    for (let position = count - 1; position >= 0; position--) bit((value >>> position) & 1)
  }
  const unsigned = (value: number): void => {
    const length = 31 - Math.clz32(value + 1)
    bits(0, length)
    bits(value + 1, length + 1)
  }
  return {
    bits,
    unsigned,
    signed: (value) => unsigned(value > 0 ? 2 * value - 1 : -2 * value),
    code(text) {
      for (const digit of text) bit(digit === '1' ? 1 : 0)
    },
    end() {
      const free = 8 - filled
      bits(1 << (free - 1), free)
      return Uint8Array.from(bytes)
    },
  }
}

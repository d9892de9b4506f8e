/** Packed numbers, and how far they were read. */
export interface PackedNumbers {
  readonly bytes: Uint8Array
  at: number
}

/** Appends a whole number with seven bits in each byte, so most counts and prices take one to three. Divides, because shifts have 32 bits. */
export function packWhole(bytes: number[], number: number): void {
  let rest = number
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  bytes.push(rest)
}

export function unpackWhole(packed: PackedNumbers): number {
  let number = 0
  for (let factor = 1; ; factor *= 128) {
    const byte = packed.bytes[packed.at++]
    if (byte === undefined) throw new Error('The database is damaged: packed numbers are cut off')
    number += (byte % 128) * factor
    if (byte < 128) return number
  }
}

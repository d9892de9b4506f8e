/** A part of a box: a number of four bytes, text, or bytes. */
export type Piece = number | string | Uint8Array | readonly number[]

/** A box of an MP4 file: its length, its name and its contents. */
export function box(name: string, ...pieces: readonly Piece[]): Uint8Array<ArrayBuffer> {
  const contents = joinPieces(pieces)
  return joinPieces([contents.length + 8, name, contents])
}

/** A box with a version, which is 0, and flags. */
export function fullBox(name: string, flags: number, ...pieces: readonly Piece[]): Uint8Array<ArrayBuffer> {
  return box(name, flags, ...pieces)
}

/** Two bytes. */
export function short(value: number): Uint8Array {
  return Uint8Array.of(value >> 8, value & 255)
}

export function joinPieces(pieces: readonly Piece[]): Uint8Array<ArrayBuffer> {
  const parts = pieces.map(bytesOf)
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** A list of numbers is written with four bytes each. */
function bytesOf(piece: Piece): Uint8Array {
  if (piece instanceof Uint8Array) return piece
  if (typeof piece === 'string') return new TextEncoder().encode(piece)
  const numbers = typeof piece === 'number' ? [piece] : piece
  const bytes = new Uint8Array(numbers.length * 4)
  const view = new DataView(bytes.buffer)
  for (const [index, value] of numbers.entries()) view.setUint32(index * 4, value)
  return bytes
}

const ALPHABET = new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
const PADDING = 61
/** Has no state between calls. All characters are ASCII. */
const ASCII = new TextDecoder()
/** Characters per piece, a multiple of 4. */
const PIECE = 1 << 20

/** Base64 of bytes, without a binary string of the same length in between. */
export function encodeBytes(bytes: Uint8Array): string {
  const { length } = bytes
  const out = new Uint8Array(Math.ceil(length / 3) * 4)
  const letter = (index: number): number => ALPHABET[index & 63] as number // 64 letters
  const byte = (index: number): number => bytes[index] as number // within the bytes, or 0 below
  let to = 0
  let at = 0
  for (; at + 2 < length; at += 3) {
    const group = (byte(at) << 16) | (byte(at + 1) << 8) | byte(at + 2)
    out[to++] = letter(group >> 18)
    out[to++] = letter(group >> 12)
    out[to++] = letter(group >> 6)
    out[to++] = letter(group)
  }
  if (at < length) {
    const isOne = at + 1 === length
    const group = (byte(at) << 16) | (isOne ? 0 : byte(at + 1) << 8)
    out[to++] = letter(group >> 18)
    out[to++] = letter(group >> 12)
    out[to++] = isOne ? PADDING : letter(group >> 6)
    out[to++] = PADDING
  }
  return ASCII.decode(out)
}

/** The bytes of standard base64, in pieces: one array for all of them would be one more copy. Throws for anything else. */
export function decodeBytes(base64: string): Uint8Array<ArrayBuffer>[] {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  for (let start = 0; start < base64.length; start += PIECE) {
    const binary = atob(base64.slice(start, start + PIECE))
    const bytes = new Uint8Array(binary.length)
    for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index)
    pieces.push(bytes)
  }
  return pieces
}

/** Base64 of the little-endian float32 bytes of numbers. Embeddings come by the thousand, so no text of bytes is made on the way. */
export function encodeFloats(numbers: readonly number[]): string {
  const bytes = new Uint8Array(numbers.length * SIZE)
  const view = new DataView(bytes.buffer)
  for (let index = 0; index < numbers.length; index++) view.setFloat32(index * SIZE, numbers[index] ?? 0, true)
  const surplus = bytes.length % 3
  const whole = bytes.length - surplus
  const text = new Uint8Array(Math.ceil(bytes.length / 3) * 4)
  let at = 0
  for (let index = 0; index < whole; index += 3) {
    const bits = (byteAt(bytes, index) << 16) | (byteAt(bytes, index + 1) << 8) | byteAt(bytes, index + 2)
    text[at++] = letterOf(bits >> 18)
    text[at++] = letterOf((bits >> 12) & 63)
    text[at++] = letterOf((bits >> 6) & 63)
    text[at++] = letterOf(bits & 63)
  }
  if (surplus > 0) {
    const bits = (byteAt(bytes, whole) << 16) | (surplus === 2 ? byteAt(bytes, whole + 1) << 8 : 0)
    text[at++] = letterOf(bits >> 18)
    text[at++] = letterOf((bits >> 12) & 63)
    text[at++] = surplus === 2 ? letterOf((bits >> 6) & 63) : PADDING
    text[at] = PADDING
  }
  return ASCII.decode(text)
}

/** The numbers in such base64; undefined if it is not such base64, or if a number is not finite, which JSON cannot express. */
export function decodeFloats(base64: string): number[] | undefined {
  const end = base64.endsWith('==') ? base64.length - 2 : base64.endsWith('=') ? base64.length - 1 : base64.length
  const length = Math.floor((end * 3) / 4)
  if (base64.length % 4 !== 0 || length % SIZE !== 0) return undefined
  const bytes = new Uint8Array(length)
  let wrong = 0
  let at = 0
  for (let index = 0; index < end; index += 4) {
    const first = bitsOf(base64.charCodeAt(index))
    const second = index + 1 < end ? bitsOf(base64.charCodeAt(index + 1)) : WRONG
    const third = index + 2 < end ? bitsOf(base64.charCodeAt(index + 2)) : 0
    const fourth = index + 3 < end ? bitsOf(base64.charCodeAt(index + 3)) : 0
    wrong |= first | second | third | fourth
    // Writes beyond the end of the bytes are ignored.
    bytes[at++] = (first << 2) | (second >> 4)
    bytes[at++] = ((second & 15) << 4) | (third >> 2)
    bytes[at++] = ((third & 3) << 6) | fourth
  }
  return wrong >= WRONG ? undefined : readFloats(bytes)
}

function readFloats(bytes: Uint8Array): number[] | undefined {
  const view = new DataView(bytes.buffer)
  const numbers: number[] = []
  for (let index = 0; index < bytes.length; index += SIZE) {
    const number = view.getFloat32(index, true)
    if (!Number.isFinite(number)) return undefined
    numbers.push(number)
  }
  return numbers
}

const SIZE = 4
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const PADDING = 61
/** More than six bits stand for a character that is not base64. */
const WRONG = 64

const CODES = Uint8Array.from(LETTERS, (letter) => letter.charCodeAt(0))
const BITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const bits = CODES.indexOf(code)
  return bits < 0 ? WRONG : bits
})

const ASCII = new TextDecoder()

function letterOf(bits: number): number {
  return CODES[bits] ?? 0
}

function bitsOf(code: number): number {
  return BITS[code] ?? WRONG
}

function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? 0
}

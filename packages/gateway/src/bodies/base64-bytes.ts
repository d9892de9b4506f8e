/** Groups of four characters, so that pieces can be joined. Each is decoded to a text that is thrown away again. */
const PIECE = 4 * 8192
const DIGITS = new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
const PADDING = 0x3d
const LATIN = new TextDecoder('latin1')

/** Base64 of bytes, as ASCII. `btoa` takes a text of the bytes, and that alone takes more than ten times as long to make. */
export function encodeBase64(bytes: Uint8Array): Uint8Array {
  const encoded = new Uint8Array(4 * Math.ceil(bytes.length / 3))
  let at = 0
  for (let start = 0; start < bytes.length; start += 3) {
    const group = ((bytes[start] ?? 0) << 16) | ((bytes[start + 1] ?? 0) << 8) | (bytes[start + 2] ?? 0)
    encoded[at++] = DIGITS[group >> 18] ?? 0
    encoded[at++] = DIGITS[(group >> 12) & 63] ?? 0
    encoded[at++] = DIGITS[(group >> 6) & 63] ?? 0
    encoded[at++] = DIGITS[group & 63] ?? 0
  }
  const surplus = bytes.length % 3
  return surplus === 0 ? encoded : encoded.fill(PADDING, surplus - 3)
}

/** The bytes of base64 in groups of four characters, without padding except at its end. */
export function decodeBase64(base64: Uint8Array): Uint8Array {
  const decoded = new Uint8Array(Math.ceil((base64.length * 3) / 4))
  let at = 0
  for (let start = 0; start < base64.length; start += PIECE) {
    const binary = atob(LATIN.decode(base64.subarray(start, start + PIECE)))
    for (let index = 0; index < binary.length; index++) decoded[at++] = binary.charCodeAt(index)
  }
  return decoded.subarray(0, at)
}

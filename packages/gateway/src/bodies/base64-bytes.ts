/** Groups of three bytes, so that pieces can be joined; short enough for the arguments of a call. */
const PIECE = 3 * 8192
const UTF8 = new TextEncoder()
const LATIN = new TextDecoder('latin1')

/** Base64 of bytes, as ASCII. Piece by piece, so that there is never a text as long as the file. */
export function encodeBase64(bytes: Uint8Array): Uint8Array {
  const encoded = new Uint8Array(4 * Math.ceil(bytes.length / 3))
  let at = 0
  for (let start = 0; start < bytes.length; start += PIECE) {
    const binary = String.fromCharCode(...bytes.subarray(start, start + PIECE))
    at += UTF8.encodeInto(btoa(binary), encoded.subarray(at)).written
  }
  return encoded
}

/** The bytes of base64 in groups of four characters, without padding except at its end. */
export function decodeBase64(base64: Uint8Array): Uint8Array {
  const decoded = new Uint8Array(Math.ceil((base64.length * 3) / 4))
  let at = 0
  for (let start = 0; start < base64.length; start += (PIECE * 4) / 3) {
    const binary = atob(LATIN.decode(base64.subarray(start, start + (PIECE * 4) / 3)))
    for (let index = 0; index < binary.length; index++) decoded[at++] = binary.charCodeAt(index)
  }
  return decoded.subarray(0, at)
}

/** SHA-256 of the UTF-8 bytes of a text, in hex. Synchronous, unlike that of the Web Crypto API. For short texts. */
export function sha256(text: string): string {
  const hash = sha256Bytes(new TextEncoder().encode(text))
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** HMAC with SHA-256 (RFC 2104). Synchronous, for short texts. */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(64)
  block.set(key.length > 64 ? sha256Bytes(key) : key)
  const inner = sha256Bytes(new Uint8Array([...block.map((byte) => byte ^ 0x36), ...message]))
  return sha256Bytes(new Uint8Array([...block.map((byte) => byte ^ 0x5c), ...inner]))
}

function sha256Bytes(bytes: Uint8Array): Uint8Array {
  const primes: number[] = []
  for (let number = 2; primes.length < 64; number++)
    if (primes.every((prime) => number % prime !== 0)) primes.push(number)
  // The first 32 bits behind the point of the roots of the first primes.
  const rounds = primes.map((prime) => ((Math.cbrt(prime) % 1) * 2 ** 32) | 0)
  const state = Uint32Array.from(primes.slice(0, 8), (prime) => (Math.sqrt(prime) % 1) * 2 ** 32)
  const message = padded(bytes)
  for (let block = 0; block < message.byteLength; block += 64) {
    const words: number[] = []
    let [a = 0, b = 0, c = 0, d = 0, p = 0, q = 0, r = 0, s = 0] = state
    for (const [i, round] of rounds.entries()) {
      const [w16 = 0, w15 = 0, w7 = 0, w2 = 0] = [words[i - 16], words[i - 15], words[i - 7], words[i - 2]]
      const low = turn(w15, 7) ^ turn(w15, 18) ^ (w15 >>> 3)
      const high = turn(w2, 17) ^ turn(w2, 19) ^ (w2 >>> 10)
      const word = i < 16 ? message.getInt32(block + i * 4) : (w16 + low + w7 + high) | 0
      words.push(word)
      const first = s + (turn(p, 6) ^ turn(p, 11) ^ turn(p, 25)) + ((p & q) ^ (~p & r)) + round + word
      const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
      ;[s, r, q, p, d, c, b, a] = [r, q, p, (d + first) | 0, c, b, a, (first + second) | 0]
    }
    for (const [i, word] of [a, b, c, d, p, q, r, s].entries()) state[i] = (state[i] ?? 0) + word
  }
  const hash = new DataView(new ArrayBuffer(32))
  for (const [i, word] of state.entries()) hash.setUint32(i * 4, word)
  return new Uint8Array(hash.buffer)
}

/** The bytes, a 1 bit, zeros up to a whole block, and the length in bits. */
function padded(bytes: Uint8Array): DataView {
  const message = new Uint8Array(((bytes.length + 72) >> 6) << 6)
  message.set([...bytes, 0x80])
  const view = new DataView(message.buffer)
  view.setUint32(message.length - 4, bytes.length * 8)
  return view
}

function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}

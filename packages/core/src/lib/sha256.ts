/** SHA-256 of the UTF-8 bytes of a text, in hex. Synchronous, unlike that of the Web Crypto API. For short texts. */
export function sha256(text: string): string {
  const { initial, rounds } = constants()
  const state = Uint32Array.from(initial)
  const words = new Uint32Array(64)
  const message = padded(new TextEncoder().encode(text))
  for (let block = 0; block < message.byteLength; block += 64) {
    for (let i = 0; i < 16; i++) words[i] = message.getUint32(block + i * 4)
    for (let i = 16; i < 64; i++) {
      const [early, late] = [at(words, i - 15), at(words, i - 2)]
      const low = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3)
      const high = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10)
      words[i] = at(words, i - 16) + low + at(words, i - 7) + high
    }
    compress(state, words, rounds)
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('')
}

/** The eight words of the state, which move one place in each round; the fourth and the last of them are mixed. */
function compress(state: Uint32Array, words: Uint32Array, rounds: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, p = 0, q = 0, r = 0, s = 0] = state
  for (let i = 0; i < 64; i++) {
    const chosen = (p & q) ^ (~p & r)
    const first = (s + (turn(p, 6) ^ turn(p, 11) ^ turn(p, 25)) + chosen + at(rounds, i) + at(words, i)) | 0
    const major = (a & b) ^ (a & c) ^ (b & c)
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + major) | 0
    ;[s, r, q, p, d, c, b, a] = [r, q, p, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  for (const [i, word] of [a, b, c, d, p, q, r, s].entries()) state[i] = at(state, i) + word
}

/** The bytes, a 1 bit, zeros up to a whole block, and the length in bits. */
function padded(bytes: Uint8Array): DataView {
  const size = Math.ceil((bytes.length + 9) / 64) * 64
  const message = new Uint8Array(size)
  message.set(bytes)
  message[bytes.length] = 0x80
  const view = new DataView(message.buffer)
  view.setUint32(size - 4, bytes.length * 8)
  return view
}

/** The first 32 bits behind the point of the square and cube roots of the first primes. */
function constants(): { readonly initial: Uint32Array; readonly rounds: Uint32Array } {
  const primes: number[] = []
  for (let number = 2; primes.length < 64; number++)
    if (primes.every((prime) => number % prime !== 0)) primes.push(number)
  const fraction = (root: number) => (root - Math.floor(root)) * 2 ** 32
  return {
    initial: Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
    rounds: Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
  }
}

function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}

function at(words: Uint32Array, index: number): number {
  return words[index] ?? 0
}

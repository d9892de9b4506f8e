/** Gathers the chunks of a body. */
export interface BodyBuffer {
  readonly size: number
  push(chunk: Buffer): void
  bytes(): Uint8Array
}

/** Chunks of smaller bodies are kept as they are: most bodies are one chunk, which is then not copied. */
const COPIED_FROM = 64 * 1024

/** A large body of known length is put together as it comes, so that its end costs no copy of everything. */
export function createBodyBuffer(length: number | undefined): BodyBuffer {
  return length === undefined || length < COPIED_FROM ? createChunks() : createFilled(length)
}

function createChunks(): BodyBuffer {
  const chunks: Buffer[] = []
  const body = {
    size: 0,
    push(chunk: Buffer) {
      body.size += chunk.length
      chunks.push(chunk)
    },
    bytes() {
      const [first] = chunks
      return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, body.size)
    },
  }
  return body
}

/** Node delivers no more than the length that it was told. */
function createFilled(length: number): BodyBuffer {
  // Not from the pool: it may go to another thread.
  const whole = Buffer.allocUnsafeSlow(length)
  const body = {
    size: 0,
    push(chunk: Buffer) {
      body.size += chunk.copy(whole, body.size)
    },
    bytes: () => whole.subarray(0, body.size),
  }
  return body
}

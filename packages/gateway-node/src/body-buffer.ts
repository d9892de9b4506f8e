/** Collects the chunks of a body. */
export interface BodyBuffer {
  readonly size: number
  push(chunk: Buffer): void
  bytes(): Uint8Array
}

/** Smaller bodies are kept as chunks: most of them are a single chunk, which is then not copied. */
const COPIED_FROM = 64 * 1024

const SHARED_FROM = 256 * 1024

/** A large body of known length is written into one buffer as it arrives, so that there is no copy at its end. */
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

/** Node never delivers more than the announced length. */
function createFilled(length: number): BodyBuffer {
  // Not from the pool, because it may be transferred to another thread. The largest ones are shared with it instead: then it can return
  // views of them.
  const whole = length < SHARED_FROM ? Buffer.allocUnsafeSlow(length) : Buffer.from(new SharedArrayBuffer(length))
  const body = {
    size: 0,
    push(chunk: Buffer) {
      body.size += chunk.copy(whole, body.size)
    },
    bytes: () => whole.subarray(0, body.size),
  }
  return body
}

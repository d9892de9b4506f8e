import { joinBytes } from '@dragoman/core/provider'

/** Collects the chunks of a body. */
export interface Collector {
  /** Returns false above the limit; the chunk is then not kept. */
  push(chunk: Uint8Array): boolean
  size(): number
  bytes(): Uint8Array
  text(): string
}

/** Has no state between calls, and is expensive to create. */
const UTF8 = new TextDecoder()

/** Replaces invalid UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  return UTF8.decode(bytes)
}

/** `expected` is the announced length: a large body is then written into one buffer as it arrives, so that there is no copy at its end. */
export function createCollector(limit: number, expected = 0): Collector {
  return expected >= FILLED_FROM && expected <= limit ? createFilled(expected) : createChunks(limit)
}

const FILLED_FROM = 64 * 1024

function createChunks(limit: number): Collector {
  const chunks: Uint8Array[] = []
  let size = 0
  const bytes = (): Uint8Array => joinBytes(chunks)
  return {
    push(chunk) {
      if (size + chunk.length > limit) return false
      size += chunk.length
      chunks.push(chunk)
      return true
    },
    size: () => size,
    bytes,
    text: () => decodeText(bytes()),
  }
}

/** More than was announced is refused like a body above the limit. */
function createFilled(length: number): Collector {
  const whole = new Uint8Array(length)
  let size = 0
  const bytes = (): Uint8Array => (size === length ? whole : whole.subarray(0, size))
  return {
    push(chunk) {
      if (size + chunk.length > length) return false
      whole.set(chunk, size)
      size += chunk.length
      return true
    },
    size: () => size,
    bytes,
    text: () => decodeText(bytes()),
  }
}

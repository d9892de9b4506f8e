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

export function createCollector(limit: number): Collector {
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

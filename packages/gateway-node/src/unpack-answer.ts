import type { Failure } from '@dragoman/core/provider'
import { createUnpacker, type Encoding } from './encoding.ts'

export interface Unpacking {
  /** The compressed source, paused while the unpacker is full. */
  readonly source: { pause(): void; resume(): void }
  /** The limit in unpacked bytes. */
  readonly limit: number
  readonly onChunk: (chunk: Uint8Array) => void
  readonly end: () => void
  readonly fail: (failure: Failure) => void
}

export interface Unpacked {
  push(chunk: Uint8Array): void
  end(): void
  pause(): void
  resume(): void
  close(): void
}

/** For upstreams that compress although the request forbids it. */
export function unpackInto(encoding: Encoding, { source, limit, onChunk, end, fail }: Unpacking): Unpacked {
  const unpacker = createUnpacker(encoding)
  let size = 0
  unpacker.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= limit) return onChunk(chunk)
    fail({ kind: 'reset', retryable: false, cause: new Error(`The answer unpacks to more than ${limit} bytes.`) })
  })
  unpacker.on('drain', () => source.resume())
  unpacker.on('end', end)
  unpacker.on('error', (cause) => fail({ kind: 'reset', retryable: false, cause }))
  return {
    push(chunk) {
      if (!unpacker.write(chunk)) source.pause()
    },
    end: () => void unpacker.end(),
    pause: () => void unpacker.pause(),
    resume: () => void unpacker.resume(),
    close: () => void unpacker.destroy(),
  }
}

import type { Receiver } from '@dragoman/core/provider'

/** Reads a copy of an answer into its receiver, as a transport would. */
export function readCopy(body: ReadableStream<Uint8Array>, receiver: Receiver): void {
  const reader = body.getReader()
  const read = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return receiver.onEnd()
      receiver.onChunk(value)
    }
  }
  read().catch((cause: unknown) => receiver.onFail({ kind: 'reset', retryable: false, cause }))
}

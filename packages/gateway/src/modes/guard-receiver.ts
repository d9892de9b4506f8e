import type { Receiver } from '@dragoman/core/provider'

/** A receiver that never throws: transports call it from events and timers, where no code could catch an error. `fail` must not throw. */
export function guardReceiver(fail: (thrown: unknown) => void, receiver: Receiver): Receiver {
  return {
    onHead(status, header, body) {
      try {
        return receiver.onHead(status, header, body)
      } catch (thrown) {
        fail(thrown)
        return 'chunks'
      }
    },
    onChunk(chunk) {
      try {
        receiver.onChunk(chunk)
      } catch (thrown) {
        fail(thrown)
      }
    },
    onEnd() {
      try {
        receiver.onEnd()
      } catch (thrown) {
        fail(thrown)
      }
    },
    onFail(failure) {
      try {
        receiver.onFail(failure)
      } catch (thrown) {
        fail(thrown)
      }
    },
  }
}

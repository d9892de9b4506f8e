import type { Transport } from '@dragoman/core/provider'
import { createValve } from './valve.ts'

/** A transport that repeats a call once if its connection was closed while it was idle: the upstream has not seen the call. */
export function resendStale(transport: Transport): Transport {
  return {
    send(call, receiver) {
      const valve = createValve()
      let isRepeated = false
      const first = transport.send(call, {
        onHead: (status, header, body) => receiver.onHead(status, header, body),
        onChunk: (chunk) => receiver.onChunk(chunk),
        onEnd: () => receiver.onEnd(),
        onFail(failure) {
          if (failure.stale !== true) return receiver.onFail(failure)
          isRepeated = true
          valve.open(transport.send(call, receiver))
        },
      })
      if (!isRepeated) valve.open(first)
      return valve
    },
  }
}

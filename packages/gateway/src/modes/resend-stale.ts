import type { Receiver, Transport } from '@dragoman/core/provider'
import type { Report } from '../ports/report.ts'
import { guardReceiver } from './guard-receiver.ts'
import { createValve } from './valve.ts'

/** A transport that repeats a call once if its connection was closed while it was idle: the upstream has not seen the call. */
export function resendStale(transport: Transport, report: Report): Transport {
  return {
    send(call, receiver) {
      const valve = createValve(report)
      const fail = (cause: unknown): void => receiver.onFail({ kind: 'reset', retryable: false, cause })
      let isRepeated = false
      const repeat: Receiver = {
        onHead: (status, header, body) => receiver.onHead(status, header, body),
        onChunk: (chunk) => receiver.onChunk(chunk),
        onEnd: () => receiver.onEnd(),
        onFail(failure) {
          if (failure.stale !== true) return receiver.onFail(failure)
          isRepeated = true
          valve.open(transport.send(call, receiver))
        },
      }
      const first = transport.send(call, guardReceiver(fail, repeat))
      if (!isRepeated) valve.open(first)
      return valve
    },
  }
}

import type { Flow, Transport } from '@dragoman/core/provider'
import { isUnreceived } from './unreceived.ts'

/** A transport, and how many of its calls upstreams have received and not refused. */
export interface WatchedCalls {
  readonly transport: Transport
  readonly received: () => number
}

interface Watched {
  flow: Flow | undefined
  /** Refused by a status, or it never arrived. */
  isFree: boolean
  hasHead: boolean
}

/** Watches the calls that one answer is made of. */
export function watchCalls(transport: Transport): WatchedCalls {
  const calls: Watched[] = []
  const send: Transport['send'] = (call, receiver) => {
    const watched: Watched = { flow: undefined, isFree: false, hasHead: false }
    calls.push(watched)
    const flow = transport.send(call, {
      onHead(status, header, body) {
        watched.hasHead = true
        watched.isFree = status < 200 || status > 299
        return receiver.onHead(status, header, body)
      },
      onChunk: (chunk) => receiver.onChunk(chunk),
      onEnd: () => receiver.onEnd(),
      onFail(failure) {
        watched.isFree ||= !watched.hasHead && (isUnreceived(failure) || flow.isSent?.() === false)
        receiver.onFail(failure)
      },
    })
    watched.flow = flow
    return flow
  }
  const isReceived = ({ flow, isFree, hasHead }: Watched): boolean =>
    !isFree && (hasHead || (flow !== undefined && flow.isSent?.() !== false))
  return { transport: { send }, received: () => calls.filter(isReceived).length }
}

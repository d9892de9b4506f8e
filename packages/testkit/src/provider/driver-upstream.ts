import type { Clock, Deadlines, Outbound, Provider, Upstream } from '@dragoman/core/provider'
import { OWN, sendWhole } from '@dragoman/core/provider'
import { createUndiciTransport } from '@dragoman/gateway-node'

/** The upstream of a driver under test, over real sockets. */
export interface DriverUpstream extends Upstream {
  close(): Promise<void>
}

export interface DriverUpstreamOptions {
  /** By default intervals pass at once. */
  readonly clock?: Clock
  readonly signal?: AbortSignal
}

const DEADLINES: Deadlines = { connect: 60_000, head: 60_000, idle: 60_000, total: 60_000 }

/** Calls a provider as a gateway does for its drivers: with one key for all calls of a task, and results without a credential. */
export function createDriverUpstream(
  provider: Provider,
  model: string,
  { clock = createQuickClock(), signal = new AbortController().signal }: DriverUpstreamOptions = {},
): DriverUpstream {
  const transport = createUndiciTransport()
  const outbound: Outbound = { headers: { accept: 'application/json' }, deadlines: DEADLINES }
  let key: number | undefined
  const send: Upstream['send'] = (target, body) => {
    const content = body === undefined || 'bytes' in body ? body : JSON.stringify(body)
    const call = provider.call(OWN, target, { ...outbound, body: content as Outbound['body'], key }) // a form has bytes
    key ??= call.key
    return sendWhole(transport, call)
  }
  return {
    model,
    clock,
    signal,
    send,
    cancel: (target) => void send(target).catch(() => undefined),
    async visit(url, method) {
      const call = provider.visit?.(url, { ...outbound, key }, method)
      if (call === undefined) throw new Error(`${provider.name} cannot visit a URL.`)
      return sendWhole(transport, call)
    },
    async download(url) {
      const call = { url, method: 'GET', headers: {}, deadlines: DEADLINES } as const
      const { bytes, header } = await sendWhole(transport, call)
      return { bytes, type: header('content-type') }
    },
    close: () => transport.close(),
  }
}

/** Intervals of less than a minute pass at once; longer ones, such as deadlines, never. */
function createQuickClock(): Clock {
  return {
    now: () => Date.now(),
    after(ms, run) {
      if (ms >= 60_000) return () => undefined
      const timer = setImmediate(run)
      return () => clearImmediate(timer)
    },
  }
}

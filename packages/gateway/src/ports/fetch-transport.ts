import { joinBody, type Call, type Failure, type Receiver, type Transport, type Clock } from '@dragoman/core/provider'
import { systemClock } from './ports.ts'

export interface FetchTransportOptions {
  readonly fetch?: typeof fetch | undefined
  readonly clock?: Clock | undefined
}

/** Calls upstreams through `fetch`, for runtimes without a better client. Redirects are never followed. */
export function createFetchTransport(options: FetchTransportOptions = {}): Transport {
  const { fetch: send = fetch, clock = systemClock } = options
  return {
    send(call, receiver) {
      const aborter = new AbortController()
      const gate = createGate()
      const watch = createWatch(clock, call, () => fail({ kind: 'timeout', retryable: !headSeen }))
      let headSeen = false
      let passed = false
      let over = false
      const finish = (last: () => void): void => {
        if (over) return
        over = true
        watch.stop()
        last()
      }
      const fail = (failure: Failure): void =>
        finish(() => {
          aborter.abort()
          gate.resume()
          receiver.onFail(failure)
        })
      const run = async (): Promise<void> => {
        const { url, method, headers, body } = call
        const init: RequestInit = { method, headers: { ...headers }, redirect: 'manual', signal: aborter.signal }
        const response = await send(url, body === undefined ? init : { ...init, body: joinBody(body) as BodyInit }) // a string or bytes
        if (over) return
        headSeen = true
        watch.alive()
        const header = (name: string): string | undefined => response.headers.get(name) ?? undefined
        if (receiver.onHead(response.status, header, response.body ?? undefined) === 'through') {
          passed = true
          watch.stop()
          return
        }
        await drain(response.body, receiver, gate, watch, () => over)
        finish(() => receiver.onEnd())
      }
      run().catch((cause: unknown) => fail({ kind: kindOf(cause), retryable: !headSeen, cause }))
      return {
        pause: () => gate.pause(),
        resume: () => gate.resume(),
        // The reader of the body gets an error.
        cancel: () => (passed ? aborter.abort() : fail({ kind: 'cancelled', retryable: false })),
      }
    },
  }
}

async function drain(
  body: ReadableStream<Uint8Array> | null,
  receiver: Receiver,
  gate: Gate,
  watch: Watch,
  isOver: () => boolean,
): Promise<void> {
  if (body === null) return
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done || isOver()) return
    watch.alive()
    receiver.onChunk(value)
    if (gate.closed !== undefined) {
      watch.rest()
      await gate.closed
      watch.alive()
    }
  }
}

/** Pauses the reader while the client is slow. */
interface Gate {
  readonly closed: Promise<void> | undefined
  pause(): void
  resume(): void
}

function createGate(): Gate {
  let closed: Promise<void> | undefined
  let open: (() => void) | undefined
  return {
    get closed() {
      return closed
    },
    pause() {
      closed ??= new Promise((resolve) => (open = resolve))
    },
    resume() {
      closed = undefined
      open?.()
    },
  }
}

/** The deadlines of a call. `fetch` does not report when it is connected, so the head has the time for both. */
interface Watch {
  alive(): void
  rest(): void
  stop(): void
}

function createWatch(clock: Clock, { deadlines }: Call, onLate: () => void): Watch {
  const stopTotal = clock.after(deadlines.total, onLate)
  let stopNext = clock.after(deadlines.connect + deadlines.head, onLate)
  return {
    alive() {
      stopNext()
      stopNext = clock.after(deadlines.idle, onLate)
    },
    rest: () => stopNext(),
    stop() {
      stopNext()
      stopTotal()
    },
  }
}

/** Most codes are Node's. An unknown code counts as a broken connection. */
const KIND_OF: { readonly [code: string]: Failure['kind'] } = {
  ECONNREFUSED: 'refused',
  ConnectionRefused: 'refused',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
}

function kindOf(thrown: unknown): Failure['kind'] {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return KIND_OF[code] ?? 'reset'
}

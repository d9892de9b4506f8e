import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { lengthOf, type Call, type Failure, type Flow, type Receiver, type Transport } from '@dragoman/core/provider'
import type { Dispatcher } from 'undici'
import { createConnect, type ConnectOptions, type Surroundings } from './connect.ts'
import { isKnownEncoding, type Encoding } from './encoding.ts'
import { failureOf } from './failure.ts'
import { createSweep, type Sweep, type Timed } from './sweep.ts'
import { unpackInto, type Unpacked } from './unpack-answer.ts'

export interface UndiciTransportOptions extends Surroundings {
  /** Connections per origin; by default one per call. */
  readonly connections?: number | undefined
  /** How long an unused connection is kept, in milliseconds, unless the upstream sets a time. */
  readonly keepAliveMs?: number | undefined
  /** The limit for compressed answers, in bytes after decompression. */
  readonly unpackLimit?: number | undefined
  /** Creates the dispatcher of an origin, for example with your own name resolution. */
  readonly connect?: ((origin: string, options: ConnectOptions) => Dispatcher) | undefined
}

export interface UndiciTransport extends Transport {
  /** Closes the connections. Running calls fail. */
  close(): Promise<void>
}

/** The outbound client for Node: a keep-alive pool per origin, one call per connection at a time. Redirects are never followed. */
export function createUndiciTransport(options: UndiciTransportOptions = {}): UndiciTransport {
  const { connections = null, keepAliveMs = 15_000, unpackLimit = 256 * 1024 * 1024 } = options
  const connect = options.connect ?? createConnect(options)
  const pools = new Map<number, Map<string, Dispatcher>>()
  const handling: Handling = { sweep: createSweep(SWEEP_MS), unpackLimit }

  const poolOf = (origin: string, connectMs: number): Dispatcher => {
    const known = pools.get(connectMs)?.get(origin)
    if (known !== undefined) return known
    const pool = connect(origin, { connections, keepAliveMs, connectMs })
    const ofTime = pools.get(connectMs) ?? new Map<string, Dispatcher>()
    pools.set(connectMs, ofTime.set(origin, pool))
    return pool
  }
  return {
    send(call, receiver) {
      const { url, method, headers, body, deadlines } = call
      const slash = url.indexOf('/', url.indexOf('//') + 2)
      const origin = slash < 0 ? url : url.slice(0, slash)
      const handler = createHandler(call, receiver, handling)
      poolOf(origin, deadlines.connect).dispatch(
        {
          origin,
          path: slash < 0 ? '/' : url.slice(slash),
          method,
          headers: isList(body) ? { ...headers, 'content-length': String(lengthOf(body)) } : headers,
          body: isList(body) ? iterated(body) : (body ?? null),
          headersTimeout: deadlines.head,
          bodyTimeout: deadlines.idle,
        },
        handler,
      )
      return handler
    },
    async close() {
      await Promise.all([...pools.values()].flatMap((ofTime) => [...ofTime.values()]).map((pool) => pool.destroy()))
    },
  }
}

/** The total deadline of a call is minutes long. */
const SWEEP_MS = 250

type Pieces = Extract<Call['body'], readonly unknown[]>

/** undici writes the pieces of a list one by one. Without a content length it would use chunked encoding. */
function isList(body: Call['body']): body is Pieces {
  return Array.isArray(body)
}

/** undici accepts any iterable, which its types do not say. */
function iterated(pieces: Pieces): Readable {
  const iterable: object = pieces
  return iterable as Readable
}

/** What the calls of a transport share. */
interface Handling {
  readonly sweep: Sweep
  readonly unpackLimit: number
}

/** Handles one answer: maps undici's callbacks to the receiver, with the total deadline. */
function createHandler(
  { deadlines: { total } }: Call,
  receiver: Receiver,
  { sweep, unpackLimit }: Handling,
): Flow & Dispatcher.DispatchHandler {
  let controller: Dispatcher.DispatchController | undefined
  /** Set if the answer is compressed. */
  let unpacked: Unpacked | undefined
  let begun = false
  let paused = false
  let over = false
  let sent = false
  let sentAt = 0

  const finish = (): boolean => {
    if (over) return false
    over = true
    sweep.remove(timed)
    return true
  }
  const end = (): void => {
    if (finish()) receiver.onEnd()
  }
  const fail = (failure: Failure): void => {
    if (!finish()) return
    controller?.abort(new Error(failure.kind))
    unpacked?.close()
    receiver.onFail(failure)
  }
  const onLate = (): void => fail({ kind: 'timeout', retryable: !begun })
  const timed: Timed = { until: performance.now() + total, index: -1, onLate }
  sweep.add(timed)

  return {
    pause() {
      paused = true
      ;(unpacked ?? controller)?.pause()
    },
    resume() {
      paused = false
      ;(unpacked ?? controller)?.resume()
    },
    cancel: () => fail({ kind: 'cancelled', retryable: false }),
    isSent: () => sent,

    /** The connection stands, and the call is written to it next. */
    onRequestStart(given) {
      controller = given
      sent = !over
      sentAt = performance.now()
      if (over) given.abort(new Error('cancelled'))
      else if (paused) given.pause()
    },
    onResponseStart(given, status, headers) {
      if (over || status < 200) return
      receiver.onHead(status, (name) => headerOf(headers, name))
      begun = true
      const encoding = packedBy(headers)
      if (encoding === undefined) return
      const onChunk = (chunk: Uint8Array): void => receiver.onChunk(chunk)
      unpacked = unpackInto(encoding, { source: given, limit: unpackLimit, onChunk, end, fail })
      if (paused) unpacked.pause()
    },
    onResponseData(_controller, chunk) {
      if (over) return
      if (unpacked === undefined) receiver.onChunk(chunk)
      else unpacked.push(chunk)
    },
    onResponseEnd() {
      if (over) return
      if (unpacked === undefined) end()
      else unpacked.end()
    },
    onResponseError(_controller, error) {
      if (!finish()) return
      unpacked?.close()
      receiver.onFail(failureOf(error, begun, performance.now() - sentAt))
    },
  }
}

/** The encoding of a compressed answer. One that is unknown is relayed as it is. */
function packedBy(headers: IncomingHttpHeaders): Encoding | undefined {
  const encoding = headerOf(headers, 'content-encoding')?.trim().toLowerCase() ?? 'identity'
  return isKnownEncoding(encoding) && encoding !== 'identity' ? encoding : undefined
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'object' ? value.join(', ') : value
}

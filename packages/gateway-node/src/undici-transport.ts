import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { lengthOf, type Call, type Failure, type Flow, type Receiver, type Transport } from '@dragoman/core/provider'
import type { Dispatcher } from 'undici'
import { createConnect, type ConnectOptions, type Surroundings } from './connect.ts'
import { isKnownEncoding } from './encoding.ts'
import { failureOf } from './failure.ts'
import { unpackInto } from './unpack-answer.ts'

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
  const pools = new Map<string, Dispatcher>()

  const poolOf = (origin: string, connectMs: number): Dispatcher => {
    const key = `${connectMs} ${origin}`
    const known = pools.get(key)
    if (known !== undefined) return known
    const pool = connect(origin, { connections, keepAliveMs, connectMs })
    pools.set(key, pool)
    return pool
  }
  return {
    send(call, receiver) {
      const { origin, path } = split(call.url)
      const handler = createHandler(call, receiver, unpackLimit)
      const { head, idle, connect: connectMs } = call.deadlines
      poolOf(origin, connectMs).dispatch(
        {
          origin,
          path,
          method: call.method,
          ...sent(call),
          headersTimeout: head,
          bodyTimeout: idle,
        },
        handler,
      )
      return handler
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    },
  }
}

/** undici writes the pieces of a list one by one. Without a content length it would use chunked encoding. */
function sent({ headers, body }: Call): Pick<Dispatcher.DispatchOptions, 'headers' | 'body'> {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array)
    return { headers, body: body ?? null }
  const pieces: object = body
  const length = String(lengthOf(body))
  return { headers: { ...headers, 'content-length': length }, body: pieces as Readable } // any iterable is accepted
}

/** Splits `https://host:443/path?query` where the path begins. Cheaper than a URL object per call. */
function split(url: string): { readonly origin: string; readonly path: string } {
  const slash = url.indexOf('/', url.indexOf('//') + 2)
  return slash < 0 ? { origin: url, path: '/' } : { origin: url.slice(0, slash), path: url.slice(slash) }
}

/** Handles one answer: maps undici's callbacks to the receiver, with the total deadline. */
function createHandler(call: Call, receiver: Receiver, unpackLimit: number): Flow & Dispatcher.DispatchHandler {
  let controller: Dispatcher.DispatchController | undefined
  let sink: Sink | undefined
  let paused = false
  let over = false
  let sent = false
  let sentAt = 0

  const finish = (): boolean => {
    if (over) return false
    over = true
    clearTimeout(timer)
    return true
  }
  const fail = (failure: Failure): void => {
    if (!finish()) return
    controller?.abort(new Error(failure.kind))
    sink?.close()
    receiver.onFail(failure)
  }
  const timer = setTimeout(() => fail({ kind: 'timeout', retryable: sink === undefined }), call.deadlines.total)

  return {
    pause() {
      paused = true
      if (sink === undefined) controller?.pause()
      else sink.pause()
    },
    resume() {
      paused = false
      if (sink === undefined) controller?.resume()
      else sink.resume()
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
      sink = createSink(given, headerOf(headers, 'content-encoding'), receiver, unpackLimit, finish, fail)
      if (paused) sink.pause()
    },
    onResponseData(_controller, chunk) {
      if (!over) sink?.push(chunk)
    },
    onResponseEnd() {
      if (!over) sink?.end()
    },
    onResponseError(_controller, error) {
      if (!finish()) return
      sink?.close()
      receiver.onFail(failureOf(error, sink !== undefined, performance.now() - sentAt))
    },
  }
}

/** The target of an answer's chunks: the receiver, or an unpacker before it. */
interface Sink {
  push(chunk: Uint8Array): void
  end(): void
  pause(): void
  resume(): void
  close(): void
}

function createSink(
  controller: Dispatcher.DispatchController,
  encoding: string | undefined,
  receiver: Receiver,
  unpackLimit: number,
  finish: () => boolean,
  fail: (failure: Failure) => void,
): Sink {
  const end = (): void => {
    if (finish()) receiver.onEnd()
  }
  const name = encoding?.trim().toLowerCase() ?? 'identity'
  if (isKnownEncoding(name) && name !== 'identity') {
    return unpackInto(name, {
      source: controller,
      limit: unpackLimit,
      onChunk: (chunk) => receiver.onChunk(chunk),
      end,
      fail,
    })
  }
  return {
    push: (chunk) => receiver.onChunk(chunk),
    end,
    pause: () => controller.pause(),
    resume: () => controller.resume(),
    close() {},
  }
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'object' ? value.join(', ') : value
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Head } from '@dragoman/core'
import type { Gateway, Pending, Refusal } from '@dragoman/gateway'
import { isKnownEncoding, unpack } from './encoding.ts'
import { createNodeReply } from './node-reply.ts'

export interface NodeDoorOptions {
  /** How long a body may take to arrive, in milliseconds. */
  readonly bodyMs?: number | undefined
}

/**
 * The gateway as a request listener, for `http.createServer` and for Express (before any body parser: the gateway reads the
 * body itself, and only after it has admitted the call).
 */
export function createNodeHandler(
  gateway: Gateway,
  { bodyMs = 60_000 }: NodeDoorOptions = {},
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    if (isWithoutHost(request)) return refuseCall(gateway, request, response, 'no-host')
    // Tokens are small and must not wait for each other.
    request.socket.setNoDelay(true)
    const reply = createNodeReply(response)
    void gateway.open(headOf(request), reply).then((pending) => {
      if (pending === undefined) boundRest(request, response)
      else readInto(pending, request, response, bodyMs)
    })
  }
}

/** Answers a call of which no more than the head is read. */
export function refuseCall(gateway: Gateway, request: IncomingMessage, response: ServerResponse, why: Refusal): void {
  boundRest(request, response)
  gateway.refuse(headOf(request), createNodeReply(response), why)
}

/** Node refuses such a call by itself, with an empty body, unless `guardServer` has told it not to. */
function isWithoutHost({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion === '1.1'
}

function headOf(request: IncomingMessage): Head {
  const url = request.url ?? '/'
  const mark = url.indexOf('?')
  return {
    method: request.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? '' : url.slice(mark + 1),
    header(name) {
      const value = request.headers[name]
      return typeof value === 'object' ? value.join(', ') : value
    },
  }
}

function readInto(pending: Pending, request: IncomingMessage, response: ServerResponse, bodyMs: number): void {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  const refuse = (why: Refusal): void => {
    boundRest(request, response)
    pending.refuse(why)
  }
  if (!isKnownEncoding(encoding)) return refuse('encoding')
  if (Number(request.headers['content-length'] ?? 0) > pending.limit) return refuse('too-large')
  // Somebody before us has read the body.
  if (request.readableEnded) return refuse('malformed')

  const chunks: Buffer[] = []
  let size = 0
  const giveUp = (why: Refusal): void => {
    stop()
    refuse(why)
  }
  const timer = setTimeout(() => giveUp('timeout'), bodyMs)
  const onData = (chunk: Buffer): void => {
    size += chunk.length
    if (size > pending.limit) giveUp('too-large')
    else chunks.push(chunk)
  }
  const onEnd = (): void => {
    stop()
    const [first] = chunks
    const body = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, size)
    if (encoding === 'identity') return pending.proceed(body)
    unpack(encoding, body, pending.limit, (result) => {
      if (typeof result === 'string') pending.refuse(result)
      else pending.proceed(result)
    })
  }
  const stop = (): void => {
    clearTimeout(timer)
    request.off('data', onData).off('end', onEnd).off('close', stop)
  }
  request.on('data', onData).on('end', onEnd).on('close', stop)
}

const REST_LIMIT = 16 * 1024 * 1024

/** Node reads on what nobody took, so that the client can read the answer; this says when that is enough. */
function boundRest(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return
  const bound = (): void => {
    let rest = 0
    request.on('data', (chunk: Buffer) => {
      rest += chunk.length
      if (rest > REST_LIMIT) request.destroy()
    })
  }
  if (response.writableFinished) bound()
  else response.once('finish', bound)
}

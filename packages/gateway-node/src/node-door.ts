import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Head } from '@dragoman/core'
import type { Gateway, Pending, Refusal } from '@dragoman/gateway'
import { createNodeReply } from './node-reply.ts'
import { endRest, readInto } from './read-body.ts'
import { createSweep } from './sweep.ts'

export interface NodeDoorOptions {
  /** How long a body may take to arrive, in milliseconds. */
  readonly bodyMs?: number | undefined
  /** How long a call may wait for memory for its body, in milliseconds. */
  readonly roomMs?: number | undefined
  /** How long a body may pause, in milliseconds. */
  readonly idleMs?: number | undefined
  /** The network address of the caller, for servers behind proxies. Absent: that of the connection. */
  readonly addressOf?: ((request: IncomingMessage) => string | undefined) | undefined
}

/**
 * The gateway as a request listener, for `http.createServer` and for Express (before any body parser: the gateway reads the body itself,
 * and only after it has admitted the call).
 */
export function createNodeHandler(
  gateway: Gateway,
  { bodyMs = 60_000, roomMs = 240_000, idleMs = 20_000, addressOf = remoteAddress }: NodeDoorOptions = {},
): (request: IncomingMessage, response: ServerResponse) => void {
  const pauseMs = Math.min(idleMs, bodyMs)
  const times = { bodyMs, roomMs, idleMs: pauseMs, sweep: createSweep(Math.min(1000, pauseMs / 4)) }
  return (request, response) => {
    if (isWithoutHost(request)) return refuseCall(gateway, request, response, 'no-host')
    // Tokens are small and must be sent at once.
    request.socket.setNoDelay(true)
    const read = (pending: Pending | undefined): void => {
      if (pending === undefined) endRest(request, response)
      else readInto(pending, request, response, times)
    }
    try {
      const opened = gateway.open(headOf(request, addressOf(request)), createNodeReply(response))
      if (opened instanceof Promise) opened.then(read).catch(() => response.destroy())
      else read(opened)
    } catch {
      response.destroy()
    }
  }
}

/** Answers a call without reading its body. */
export function refuseCall(gateway: Gateway, request: IncomingMessage, response: ServerResponse, why: Refusal): void {
  endRest(request, response)
  gateway.refuse(headOf(request, undefined), createNodeReply(response), why)
}

/** Node refuses such a call with an empty body, unless `guardServer` has changed this. */
function isWithoutHost({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion === '1.1'
}

function remoteAddress({ socket }: IncomingMessage): string | undefined {
  return socket.remoteAddress
}

function headOf(request: IncomingMessage, address: string | undefined): Head {
  const url = request.url ?? '/'
  const mark = url.indexOf('?')
  return {
    method: request.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? '' : url.slice(mark + 1),
    // Otherwise a proxy before this server knows the scheme.
    origin: 'encrypted' in request.socket ? `https://${request.headers.host}` : undefined,
    address,
    header(name) {
      const value = request.headers[name]
      return typeof value === 'object' ? value.join(', ') : value
    },
  }
}

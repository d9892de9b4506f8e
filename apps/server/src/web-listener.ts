import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import type { AddressOf } from './client-address.ts'

/** Answers requests of web standards, from an address. */
export type WebHandler = (request: Request, address?: string) => Promise<Response>

/** Passes requests of Node's server to a handler, which is loaded by the first one. */
export function createWebListener(load: () => Promise<WebHandler>, addressOf: AddressOf): RequestListener {
  let handler: Promise<WebHandler> | undefined
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    handler ??= load()
    const answered = await (await handler)(webRequest(request), addressOf(request))
    // The rest of a body that was not read to its end would be read as the next request.
    const connection = request.complete ? {} : { connection: 'close' }
    response.writeHead(answered.status, { ...Object.fromEntries(answered.headers), ...connection })
    if (answered.body === null) response.end()
    // Reports can be long: a slow client slows them down.
    else await pipeline(Readable.fromWeb(answered.body as WebStream<Uint8Array>), response) // Node's own type
  }
  return (request, response) => {
    answer(request, response).catch(() => response.destroy())
  }
}

function webRequest(request: IncomingMessage): Request {
  const { method = 'GET', url = '/', headers } = request
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const hasBody = method !== 'GET' && method !== 'HEAD' && method !== 'DELETE'
  const body = hasBody ? { body: Readable.toWeb(request) as ReadableStream<Uint8Array>, duplex: 'half' as const } : {} // Node's own type
  return new Request(new URL(url, 'http://localhost'), { method, headers: given, ...body })
}

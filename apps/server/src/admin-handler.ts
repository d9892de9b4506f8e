import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { AdminHandler, AdminOptions } from '@dragoman/accounts/admin'
import type { AddressOf } from './client-address.ts'

/** Where admin calls are. The module that answers them is loaded by the first one, so its own constant cannot be used here. */
const BASE = '/admin/v1'

/** Whether a URL is that of an admin call. */
export function isAdminCall(url = ''): boolean {
  return url.startsWith(BASE) && /^[/?]|^$/.test(url.slice(BASE.length))
}

/** Answers admin calls of Node's server. */
export function createAdminListener(options: AdminOptions, addressOf: AddressOf): RequestListener {
  let handler: Promise<AdminHandler> | undefined
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    handler ??= import('@dragoman/accounts/admin').then(({ createAdmin }) => createAdmin(options))
    const answered = await (await handler)(webRequest(request), addressOf(request))
    const body = await answered.text()
    // A body that was not read to its end would be taken for the next request.
    const connection = request.complete ? {} : { connection: 'close' }
    response.writeHead(answered.status, { ...Object.fromEntries(answered.headers), ...connection }).end(body)
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

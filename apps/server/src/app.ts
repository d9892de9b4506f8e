import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { protocols } from '@dragoman/core/protocols'
import { isAdminCall } from './admin-handler.ts'

/**
 * The gateway, with Express for other pages: pages and whatever an operator adds use Express. API calls bypass its routing, and a
 * start does not load it.
 */
export function createApp(handle: RequestListener, admin: RequestListener, isReady: () => boolean): RequestListener {
  let pages: Promise<RequestListener> | undefined
  return (request, response) => {
    // Without a host nothing is served; the gateway answers with an error.
    if (isCall(request.url) || request.headers.host === undefined || isWebsocket(request))
      return handle(request, response)
    if (isAdminCall(request.url)) return admin(request, response)
    if (request.url === '/healthz') return answerStatus(response, 200, 'ok')
    if (request.url === '/readyz')
      return isReady() ? answerStatus(response, 200, 'ready') : answerStatus(response, 503, 'closing')
    pages ??= import('./pages.ts').then(({ createPages }) => createPages(handle))
    void pages.then((page) => page(request, response))
  }
}

/** The gateway refuses websockets at every path. */
function isWebsocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/** Calls of a protocol, and calls that are to be explained. */
function isCall(url = ''): boolean {
  const path = url.startsWith('/explain/') ? url.slice('/explain'.length) : url
  return protocols.some(({ http }) => path.startsWith(http.base) && /^[/?]|^$/.test(path.slice(http.base.length)))
}

/** `/healthz`: the process works. `/readyz`: it accepts calls, so that a load balancer may send them. */
function answerStatus(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ status: text }))
}

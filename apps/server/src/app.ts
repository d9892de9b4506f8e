import type { RequestListener } from 'node:http'
import { protocols } from '@dragoman/core'

/**
 * The gateway, with Express beside it: pages and whatever an operator adds go through Express, calls of the API do not pay for
 * its routing, nor does a start for loading it.
 */
export function createApp(handle: RequestListener): RequestListener {
  let pages: Promise<RequestListener> | undefined
  return (request, response) => {
    // Without a host nothing is served: the gateway says so.
    if (isCall(request.url) || request.headers.host === undefined) return handle(request, response)
    if (request.url === '/healthz') return answerHealth(request, response)
    pages ??= import('./pages.ts').then(({ createPages }) => createPages(handle))
    void pages.then((page) => page(request, response))
  }
}

function isCall(url: string | undefined): boolean {
  return protocols.some(({ http }) => url?.startsWith(`${http.base}/`) === true)
}

/** Asked every few seconds by whatever keeps the server running. */
const answerHealth: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}')
}

import type { RequestListener } from 'node:http'
import { protocols } from '@dragoman/core'

/**
 * The gateway, with Express for other pages: pages and whatever an operator adds use Express. API calls bypass its routing, and a
 * start does not load it.
 */
export function createApp(handle: RequestListener): RequestListener {
  let pages: Promise<RequestListener> | undefined
  return (request, response) => {
    // Without a host nothing is served; the gateway answers with an error.
    if (isCall(request.url) || request.headers.host === undefined) return handle(request, response)
    if (request.url === '/healthz') return answerHealth(request, response)
    pages ??= import('./pages.ts').then(({ createPages }) => createPages(handle))
    void pages.then((page) => page(request, response))
  }
}

function isCall(url: string | undefined): boolean {
  return protocols.some(
    ({ http }) => url?.startsWith(http.base) === true && /^[/?]|^$/.test(url.slice(http.base.length)),
  )
}

/** The health check. */
const answerHealth: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}')
}

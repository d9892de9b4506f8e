import type { RequestListener, ServerResponse } from 'node:http'
import type { AccountListeners } from './account-listeners.ts'
import { routeOf, type RouteName } from './server-routes.ts'

export interface AppOptions extends AccountListeners {
  readonly calls: RequestListener
  /** Why calls should go elsewhere; undefined if they are accepted here. */
  readonly unready: () => string | undefined
  /** Whether connections are closed after their answers, so that clients open others elsewhere. */
  readonly isDraining?: () => boolean
}

/**
 * The gateway, with Express for other pages: pages and whatever an operator adds use Express. API calls bypass its routing, and a
 * start does not load it.
 */
export function createApp({
  calls,
  admin,
  generation,
  unready,
  isDraining = () => false,
}: AppOptions): RequestListener {
  let pages: Promise<RequestListener> | undefined
  const listeners: { readonly [Name in RouteName]: RequestListener } = {
    calls,
    admin,
    generation,
    health: (_request, response) => answerStatus(response, 200, 'ok'),
    readiness(_request, response) {
      const reason = unready()
      answerStatus(response, reason === undefined ? 200 : 503, reason ?? 'ready')
    },
    pages(request, response) {
      pages ??= import('./pages.ts').then(({ createPages }) => createPages(calls))
      pages.then((page) => page(request, response)).catch(() => response.destroy())
    },
  }
  return (request, response) => {
    if (isDraining()) response.shouldKeepAlive = false
    listeners[routeOf(request)](request, response)
  }
}

/** `/healthz`: the process works. `/readyz`: it accepts calls, so that a load balancer may send them. */
function answerStatus(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ status: text }))
}

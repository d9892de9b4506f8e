import type { IncomingMessage } from 'node:http'
import { ADMIN_BASE, GENERATION_PATH, isAdminPath } from '@dragoman/accounts'
import { protocols } from '@dragoman/core/protocols'
import { addressesOf, createFindRoute, createIsCall, type AppRoute } from '@dragoman/gateway'

export type RouteName = 'generation' | 'calls' | 'admin' | 'health' | 'readiness' | 'pages'

/** All routes of the server. The first that matches answers. */
export const SERVER_ROUTES: { readonly [Name in RouteName]: AppRoute<Pick<IncomingMessage, 'headers'>> } = {
  generation: { access: 'key', example: `${GENERATION_PATH}?id=1`, fits: isGeneration },
  calls: {
    access: 'operation',
    example: '/api/v1/chat/completions',
    // Without a host nothing is served, and websockets are refused at every path: the gateway answers with an error.
    fits: (path, { headers }) =>
      isCall(path) || headers.host === undefined || headers.upgrade?.toLowerCase() === 'websocket',
  },
  admin: { access: 'admin key', example: `${ADMIN_BASE}/keys`, fits: isAdminPath },
  health: { access: 'open', example: '/healthz', fits: (path) => path === '/healthz' },
  readiness: { access: 'open', example: '/readyz', fits: (path) => path === '/readyz' },
  /** What Express serves. Other paths go to the gateway, which refuses them in the shape of a protocol. */
  pages: { access: 'open', example: '/', fits: () => true },
}

export function routeOf(request: Pick<IncomingMessage, 'url' | 'headers'>): RouteName {
  const { url = '' } = request
  const mark = url.indexOf('?')
  return findRoute(mark < 0 ? url : url.slice(0, mark), request)
}

const findRoute = createFindRoute(SERVER_ROUTES, 'pages')
const isCall = createIsCall(protocols)
const GENERATION_PATHS = addressesOf(protocols, GENERATION_PATH)

function isGeneration(path: string): boolean {
  return GENERATION_PATHS.includes(path)
}

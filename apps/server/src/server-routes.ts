import type { IncomingMessage } from 'node:http'
import { ADMIN_BASE, GENERATION_PATH, isAdminPath } from '@dragoman/accounts'
import { protocols } from '@dragoman/core/protocols'
import { addressesOf, createIsCall } from '@dragoman/gateway'

/**
 * Who may use a route: everybody, who has a key, who has an admin key, or whom each operation of the gateway allows. Every route has a
 * policy, and a test asks all of them without a key.
 */
export type Policy = 'open' | 'key' | 'admin key' | 'operation'

export interface ServerRoute {
  readonly policy: Policy
  /** A path of it. */
  readonly example: string
  readonly fits: (path: string, request: Pick<IncomingMessage, 'headers'>) => boolean
}

export type RouteName = 'generation' | 'calls' | 'admin' | 'health' | 'readiness' | 'pages'

/** Everything that the server has an answer for. The first that fits answers. */
export const SERVER_ROUTES: { readonly [Name in RouteName]: ServerRoute } = {
  generation: { policy: 'key', example: `${GENERATION_PATH}?id=1`, fits: isGeneration },
  calls: {
    policy: 'operation',
    example: '/api/v1/chat/completions',
    // Without a host nothing is served, and websockets are refused at every path: the gateway answers with an error.
    fits: (path, { headers }) =>
      isCall(path) || headers.host === undefined || headers.upgrade?.toLowerCase() === 'websocket',
  },
  admin: { policy: 'admin key', example: `${ADMIN_BASE}/keys`, fits: isAdminPath },
  health: { policy: 'open', example: '/healthz', fits: (path) => path === '/healthz' },
  readiness: { policy: 'open', example: '/readyz', fits: (path) => path === '/readyz' },
  /** What Express serves. Other paths go to the gateway, which refuses them in the shape of a protocol. */
  pages: { policy: 'open', example: '/', fits: () => true },
}

export function routeOf(request: Pick<IncomingMessage, 'url' | 'headers'>): RouteName {
  const [path = ''] = (request.url ?? '').split('?', 1)
  for (const name of NAMES) if (SERVER_ROUTES[name].fits(path, request)) return name
  return 'pages'
}

const isCall = createIsCall(protocols)
const GENERATION_PATHS = addressesOf(protocols, GENERATION_PATH)
const NAMES = Object.keys(SERVER_ROUTES) as RouteName[] // its own keys

function isGeneration(path: string): boolean {
  return GENERATION_PATHS.includes(path)
}

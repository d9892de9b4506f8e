import { ADMIN_BASE, GENERATION_PATH, isAdminPath } from '@dragoman/accounts'
import { protocols } from '@dragoman/core/protocols'
import { addressesOf } from '@dragoman/gateway'

/**
 * Who may use a route: who has a key, who has an admin key, or whom each operation of the gateway allows. Every route has a policy, and a
 * test asks all of them without a key, with an inference key and with an admin key.
 */
export type Policy = 'key' | 'admin key' | 'operation'

export interface WorkerRoute {
  readonly policy: Policy
  /** A path of it. */
  readonly example: string
  readonly fits: (path: string) => boolean
}

export type RouteName = 'generation' | 'admin' | 'calls'

/** Everything that the worker has an answer for. The first that fits answers. */
export const WORKER_ROUTES: { readonly [Name in RouteName]: WorkerRoute } = {
  generation: { policy: 'key', example: `${GENERATION_PATH}?id=1`, fits: isGeneration },
  admin: { policy: 'admin key', example: `${ADMIN_BASE}/keys`, fits: isAdminPath },
  /** The gateway refuses unknown paths in the shape of a protocol. */
  calls: { policy: 'operation', example: '/api/v1/chat/completions', fits: () => true },
}

export function routeOf(path: string): RouteName {
  for (const name of NAMES) if (WORKER_ROUTES[name].fits(path)) return name
  return 'calls'
}

const GENERATION_PATHS = addressesOf(protocols, GENERATION_PATH)
const NAMES = Object.keys(WORKER_ROUTES) as RouteName[] // its own keys

function isGeneration(path: string): boolean {
  return GENERATION_PATHS.includes(path)
}

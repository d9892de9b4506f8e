import { ADMIN_BASE, GENERATION_PATH, isAdminPath } from '@dragoman/accounts'
import { protocols } from '@dragoman/core/protocols'
import { addressesOf, createFindRoute, type AppRoute } from '@dragoman/gateway'

export type RouteName = 'generation' | 'admin' | 'calls'

/** All routes of the worker. The first that matches answers. */
export const WORKER_ROUTES: { readonly [Name in RouteName]: AppRoute } = {
  generation: { access: 'key', example: `${GENERATION_PATH}?id=1`, fits: isGeneration },
  admin: { access: 'admin key', example: `${ADMIN_BASE}/keys`, fits: isAdminPath },
  /** The gateway refuses unknown paths in the shape of a protocol. */
  calls: { access: 'operation', example: '/api/v1/chat/completions', fits: () => true },
}

export function routeOf(path: string): RouteName {
  return findRoute(path, undefined)
}

const findRoute = createFindRoute(WORKER_ROUTES, 'calls')
const GENERATION_PATHS = addressesOf(protocols, GENERATION_PATH)

function isGeneration(path: string): boolean {
  return GENERATION_PATHS.includes(path)
}

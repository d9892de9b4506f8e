/**
 * Who may use a route of an app: everybody, callers with a key, callers with an admin key, or those that each operation of the gateway
 * admits.
 */
export type RouteAccess = 'open' | 'key' | 'admin key' | 'operation'

/** A route of an app. Every route has an access, and a test asks all of them without a key. */
export interface AppRoute<Request = undefined> {
  readonly access: RouteAccess
  /** A path of it. */
  readonly example: string
  readonly fits: (path: string, request: Request) => boolean
}

/** Finds the name of the first route that fits a path; `otherwise` if none does. */
export function createFindRoute<Name extends string, Request = undefined>(
  routes: { readonly [Each in Name]: AppRoute<Request> },
  otherwise: Name,
): (path: string, request: Request) => Name {
  const names = Object.keys(routes) as Name[] // its own keys
  return (path, request) => {
    for (const name of names) if (routes[name].fits(path, request)) return name
    return otherwise
  }
}

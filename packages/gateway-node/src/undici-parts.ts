import { createRequire } from 'node:module'
import type undici from 'undici'

const load = createRequire(import.meta.url)

/** Loads the pool alone, with the first call: all of undici takes 12 MB and 90 ms more. */
export function loadPool(): typeof undici.Pool {
  return load('undici/lib/dispatcher/pool.js') as typeof undici.Pool // the types of undici itself
}

/** Needs all of undici, so it is loaded only for a proxy. */
export function loadProxyAgent(): typeof undici.ProxyAgent {
  return (load('undici') as typeof undici).ProxyAgent
}

/** The symbols of undici's internal members. */
export function loadSymbols(): { readonly kSocket: symbol; readonly kParser: symbol } {
  return load('undici/lib/core/symbols.js') as ReturnType<typeof loadSymbols> // the exports of that file
}

import { createRequire } from 'node:module'
import type undici from 'undici'

const load = createRequire(import.meta.url)

/** What every call needs, by its file: all of undici takes 12 MB and 90 ms more to load. Loaded with the first call. */
export function loadPool(): typeof undici.Pool {
  return load('undici/lib/dispatcher/pool.js') as typeof undici.Pool // as its own types say
}

/** Needs all of it, so it is loaded where there is a proxy. */
export function loadProxyAgent(): typeof undici.ProxyAgent {
  return (load('undici') as typeof undici).ProxyAgent
}

/** The names under which undici keeps what is not part of its interface. */
export function loadSymbols(): { readonly kSocket: symbol; readonly kParser: symbol } {
  return load('undici/lib/core/symbols.js') as ReturnType<typeof loadSymbols> // as that file has them
}

import type { Head } from '@dragoman/core'
import type { Fields } from '@dragoman/core/provider'

export interface Cors {
  /** `https://app.example`, exactly as browsers send it, or '*' for all. */
  readonly origins: readonly string[] | '*'
}

const EXPOSED =
  'x-request-id, request-id, retry-after, x-dragoman-path, x-dragoman-losses, x-dragoman-provider, x-dragoman-model'

/** Headers that let a page read the answer; none for an origin that is not allowed. */
export function corsHeaders(cors: Cors | undefined, head: Head): Fields {
  const origin = cors === undefined ? undefined : head.header('origin')
  if (cors === undefined || origin === undefined) return {}
  if (cors.origins === '*') return { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED }
  if (!cors.origins.includes(origin)) return { vary: 'origin' }
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED, vary: 'origin' }
}

export function isPreflight(cors: Cors | undefined, head: Head): boolean {
  return cors !== undefined && head.method === 'OPTIONS' && head.header('access-control-request-method') !== undefined
}

/**
 * The headers of the answer to a preflight beside `corsHeaders`. SDKs send many headers of their own, so all requested ones are allowed.
 */
export function preflightHeaders(head: Head): Fields {
  const asked = head.header('access-control-request-headers') ?? ''
  return {
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': /^[\w\-, ]{1,2000}$/.test(asked) ? asked : 'authorization, content-type',
    'access-control-max-age': '86400',
  }
}

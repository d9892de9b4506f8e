import { DragomanError, type Head, type Match, type Protocol } from '@dragoman/core'

export interface Matched {
  readonly match: Match
  readonly query: URLSearchParams
}

/** The protocol that a path lives under: the longest base that covers it. */
export function findBase(protocols: readonly Protocol[], path: string): Protocol | undefined {
  let found: Protocol | undefined
  for (const protocol of protocols) {
    const { base } = protocol.http
    const covers = path.startsWith(base) && (path.length === base.length || path[base.length] === '/')
    if (covers && (found === undefined || base.length > found.http.base.length)) found = protocol
  }
  return found
}

/** What a call under a protocol's base asks for; the methods that would do when only the method is wrong. */
export function matchUnder(
  protocol: Protocol,
  head: Head,
): Matched | { readonly allow: readonly string[] } | undefined {
  const path = withoutSlash(head.path.slice(protocol.http.base.length))
  const query = new URLSearchParams(head.query)
  const match = protocol.http.match(head.method === 'HEAD' ? 'GET' : head.method, path, query)
  if (match === undefined) return undefined
  if (match !== 'method') return { match: decodeModel(match), query }
  const taken = METHODS.filter((method) => typeof protocol.http.match(method, path, query) === 'object')
  return { allow: taken.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method)) }
}

/** One slash too many is no other place. */
function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

const METHODS = ['GET', 'POST', 'DELETE']

/** A model in a path comes as sent, and SDKs write its slash as %2F. */
function decodeModel(match: Match): Match {
  const { model, bare } = match
  if (model === undefined || !model.includes('%')) return match
  try {
    const decoded = { ...match, model: decodeURIComponent(model) }
    return bare === undefined ? decoded : { ...decoded, bare: decodeURIComponent(bare) }
  } catch (cause) {
    throw new DragomanError('invalid-request', 'The path holds a broken percent-encoding.', { cause })
  }
}

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
  const path = head.path.slice(protocol.http.base.length)
  const query = new URLSearchParams(head.query)
  const match = protocol.http.match(head.method, path, query)
  if (match === undefined) return undefined
  if (match !== 'method') return { match: decodeModel(match), query }
  return { allow: METHODS.filter((method) => typeof protocol.http.match(method, path, query) === 'object') }
}

const METHODS = ['GET', 'POST', 'DELETE']

/** A model in a path comes as sent, and SDKs write its slash as %2F. */
function decodeModel(match: Match): Match {
  if (match.model === undefined || !match.model.includes('%')) return match
  try {
    return { ...match, model: decodeURIComponent(match.model) }
  } catch (cause) {
    throw new DragomanError('invalid-request', 'The path holds a broken percent-encoding.', { cause })
  }
}

import { DragomanError, type Head, type Match, type Protocol } from '@dragoman/core'
import { basesOf, explainedPath, isUnder, mountsFor, type Base, type Mount } from './bases.ts'
import { clip } from './clip.ts'

export interface Matched {
  readonly match: Match
  readonly query: URLSearchParams
}

/** The protocol of a call, and what the call asks for. */
export interface Found {
  /** Its codecs write the answer and all errors. */
  readonly protocol: Protocol
  readonly query: URLSearchParams
  /** 'method' if the path exists with another method; undefined if no protocol has the path. */
  readonly match: Match | 'method' | undefined
  /** The call is not to be made but to be explained: its path is behind `/explain`. */
  readonly isExplained: boolean
}

/** The paths of all protocols. */
export interface Paths {
  /**
   * Matches the path against all protocols whose base covers it: longest base first, equal bases in the order of the list, except that the
   * protocol of the client's headers comes first. If none matches path and method, the errors are written by one that has the path with
   * another method, otherwise by the first.
   */
  find(head: Head): Found
  /** The methods of a path, for the `allow` header. */
  methods(head: Head): string
  /** The error for a path that no protocol has. */
  unknown(head: Head): DragomanError
}

export function createPaths(protocols: readonly Protocol[]): Paths {
  const [fallback] = protocols
  if (fallback === undefined) throw new DragomanError('internal', 'A gateway needs at least one protocol.')
  const bases = basesOf(protocols)
  const names = namesOf(protocols, bases)
  const noQuery = new URLSearchParams()
  return {
    find(head) {
      const query = head.query === '' ? noQuery : new URLSearchParams(head.query)
      const method = head.method === 'HEAD' ? 'GET' : head.method
      const explained = explainedPath(head.path)
      const isExplained = explained !== undefined
      const path = explained ?? head.path
      let first: Protocol | undefined
      let other: Protocol | undefined
      for (const base of bases) {
        if (!isUnder(base, path)) continue
        for (const mount of mountsFor(base, head)) {
          const { protocol } = mount
          const match = matchIn(mount, base, method, path, query)
          if (typeof match === 'object') return { protocol, query, match, isExplained }
          first ??= protocol
          if (match === 'method') other ??= protocol
        }
      }
      if (other !== undefined) return { protocol: other, query, match: 'method', isExplained }
      return { protocol: first ?? fallback, query, match: undefined, isExplained }
    },
    methods(head) {
      const query = new URLSearchParams(head.query)
      const path = explainedPath(head.path) ?? head.path
      const covering = bases.filter((base) => isUnder(base, path))
      const takes = (method: string): boolean =>
        covering.some((base) =>
          base.mounts.some((mount) => typeof matchIn(mount, base, method, path, query) === 'object'),
        )
      return METHODS.filter(takes)
        .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method))
        .join(', ')
    },
    unknown: ({ path }) =>
      new DragomanError('not-found', `No endpoint at ${clip(path, LONGEST_PATH)}. Bases: ${names}.`),
  }
}

/** The bases for an error message. At the root, those that begin with a version: clients are given the address before it. */
function namesOf(protocols: readonly Protocol[], bases: readonly Base[]): string {
  const own = [...new Set(protocols.map(({ http }) => http.base))]
  const roots = bases.map(({ at }) => at).filter((at) => VERSIONED.test(at) && !own.includes(at))
  return own.join(', ') + (roots.length === 0 ? '' : `; at the root: ${roots.toSorted().join(', ')}`)
}

const VERSION = /^\/v\d\w*$/
const VERSIONED = /^\/v\d/
const METHODS = ['GET', 'POST', 'DELETE']
const LONGEST_PATH = 512

function matchIn(
  { protocol: { http }, inner }: Mount,
  { at }: Base,
  method: string,
  path: string,
  query: URLSearchParams,
): Match | 'method' | undefined {
  const rest = withoutSlash(inner + path.slice(at.length))
  return http.match(method, rest, query) ?? matchBase(http.base, rest, method)
}

/** A base, also with the version that the paths of its protocol begin with. */
function matchBase(base: string, rest: string, method: string): Match | 'method' | undefined {
  const isBase = rest === '' || (VERSION.test(rest) && !/\/v\d\w*$/.test(base))
  if (!isBase) return undefined
  return method === 'GET' ? { operation: 'base' } : 'method'
}

/** A trailing slash is ignored. */
function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path
}

/** Models in paths arrive percent-encoded; SDKs write a slash as %2F. */
export function decodeModel(match: Match): Match {
  const { model, withoutPublisher } = match
  if (model === undefined || !model.includes('%')) return match
  try {
    const decoded = { ...match, model: decodeURIComponent(model) }
    return withoutPublisher === undefined
      ? decoded
      : { ...decoded, withoutPublisher: decodeURIComponent(withoutPublisher) }
  } catch (cause) {
    throw new DragomanError('invalid-request', 'The path holds a broken percent-encoding.', { cause })
  }
}

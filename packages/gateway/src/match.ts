import { DragomanError, type Head, type Match, type Protocol } from '@dragoman/core'
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
   * Matches the path against all protocols whose base covers it: longest base first, equal bases in the order of the list. If none
   * matches path and method, the errors are written by one that has the path with another method, otherwise by the first.
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
  // The sort is stable: protocols with equal bases stay in the order of the list.
  const ordered = protocols.toSorted((left, right) => right.http.base.length - left.http.base.length)
  const bases = [...new Set(protocols.map(({ http }) => http.base))].join(', ')
  return {
    find(head) {
      const query = new URLSearchParams(head.query)
      const method = head.method === 'HEAD' ? 'GET' : head.method
      const path = explainedPath(head.path)
      const isExplained = path !== undefined
      let first: Protocol | undefined
      let other: Protocol | undefined
      for (const protocol of ordered) {
        const match = matchUnder(protocol, method, path ?? head.path, query)
        if (match === 'elsewhere') continue
        if (typeof match === 'object') return { protocol, query, match, isExplained }
        first ??= protocol
        if (match === 'method') other ??= protocol
      }
      if (other !== undefined) return { protocol: other, query, match: 'method', isExplained }
      return { protocol: first ?? fallback, query, match: undefined, isExplained }
    },
    methods({ path, query }) {
      const asked = new URLSearchParams(query)
      const takes = (method: string): boolean =>
        ordered.some((protocol) => typeof matchUnder(protocol, method, explainedPath(path) ?? path, asked) === 'object')
      return METHODS.filter(takes)
        .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method))
        .join(', ')
    },
    unknown: ({ path }) =>
      new DragomanError('not-found', `No endpoint at ${clip(path, LONGEST_PATH)}. Bases: ${bases}.`),
  }
}

const EXPLAIN = '/explain'

/** The path of a call that is to be explained; undefined for other paths. */
function explainedPath(path: string): string | undefined {
  return path.startsWith(`${EXPLAIN}/`) ? path.slice(EXPLAIN.length) : undefined
}

const METHODS = ['GET', 'POST', 'DELETE']
const LONGEST_PATH = 512

function matchUnder(
  { http }: Protocol,
  method: string,
  path: string,
  query: URLSearchParams,
): Match | 'method' | 'elsewhere' | undefined {
  const { base } = http
  const covers = path.startsWith(base) && (path.length === base.length || path[base.length] === '/')
  if (!covers) return 'elsewhere'
  const rest = withoutSlash(path.slice(base.length))
  return http.match(method, rest, query) ?? matchBase(base, rest, method)
}

/** A base, also with the version that the paths of its protocol begin with. */
function matchBase(base: string, rest: string, method: string): Match | 'method' | undefined {
  const isBase = rest === '' || (/^\/v\d\w*$/.test(rest) && !/\/v\d\w*$/.test(base))
  if (!isBase) return undefined
  return method === 'GET' ? { operation: 'base' } : 'method'
}

/** A trailing slash is ignored. */
function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path
}

/** Models in paths arrive percent-encoded; SDKs write a slash as %2F. */
export function decodeModel(match: Match): Match {
  const { model, bare } = match
  if (model === undefined || !model.includes('%')) return match
  try {
    const decoded = { ...match, model: decodeURIComponent(model) }
    return bare === undefined ? decoded : { ...decoded, bare: decodeURIComponent(bare) }
  } catch (cause) {
    throw new DragomanError('invalid-request', 'The path holds a broken percent-encoding.', { cause })
  }
}

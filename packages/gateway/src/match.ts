import { DragomanError, type Head, type Match, type Protocol } from '@dragoman/core'
import { clip } from './clip.ts'

export interface Matched {
  readonly match: Match
  readonly query: URLSearchParams
}

/** Whose call it is, and what it asks for. */
export interface Found {
  /** Answers the call, errors included. */
  readonly protocol: Protocol
  readonly query: URLSearchParams
  /** 'method': the path is known, but not with this method. Undefined: no protocol knows the path. */
  readonly match: Match | 'method' | undefined
}

/** The paths of all protocols. */
export interface Paths {
  /**
   * Asks the protocols whose base covers the path, the longest base first, and those that share a base in the order of the list.
   * The first that knows path and method gets the call. If there is none, one that knows the path answers, or the first asked.
   */
  find(head: Head): Found
  /** The methods that a path takes, for the `allow` header. */
  methods(head: Head): string
  /** The error for a path that no protocol knows. */
  unknown(head: Head): DragomanError
}

export function createPaths(protocols: readonly Protocol[]): Paths {
  const [fallback] = protocols
  if (fallback === undefined) throw new DragomanError('internal', 'A gateway needs at least one protocol.')
  // A stable sort: protocols with bases of one length stay in the order of the list.
  const ordered = protocols.toSorted((left, right) => right.http.base.length - left.http.base.length)
  const bases = [...new Set(protocols.map(({ http }) => http.base))].join(', ')
  return {
    find(head) {
      const query = new URLSearchParams(head.query)
      const method = head.method === 'HEAD' ? 'GET' : head.method
      let first: Protocol | undefined
      let other: Protocol | undefined
      for (const protocol of ordered) {
        const match = matchUnder(protocol, method, head.path, query)
        if (match === 'elsewhere') continue
        if (typeof match === 'object') return { protocol, query, match }
        first ??= protocol
        if (match === 'method') other ??= protocol
      }
      if (other !== undefined) return { protocol: other, query, match: 'method' }
      return { protocol: first ?? fallback, query, match: undefined }
    },
    methods({ path, query }) {
      const asked = new URLSearchParams(query)
      const takes = (method: string): boolean =>
        ordered.some((protocol) => typeof matchUnder(protocol, method, path, asked) === 'object')
      return METHODS.filter(takes)
        .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method))
        .join(', ')
    },
    unknown: ({ path }) =>
      new DragomanError('not-found', `No endpoint at ${clip(path, LONGEST_PATH)}. Bases: ${bases}.`),
  }
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
  return covers ? http.match(method, withoutSlash(path.slice(base.length)), query) : 'elsewhere'
}

/** A trailing slash changes nothing. */
function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/** A model in a path comes as sent, and SDKs write its slash as %2F. */
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

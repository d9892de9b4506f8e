/** The kind of an error. Each protocol has a status and a wire shape for every kind. */
export type ErrorKind =
  | 'invalid-request'
  | 'unsupported'
  | 'authentication'
  | 'permission'
  | 'budget'
  | 'not-found'
  | 'method'
  | 'media-type'
  | 'too-large'
  /** The request has too many headers, or headers that are too long. */
  | 'headers-too-large'
  /** The request has an `Expect` header with an unknown value. */
  | 'expectation'
  /** The request asks for another protocol, such as a websocket. */
  | 'upgrade'
  /** The caller was too slow to send its request. */
  | 'request-timeout'
  | 'conflict'
  | 'unprocessable'
  | 'rate-limit'
  | 'timeout'
  | 'cancelled'
  /** The gateway has as much work as it takes. */
  | 'overloaded'
  | 'unavailable'
  /** The upstream could not be reached, or its answer could not be read. */
  | 'upstream'
  /** The upstream answered that it failed. */
  | 'upstream-error'
  /** The upstream answered that it has too much work. */
  | 'upstream-overloaded'
  | 'interrupted'
  | 'internal'

/** Members of an error that only its own protocol has. */
type ErrorDetails = { readonly [key: string]: string | readonly string[] }

/** Details of an error beyond its kind and its message. */
export interface ErrorFacts {
  /** The invalid member of the request, as a path: `messages.0.content`. */
  readonly param?: string | undefined
  /** A code for programs, of the upstream or our own. */
  readonly code?: string | undefined
  /** Further members of the protocol's own error shape. */
  readonly details?: ErrorDetails | undefined
  /** Seconds after which a retry is useful. */
  readonly retryAfter?: number | undefined
  /** False tells the SDKs not to retry, although the status would make them. */
  readonly retry?: false | undefined
  /** The cause, for operators, never for the caller. */
  readonly cause?: unknown
}

/** The same symbol in every copy of this package. */
const MARK = Symbol.for('@dragoman/core.error')

/** The only error class of this project. The message is for the caller: it never contains a key, a header value or a prompt. */
export class DragomanError extends Error {
  override readonly name = 'DragomanError'
  readonly kind: ErrorKind
  readonly param: string | undefined
  readonly code: string | undefined
  readonly details: ErrorDetails | undefined
  readonly retryAfter: number | undefined
  readonly retry: false | undefined

  constructor(kind: ErrorKind, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.kind = kind
    this.param = facts.param
    this.code = facts.code
    this.details = facts.details
    this.retryAfter = facts.retryAfter
    this.retry = facts.retry
  }

  /** Whether a value is a DragomanError, of this copy of the package or of another. `instanceof` knows only its own copy. */
  static isInstance(value: unknown): value is DragomanError {
    return typeof value === 'object' && value !== null && MARK in value
  }

  get [MARK](): true {
    return true
  }
}

/** Any thrown value as a DragomanError. An unexpected error is internal, and its text is not shown. */
export function asDragomanError(thrown: unknown): DragomanError {
  if (DragomanError.isInstance(thrown)) return thrown
  return new DragomanError('internal', 'The gateway failed to handle this request.', { cause: thrown })
}

/** What went wrong, in one word; each protocol has a status and a wire shape for every kind. */
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
  /** The head of a request has too many headers, or too long ones. */
  | 'headers-too-large'
  /** The request expects more of a server than to be told to go on. */
  | 'expectation'
  /** The caller was too slow to send its request. */
  | 'request-timeout'
  | 'conflict'
  | 'unprocessable'
  | 'rate-limit'
  | 'timeout'
  | 'cancelled'
  | 'overloaded'
  | 'unavailable'
  | 'upstream'
  | 'interrupted'
  | 'internal'

/** What is known of an error beyond its kind and its message. */
export interface ErrorFacts {
  /** The member of the request that is wrong, as a path: `messages.0.content`. */
  readonly param?: string | undefined
  /** A word for programs, in the upstream's or our own vocabulary. */
  readonly code?: string | undefined
  /** What the protocol's own error shape has room for beyond that. */
  readonly details?: { readonly [key: string]: string } | undefined
  /** Seconds after which a retry makes sense. */
  readonly retryAfter?: number | undefined
  /** False tells the SDKs not to retry although the status would make them. */
  readonly retry?: false | undefined
  /** For us, never for the caller. */
  readonly cause?: unknown
}

/** The same symbol in every copy of this package. */
const MARK = Symbol.for('@dragoman/core.error')

/** The one error of this project. The message is for the caller: it never holds a key, a header value or a prompt. */
export class DragomanError extends Error {
  override readonly name = 'DragomanError'
  readonly kind: ErrorKind
  readonly param: string | undefined
  readonly code: string | undefined
  readonly details: { readonly [key: string]: string } | undefined
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

  /** Whether a value is such an error, of this copy of the package or of another one. `instanceof` knows its own copy alone. */
  static isInstance(value: unknown): value is DragomanError {
    return typeof value === 'object' && value !== null && MARK in value
  }

  get [MARK](): true {
    return true
  }
}

/** Anything thrown, as the one error: what we did not foresee is ours, and its text stays with us. */
export function asDragomanError(thrown: unknown): DragomanError {
  if (DragomanError.isInstance(thrown)) return thrown
  return new DragomanError('internal', 'The gateway failed to handle this request.', { cause: thrown })
}

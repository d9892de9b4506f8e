import type {
  DragomanError,
  JsonObject,
  Losses,
  ModelRequest,
  ModelResponse,
  Path,
  Protocol,
  TapEnd,
} from '@dragoman/core'
import type { MediaCodec, MediaEncoding, ReplaceSource } from '@dragoman/core/media'
import type { Billed, Card, Provider, Redact, Upstream } from '@dragoman/core/provider'
import type { Exchange } from '../exchange.ts'
import type { Restreamed } from '../modes/restream.ts'
import type { StreamHandler } from '../modes/handler.ts'
import type { Route } from '../route.ts'
import type { Settings } from '../settings.ts'

/**
 * What is different in one kind of media: pictures, vectors, videos. Everything else is the same for all kinds, and the same as for
 * conversations: routes, attempts, deadlines, metering, losses.
 */
export interface MediaRules<Request extends MediaRequest, Answer> {
  readonly name: string
  readonly codecOf: (protocol: Protocol) => MediaCodec<Request, Answer> | undefined
  /** Whether a model has calls of this kind. */
  readonly has: (card: Card) => boolean
  /**
   * Makes a request conform to a model. Throws a DragomanError for what the model refuses, with the member that `locate` finds in the
   * caller's body; reports what it leaves out or changes.
   */
  readonly fit: (request: Request, card: Card, losses: Losses, locate: (path: Path) => Path) => Request
  /** Replaces the pictures that a request names by URLs; absent if it has none. Returns the same request if nothing is replaced. */
  readonly links?: (request: Request, replace: ReplaceSource) => Request
  /** Refuses a request for one of its losses: without a value, the upstream would do something else. */
  readonly refuse?: (losses: Losses, locate: (path: Path) => Path) => void
  /** The request without its large values: what the answer needs. It outlives the request and crosses threads. */
  readonly brief: (request: Request) => Request
  /** What an answer is billed for. */
  readonly bill: (answer: Answer, asked: Request) => Billed | undefined
  /** The estimated tokens of a request, where an upstream bills them beside what it generates. */
  readonly input?: (request: Request) => number
  /** What a request is expected to be billed for; absent: the tokens of its prompt. */
  readonly expect?: (asked: Request) => Billed | undefined
  /** The call of a provider whose upstream has its own API; undefined if it has none. Absent if there are no such providers. */
  readonly drive?: (provider: Provider) => Drive<Request, Answer> | undefined
  /** Models that answer in a conversation. */
  readonly conversation?: {
    readonly has: (card: Card) => boolean
    readonly encode: (request: Request, losses: Losses) => ModelRequest
    readonly decode: (response: ModelResponse, losses: Losses) => Answer
  }
  /** The requests for several upstream calls, if one cannot answer all of it. Absent: one call is enough. */
  readonly split?: (request: Request, card: Card) => readonly Request[]
  /** The answers of these calls as one. */
  readonly join?: (answers: readonly Answer[]) => Answer
  /** Changes an answer as the caller needs it, such as pictures by URL for a caller that wants their bytes. */
  readonly finish?: (answer: Answer, asked: Request, upstream: Upstream, losses: Losses) => Answer | Promise<Answer>
  /** Removes secrets from an upstream's own words in an answer, such as why a picture was blocked. Absent if there are none. */
  readonly redact?: (answer: Answer, redact: Redact) => Answer
  /** Absent if answers are never streams. */
  readonly streams?: MediaStreams<Request, Answer>
  /** Forms, for kinds whose requests can be forms. */
  readonly formOf?: (protocol: Protocol) => MediaForms | undefined
  /** What the caller requested, for answers that repeat it. */
  readonly requested?: (asked: Request) => MediaEncoding['requested']
}

/** The members that requests of all kinds have. */
export interface MediaRequest {
  readonly model: string
}

/** Calls the API of an upstream. Rejects with a DragomanError. */
export type Drive<Request, Answer> = (
  request: Request,
  upstream: Upstream,
  losses: Losses,
  context: { readonly settings: Settings; readonly exchange: Exchange; readonly route: Route },
) => Promise<Answer>

/** Answers as streams. */
export interface MediaStreams<Request, Answer> {
  readonly isAsked: (request: Request) => boolean
  /** Whether the upstream of a model streams. */
  readonly isAble: (card: Card, protocol: Protocol) => boolean
  /** The request for an upstream that does not. */
  readonly asWhole: (request: Request) => Request
  /** Translates the stream of an upstream. */
  readonly translate: (caller: Protocol, upstream: Protocol, context: StreamContext<Request>) => StreamHandler
  /** The stream of a whole answer, or of the error that took its place. */
  readonly emulate: (caller: Protocol, take: () => Taken<Answer>, context: StreamContext<Request>) => StreamHandler
  /** A whole answer as the upstream would stream it. */
  readonly restream: (upstream: Protocol, answer: JsonObject, context: StreamContext<Request>) => Restreamed
  /** The error frame of a relayed stream. */
  readonly errorFrame: (caller: Protocol, error: DragomanError, context: StreamContext<Request>) => string
  /** What a relayed stream is billed for. */
  readonly billRelayed: (end: RelayedEnd, asked: Request) => Billed | undefined
}

export type Taken<Answer> = { readonly answer: Answer } | { readonly error: DragomanError }

/** What a tap knows at the end of a relayed stream. */
export type RelayedEnd = Pick<TapEnd, 'usage' | 'images'>

export interface StreamContext<Request> {
  readonly writing: Omit<MediaEncoding, 'losses'>
  /** The operation of the upstream's path. */
  readonly operation: string
  readonly issuer: string
  readonly dialect: JsonObject | undefined
  readonly asked: Request
}

/** Forms, and the JSON bodies that say the same. */
export interface MediaForms {
  read(form: FormData): Promise<JsonObject>
  write(body: JsonObject): FormData
}

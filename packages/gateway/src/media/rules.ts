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
import type { FormCodec, MediaCodec, MediaEncoding, ReplaceSource } from '@dragoman/core/media'
import type { Billed, Card, Provider, Redact, Upstream } from '@dragoman/core/provider'
import type { Prepared } from '../bodies/request-work.ts'
import type { ShortBody } from '../bodies/short-body.ts'
import type { Restreamed } from '../modes/restream.ts'
import type { StreamHandler } from '../modes/handler.ts'
import type { PreparedMedia } from './prepared-media.ts'

/**
 * What is different in one kind of media: images, embeddings, videos. Everything else is the same for all kinds, and the same as for
 * conversations: routes, attempts, deadlines, metering, losses. `Brief` is what the answer needs to know about its request: it outlives the
 * request and crosses threads.
 */
export interface MediaRules<Request extends MediaRequest, Answer, Brief> {
  /** The name of its operation. Others can have the same rules. */
  readonly name: string
  readonly codecOf: (protocol: Protocol) => MediaCodec<Request, Answer> | undefined
  /** Whether a model has calls of this kind. */
  readonly has: (card: Card) => boolean
  /**
   * Makes a request conform to a model. Throws a DragomanError for what the model refuses, with the member that `locate` finds in the
   * caller's body; reports what it leaves out or changes.
   */
  readonly fit: (request: Request, target: FitTarget, losses: Losses, locate: (path: Path) => Path) => Request
  /** Whether a fitted request is as it was; absent: its members are compared. */
  readonly isUnchanged?: (before: Request, after: Request) => boolean
  /** Replaces the images that a request names by URLs; absent if it has none. Returns the same request if nothing is replaced. */
  readonly links?: (request: Request, replace: ReplaceSource) => Request
  /** Refuses a request for one of its losses: without a value, the upstream would do something else. */
  readonly refuse?: (losses: Losses, locate: (path: Path) => Path) => void
  /** Without the large values of the request. `parts` are the requests that it was split into. */
  readonly brief: (fitted: Request, asked: Request, parts: readonly Request[], tokens: number) => Brief
  /** Changes a request that is ready, for kinds whose answers the gateway always writes itself. */
  readonly settle?: (prepared: Prepared<PreparedMedia<Request, Brief>>) => Prepared<PreparedMedia<Request, Brief>>
  /** The estimated tokens of a body, for kinds that are billed by them; absent: they are not counted. */
  readonly tokens?: (body: JsonObject, inbound: Protocol, short: ShortBody) => number
  /** Set if answers have files, as long strings: they are cut out while the rest is read. */
  readonly hasFiles?: true
  /** What an answer is billed for. */
  readonly bill: (answer: Answer, brief: Brief) => Billed | undefined
  /** The estimated tokens of a request, where an upstream bills them beside what it generates. */
  readonly input?: (request: Request) => number
  /** What a request is expected to be billed for; absent: the tokens of its prompt. */
  readonly expect?: (brief: Brief) => Billed | undefined
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
  /** A loss of a later one of these requests, in the whole request; undefined if the first has the same. Absent: it always has. */
  readonly later?: (loss: Path, index: number, card: Card) => Path | undefined
  /** The answers of these calls as one. Throws if they are not the answers to this request. */
  readonly join?: (answers: readonly Answer[], brief: Brief) => Answer
  /** Adds what the caller expects in an answer. */
  readonly complete?: (answer: Answer, brief: Brief, caller: Protocol, model: string | undefined) => Answer
  /** Changes an answer as the caller needs it, such as images by URL for a caller that wants their bytes. */
  readonly finish?: (answer: Answer, brief: Brief, upstream: Upstream, losses: Losses) => Answer | Promise<Answer>
  /** Removes secrets from texts of an upstream in an answer, such as why an image was blocked. Absent if there are none. */
  readonly redact?: (answer: Answer, redact: Redact) => Answer
  /** Absent if answers are never streams. */
  readonly streams?: MediaStreams<Request, Answer, Brief>
  /** Forms, for kinds whose requests can be forms. */
  readonly formOf?: (protocol: Protocol) => FormCodec | undefined
  /** What the caller requested, for answers that repeat it. */
  readonly requested?: (brief: Brief) => Pick<MediaEncoding, 'requested' | 'asked'>
}

/** The members that requests of all kinds have. */
export interface MediaRequest {
  readonly model: string
}

/** The model that a request is fitted to. */
export interface FitTarget {
  readonly inbound: Protocol
  readonly protocol: Protocol
  readonly card: Card
}

/** Calls the API of an upstream. Rejects with a DragomanError. */
export type Drive<Request, Answer> = (request: Request, upstream: Upstream, losses: Losses) => Promise<Answer>

/** Answers as streams. */
export interface MediaStreams<Request, Answer, Brief> {
  readonly isAsked: (request: Request) => boolean
  /** Whether the upstream of a model streams. */
  readonly isAble: (card: Card, protocol: Protocol) => boolean
  /** The request for an upstream that does not. */
  readonly asWhole: (request: Request) => Request
  /** Translates the stream of an upstream. */
  readonly translate: (caller: Protocol, upstream: Protocol, context: StreamContext<Brief>) => StreamHandler
  /** The stream of a whole answer, or of the error that took its place. */
  readonly emulate: (caller: Protocol, take: () => Taken<Answer>, context: StreamContext<Brief>) => StreamHandler
  /** A whole answer as the upstream would stream it. */
  readonly restream: (upstream: Protocol, answer: JsonObject, context: StreamContext<Brief>) => Restreamed
  /** The error frame of a relayed stream. */
  readonly errorFrame: (caller: Protocol, error: DragomanError, context: StreamContext<Brief>) => string
  /** What a relayed stream is billed for. */
  readonly billRelayed: (end: RelayedEnd, brief: Brief) => Billed | undefined
}

export type Taken<Answer> = { readonly answer: Answer } | { readonly error: DragomanError }

/** What a tap knows at the end of a relayed stream. */
export type RelayedEnd = Pick<TapEnd, 'usage' | 'images'>

export interface StreamContext<Brief> {
  readonly writing: Omit<MediaEncoding, 'losses'>
  /** The operation of the upstream's path. */
  readonly operation: string
  readonly issuer: string
  readonly dialect: JsonObject | undefined
  readonly brief: Brief
}

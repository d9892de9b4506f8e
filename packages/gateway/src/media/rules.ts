import type { Losses, ModelRequest, ModelResponse, Protocol } from '@dragoman/core'
import type { MediaCodec } from '@dragoman/core/media'
import type { Billed, Card, Provider, Upstream } from '@dragoman/core/provider'
import type { Exchange } from '../exchange.ts'
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
  /** Makes a request conform to a model. Throws a DragomanError for what the model refuses; reports what it leaves out or changes. */
  readonly fit: (request: Request, card: Card, losses: Losses) => Request
  /** The request without its large values: what the answer needs. It outlives the request and crosses threads. */
  readonly brief: (request: Request) => Request
  /** What an answer is billed for. */
  readonly bill: (answer: Answer, asked: Request) => Billed | undefined
  /** The call of a provider whose upstream has its own API; undefined if it has none. Absent if there are no such providers. */
  readonly drive?: (provider: Provider) => Drive<Request, Answer> | undefined
  /** Models that answer in a conversation. */
  readonly conversation?: {
    readonly has: (card: Card) => boolean
    readonly encode: (request: Request) => ModelRequest
    readonly decode: (response: ModelResponse) => Answer
  }
  /** The requests for several upstream calls, if one cannot answer all of it. Absent: one call is enough. */
  readonly split?: (request: Request, card: Card) => readonly Request[]
  /** The answers of these calls as one. */
  readonly join?: (answers: readonly Answer[]) => Answer
  /** Changes an answer as the caller needs it, such as pictures by URL for a caller that wants their bytes. */
  readonly finish?: (answer: Answer, asked: Request, upstream: Upstream, losses: Losses) => Answer | Promise<Answer>
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

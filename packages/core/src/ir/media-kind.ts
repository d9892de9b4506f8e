import type { Check } from '../lib/check-value.ts'
import type { Billed } from './billed.ts'
import type { ImageSettings } from './image.ts'
import type { ReplaceSource } from './linked-media.ts'
import type { Losses, Path } from './loss.ts'
import type { Modality } from './part.ts'
import type { ModelRequest } from './request.ts'
import type { ModelResponse } from './response.ts'

/**
 * What is different in one kind of call that is not a conversation: images, videos, embeddings. Everything else is the same for all kinds:
 * one translation of requests, one of answers, and in a gateway the path of every other call. Protocols have the codec of a kind, and
 * cards have its facts, under its name. `Brief` is what an answer needs to know about its request: plain data without large values,
 * because it outlives the request and crosses threads. The types are those of one kind; code for all kinds leaves them out.
 */
export interface MediaKind<
  Request extends MediaRequest = MediaRequest,
  Answer = unknown,
  Facts extends object = object,
  Brief = unknown,
> {
  readonly name: string
  /** What it is called in messages: `embeddings`. */
  readonly plural: string
  /** The operations of its paths, each with the form of its bodies. Two kinds can share an operation: the codecs tell their bodies apart. */
  readonly operations: { readonly [operation: string]: 'json' | 'json or multipart' }
  /** The facts of a card with such calls. */
  readonly facts: Check
  /** What a model takes and gives, if its card does not say. */
  modalities(facts: Facts): Modalities
  /**
   * Makes a request conform to a model. Throws a DragomanError for what the model refuses, with the member that `locate` finds in the
   * caller's body; reports what it leaves out or changes.
   */
  fit(request: Request, fit: MediaFit<Facts>): Request
  /** Whether a fitted request is as it was; absent: its members are compared. */
  isUnchanged?(asked: Request, fitted: Request): boolean
  /** Replaces the images that a request names by URLs; absent if it has none. Returns the same request if nothing is replaced. */
  links?(request: Request, replace: ReplaceSource): Request
  /** Refuses a request for one of its losses: without a value, the upstream would do something else. */
  refuse?(losses: Losses, locate: (path: Path) => Path): void
  /** The requests for several upstream calls, if one cannot answer all of it. Absent: one call is enough. */
  split?(request: Request, facts: Facts): readonly Request[]
  /** A loss of a later one of these requests, in the whole request; undefined if the first has the same. Absent: it always has. */
  later?(loss: Path, index: number, facts: Facts): Path | undefined
  /** `parts` are the requests that it was split into; `tokens` are the estimated ones of the body, if the kind is counted. */
  brief(fitted: Request, asked: Request, parts: readonly Request[], tokens: number, facts?: Facts): Brief
  /** The answers of these calls as one. Throws if they are not the answers to this request. */
  join?(answers: readonly Answer[], brief: Brief): Answer
  /** Adds what the caller expects in an answer. `model` is the name of the model that answers have; undefined if they have none. */
  complete?(answer: Answer, brief: Brief, named: { readonly model: string | undefined } | undefined): Answer
  /** What the caller requested, for answers that repeat it. */
  requested?(brief: Brief): RequestedMedia
  /** What an answer is billed for. */
  bill(answer: Answer, brief: Brief): Billed | undefined
  /** What a request is expected to be billed for; absent: the tokens of its prompt. */
  expect?(brief: Brief): Billed | undefined
  /** Set if requests are billed by the tokens of their bodies. */
  readonly isCounted?: true
  /** Set if answers have files, as long strings: they are cut out while the rest is read. */
  readonly hasFiles?: true
  /** Models that answer in a conversation. */
  readonly conversation?: {
    has(facts: Facts): boolean
    encode(request: Request, losses: Losses): ModelRequest
    decode(response: ModelResponse, losses: Losses): Answer
  }
  /** Absent if answers are never streams. */
  readonly stream?: {
    isAsked(request: Request): boolean
    /** Whether the upstream of a model streams. */
    isAble(facts: Facts): boolean
    /** The request for an upstream that does not. */
    asWhole(request: Request, losses: Losses): Request
  }
}

/** The members that requests of all kinds have. */
export interface MediaRequest {
  readonly model: string
}

/** Whom a request is fitted for. */
export interface MediaFit<Facts extends object = object> {
  /** Absent if nothing is known about the model: then only its protocol limits it. */
  readonly facts: Facts | undefined
  /** The kinds of content that the model accepts. */
  readonly accepts: readonly Modality[]
  /** What the upstream's protocol can express beyond the common: see `MediaCodec`. */
  readonly takes: readonly string[]
  /** Whether the upstream speaks the protocol of the caller. */
  readonly isSameProtocol: boolean
  readonly losses: Losses
  /** The path of a value in the body of the caller, for errors. */
  readonly locate: (path: Path) => Path
}

export interface Modalities {
  readonly input: readonly Modality[]
  readonly output: readonly Modality[]
}

/** What a caller requested, as encoders of answers repeat it. */
export interface RequestedMedia {
  readonly asked?: { readonly model: string; readonly encoding?: string } | undefined
  readonly requested?: ImageSettings | undefined
}

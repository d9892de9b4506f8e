import type { DragomanError, JsonObject, Losses, Protocol, TapEnd } from '@dragoman/core'
import type { MediaEncoding, MediaKind, MediaRequest } from '@dragoman/core/media'
import type { Billed, Provider, Redact, Upstream } from '@dragoman/core/provider'
import type { Prepared } from '../bodies/request-work.ts'
import type { Restreamed } from '../modes/restream.ts'
import type { StreamHandler } from '../modes/handler.ts'
import type { PreparedMedia } from './prepared-media.ts'

/** A kind of media with what only a gateway does: drivers, downloads, streams of bytes. Most kinds need nothing of it. */
export interface MediaRules<
  Request extends MediaRequest = MediaRequest,
  Answer = unknown,
  Facts extends object = object,
  Brief = unknown,
> extends MediaKind<Request, Answer, Facts, Brief> {
  /** Changes a request that is ready, for kinds whose answers the gateway always writes itself. */
  settle?(prepared: Prepared<PreparedMedia<Request, Brief>>): Prepared<PreparedMedia<Request, Brief>>
  /** The estimated tokens of a request, where an upstream bills them beside what it generates. */
  input?(request: Request): number
  /** The call of a provider whose upstream has its own API; undefined if it has none. Absent if there are no such providers. */
  drive?(provider: Provider): Drive<Request, Answer> | undefined
  /** Changes an answer as the caller needs it, such as images by URL for a caller that wants their bytes. */
  finish?(answer: Answer, brief: Brief, upstream: Upstream, losses: Losses): Answer | Promise<Answer>
  /** Removes secrets from texts of an upstream in an answer, such as why an image was blocked. Absent if there are none. */
  redact?(answer: Answer, redact: Redact): Answer
  /** Absent if answers are never streams. */
  readonly streams?: MediaStreams<Answer, Brief>
}

/** Calls the API of an upstream. Rejects with a DragomanError. */
export interface Drive<Request = MediaRequest, Answer = unknown> {
  draw(request: Request, upstream: Upstream, losses: Losses): Promise<Answer>
}

/** Answers as streams. */
export interface MediaStreams<Answer = unknown, Brief = unknown> {
  /** Translates the stream of an upstream. */
  translate(caller: Protocol, upstream: Protocol, context: StreamContext<Brief>): StreamHandler
  /** The stream of a whole answer, or of the error that took its place. */
  emulate(caller: Protocol, take: () => Taken<Answer>, context: StreamContext<Brief>): StreamHandler
  /** A whole answer as the upstream would stream it. */
  restream(upstream: Protocol, answer: JsonObject, context: StreamContext<Brief>): Restreamed
  /** The error frame of a relayed stream. */
  errorFrame(caller: Protocol, error: DragomanError, context: StreamContext<Brief>): string
  /** What a relayed stream is billed for. */
  billRelayed(end: RelayedEnd, brief: Brief): Billed | undefined
}

export type Taken<Answer = unknown> = { readonly answer: Answer } | { readonly error: DragomanError }

/** What a tap knows at the end of a relayed stream. */
export type RelayedEnd = Pick<TapEnd, 'usage' | 'images'>

export interface StreamContext<Brief = unknown> {
  readonly writing: Omit<MediaEncoding, 'losses'>
  /** The operation of the upstream's path. */
  readonly operation: string
  readonly issuer: string
  readonly dialect: JsonObject | undefined
  readonly brief: Brief
}

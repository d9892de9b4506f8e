import type { MediaAnswerFacts, MediaRequest } from '@dragoman/core/media'

/** What a media call needs to know about its request when the answer comes. Plain data, because it crosses threads. */
export interface PreparedMedia<Request extends MediaRequest = MediaRequest, Brief = unknown> extends MediaAnswerFacts {
  readonly mode: MediaMode
  /** The fitted request without its large values. */
  readonly brief: Brief
  /** The estimated tokens of the request; absent if they are not billed. */
  readonly input?: number | undefined
  /** Whether the answer is a stream; 'emulated' if it is made of a whole answer. */
  readonly stream: boolean | 'emulated'
  /** For a driver: its requests. */
  readonly requests?: readonly Request[] | undefined
}

/** How a route answers a media call: by its protocol's own call, in a conversation, or by the driver of its provider. */
export type MediaMode = 'protocol' | 'conversation' | 'driver'

import type { OutgoingBody } from '@dragoman/core/provider'

/** What a media call needs beside its body. Plain data, because it crosses threads. */
export interface PreparedMedia {
  readonly mode: MediaMode
  /** The operation of the upstream's path. */
  readonly operation: string
  /** The fitted request without its large values, for the kind of media that made it. */
  readonly asked: object
  /** The estimated tokens of the request; absent if they are not billed. */
  readonly input?: number | undefined
  /** Set if there are several upstream calls; otherwise the body is that of the only one. */
  readonly parts: readonly MediaPart[]
  /** Whether the answer is a stream; 'emulated' if it is made of a whole answer. */
  readonly stream: boolean | 'emulated'
  /** The content type of bodies that are forms. */
  readonly form?: string | undefined
  /** For a driver: its requests. */
  readonly request?: readonly object[] | undefined
}

/** The body of upstream calls. */
export interface MediaPart {
  readonly body: OutgoingBody
  /** How often it is sent. */
  readonly times: number
}

/** How a route answers a media call: by its protocol's own call, in a conversation, or by the driver of its provider. */
export type MediaMode = 'protocol' | 'conversation' | 'driver'

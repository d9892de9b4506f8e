import type { Losses } from '../ir/loss.ts'
import type { JsonObject } from '../lib/json.ts'
import type { NameMap } from '../lib/names.ts'

/** The context of a decoder. */
export interface DecodeContext {
  /** The issuer of plain seals. */
  readonly issuer: string
  /** The values in the path, in protocols that have them there. */
  readonly path?: Pick<Match, 'model' | 'stream'> | undefined
  /** Maps tool names of the upstream back to the caller's. */
  readonly names?: NameMap | undefined
  /** The upstream's differences from the protocol, from its card; read only by this protocol. */
  readonly dialect?: JsonObject | undefined
  /** The protocol of the request's caller: some values go only between two sides of the same protocol. */
  readonly caller?: string | undefined
  /** Called when a stream has reported usage: its counts include everything that was decoded before. */
  readonly counted?: (() => void) | undefined
}

/** The context of an encoder. */
export interface Encoding extends DecodeContext {
  /** Upstreams get only the seals of their own domain; clients get all of them, to send them back. */
  readonly toward: 'upstream' | 'client'
  /** New ids; numbered in tests. */
  readonly id: () => string
  /** Unix seconds, for responses without a time. */
  readonly now: number
  /** Whether the upstream opens URLs of media, from its card; absent: as its protocol says. */
  readonly urls?: boolean | undefined
  /** Limits of the target model. */
  readonly limits?: Limits | undefined
  /** Options of the caller that affect the response. */
  readonly asked?: Asked | undefined
}

/** The context of an encoder, with the losses of the whole value. */
export interface EncodeContext extends Encoding {
  readonly losses: Losses
}

/** From the model card. */
export interface Limits {
  readonly maxTokens?: number | undefined
  readonly reasoning?: { readonly min?: number | undefined; readonly max?: number | undefined } | undefined
}

/** Options of a request that affect its response. */
export interface Asked {
  /** The requested model, for a response that names none. */
  readonly model?: string | undefined
  readonly stop?: readonly string[] | undefined
  /** A usage chunk at the end of a stream. */
  readonly usage?: boolean | undefined
  /** What the response repeats of its request, for protocols whose responses do. */
  readonly echo?: JsonObject | undefined
  /** The client shows only texts: a refusal is written as one. */
  readonly textOnly?: true | undefined
  /** How a stream is framed, for protocols with more than one framing; from `Match`. */
  readonly framing?: string | undefined
  /** How embeddings are written. */
  readonly encoding?: string | undefined
}

/** The match of a path. */
export interface Match {
  /** What the call asks for: `generate`, `count`, `models`, `model`, `base`, or any other name in the gateway's table of operations. */
  readonly operation: string
  /** From the path, if the protocol has it there, still percent-encoded: the gateway decodes it. */
  readonly model?: string | undefined
  /** The model without the publisher that an SDK adds to names without a provider; also percent-encoded. */
  readonly withoutPublisher?: string | undefined
  readonly stream?: boolean | undefined
  readonly framing?: string | undefined
}

/** The path and form of an upstream call, under its base URL. */
export interface Target {
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  /** POST by default. */
  readonly method?: 'GET' | 'POST' | 'DELETE'
  /** The body of the call; by default JSON for a POST, and none for other methods. */
  readonly body?: 'json' | 'multipart' | 'none'
}

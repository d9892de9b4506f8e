import type { JsonObject, Usage } from '@dragoman/core'
import type { Auth, Environment, Provider, ProviderOptions } from '@dragoman/core/provider'

/** What the suite must know about a provider. It reads everything else from the wire. */
export interface ProviderSubject {
  create(options: ProviderOptions): Provider
  /** How calls carry the key; absent if they have no key. */
  readonly auth?: Auth | undefined
  /** The path at the end of its base URL, such as `/v1`. */
  readonly basePath: string
  /** The path of generating calls of each protocol, with `{model}` for the upstream's name of the model. */
  readonly paths: { readonly [protocol: string]: string }
  /** The path of its model list. */
  readonly listPath?: string | undefined
  /** How environment variables enable it. */
  readonly environment?: {
    readonly key?: string
    readonly baseURL?: string
    readonly enable: (environment: Environment) => readonly Provider[]
  }
  /** A listed model that the suite may call; by default a model that the suite adds. */
  readonly model?: string
  /** Requests of clients, and what the upstream must receive. */
  readonly requests?: readonly RequestCase[]
  /** Responses of the upstream, in addition to those that every upstream of a protocol gives. */
  readonly answers?: readonly AnswerCase[]
}

export interface RequestCase {
  readonly title: string
  /** The protocol of the upstream. */
  readonly protocol: string
  /** The protocol of the client; by default the same. */
  readonly from?: string
  readonly model?: string
  readonly stream?: true
  /** Members of the client's request, in addition to its model and its one message. */
  readonly asks: JsonObject
  /** Members that the upstream's request must have. */
  readonly sees?: JsonObject
  /** Members that it must not have, as dotted paths. */
  readonly lacks?: readonly string[]
  /** The losses that must be reported, such as `dropped settings.stop`; by default none. */
  readonly losses?: readonly string[]
}

export interface AnswerCase {
  readonly title: string
  /** The protocol of the upstream's response. */
  readonly protocol: string
  readonly model?: string
  readonly answer: ScriptedAnswer
  /** The clients that must read it correctly; by default all. */
  readonly clients?: readonly string[]
  readonly expects: Expected
}

/** An exact response: a JSON body, or the frames of a stream. With frames, the client requests a stream. */
export interface ScriptedAnswer {
  readonly status?: number
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string | Uint8Array
  readonly frames?: readonly string[]
  /** How the stream is sent: all at once, byte by byte, or with a broken connection at its end. */
  readonly sending?: 'bytes' | 'broken'
}

/** What a client of any protocol understands. Absent members are not checked. */
export interface Expected {
  readonly text?: string
  readonly reasoning?: string
  readonly calls?: readonly { readonly name: string; readonly input: JsonObject }[]
  readonly finish?: string
  /** The metered usage; `unknown` if the upstream did not send any, so that it is estimated. */
  readonly usage?: Partial<Usage> | 'unknown'
  /** The metered cost in nano-dollars, by item. */
  readonly cost?: { readonly [item: string]: number }
  /** The cited URLs. */
  readonly cites?: readonly string[]
  /** An error of any kind, with a status if nothing was sent yet. */
  readonly error?: true
}

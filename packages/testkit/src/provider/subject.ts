import type { Auth, Environment, JsonObject, Provider, ProviderOptions, Usage } from '@dragoman/core'

/** What the suite must know of a provider: the rest it sees on the wire. */
export interface ProviderSubject {
  create(options: ProviderOptions): Provider
  /** Where its calls carry the key; absent: nowhere. */
  readonly auth?: Auth | undefined
  /** The path that its base URL ends with, such as `/v1`. */
  readonly basePath: string
  /** Where generating calls of each protocol arrive, with `{model}` for what the upstream calls the model. */
  readonly paths: { readonly [protocol: string]: string }
  /** Where it asks for its model list. */
  readonly listPath?: string | undefined
  /** How it is enabled by the variables of an environment. */
  readonly environment?: {
    readonly key?: string
    readonly baseURL?: string
    readonly enable: (environment: Environment) => readonly Provider[]
  }
  /** A model that it lists and the suite may ask for; a model of the suite's own when absent. */
  readonly model?: string
  /** What must become of requests on their way. */
  readonly requests?: readonly RequestCase[]
  /** What must become of answers, beyond those that every upstream of a protocol gives. */
  readonly answers?: readonly AnswerCase[]
}

export interface RequestCase {
  readonly title: string
  /** The protocol that the upstream is asked in. */
  readonly protocol: string
  /** The protocol of the client; the same when absent. */
  readonly from?: string
  readonly model?: string
  readonly stream?: true
  /** Members of the client's request beside its model and its one message. */
  readonly asks: JsonObject
  /** Must be in the upstream's request. */
  readonly sees?: JsonObject
  /** Must not be in it, as dotted paths. */
  readonly lacks?: readonly string[]
  /** What must be reported, as `dropped settings.stop`; nothing when absent. */
  readonly losses?: readonly string[]
}

export interface AnswerCase {
  readonly title: string
  /** The protocol that the upstream answers in. */
  readonly protocol: string
  readonly model?: string
  readonly answer: ScriptedAnswer
  /** The clients that must get it right; all when absent. */
  readonly clients?: readonly string[]
  readonly expects: Expected
}

/** An answer byte for byte: a JSON body, or the frames of a stream, which makes the client ask for one. */
export interface ScriptedAnswer {
  readonly status?: number
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string
  readonly frames?: readonly string[]
  /** How the stream goes out: all at once, byte by byte, or broken off at its end. */
  readonly sending?: 'bytes' | 'broken'
}

/** What a client understands, whatever its protocol. Absent members are not looked at. */
export interface Expected {
  readonly text?: string
  readonly reasoning?: string
  readonly calls?: readonly { readonly name: string; readonly input: JsonObject }[]
  readonly finish?: string
  /** As it is metered; `undefined` as value: the upstream did not say. */
  readonly usage?: Partial<Usage> | 'unknown'
  /** The URLs that are cited. */
  readonly cites?: readonly string[]
  /** An error of any kind, with a status where nothing was sent yet. */
  readonly error?: true
}

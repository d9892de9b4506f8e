import type { JsonObject } from '../lib/json.ts'
import type { Node } from './extras.ts'
import type { Finish } from './finish.ts'
import type { Part } from './part.ts'
import type { Usage } from './usage.ts'

/** A response of a model. */
export interface ModelResponse extends Node {
  readonly id?: string
  readonly model?: string
  /** Unix seconds. */
  readonly created?: number
  /** Empty if and only if the prompt was blocked. Streams have only candidate 0. */
  readonly candidates: readonly Candidate[]
  readonly blocked?: Blocked
  readonly usage?: Usage
  /** The tier that it was served in. */
  readonly serviceTier?: string
}

/** The prompt was refused before anything was generated. */
export interface Blocked {
  readonly reason: string
  readonly message?: string
  readonly safety?: readonly JsonObject[]
}

/** One of the candidates of a response. */
export interface Candidate extends Node {
  readonly parts: readonly Part[]
  readonly finish: Finish
  readonly safety?: readonly JsonObject[]
  readonly logprobs?: Logprobs
  /** Search grounding as one object for the whole response; not copied into parts. */
  readonly grounding?: JsonObject
}

/** Log probabilities of the tokens of a candidate. */
export interface Logprobs {
  readonly tokens: readonly Logprob[]
  readonly average?: number
}

/** One token and its log probability. */
export interface Logprob extends Node {
  readonly token: string
  readonly logprob: number
  readonly bytes?: readonly number[]
  readonly top?: readonly Logprob[]
}

import type { JsonObject } from '../lib/json.ts'
import type { Node } from './extras.ts'
import type { Finish } from './finish.ts'
import type { Part } from './part.ts'
import type { Usage } from './usage.ts'

/** What a model answered. */
export interface ModelResponse extends Node {
  readonly id?: string
  readonly model?: string
  /** Unix seconds. */
  readonly created?: number
  /** Empty exactly when the prompt was blocked. Streams carry candidate 0 only. */
  readonly candidates: readonly Candidate[]
  readonly blocked?: Blocked
  readonly usage?: Usage
}

/** The prompt was refused before anything was generated. */
export interface Blocked {
  readonly reason: string
  readonly message?: string
  readonly safety?: readonly JsonObject[]
}

/** One of the answers to a request. */
export interface Candidate extends Node {
  readonly parts: readonly Part[]
  readonly finish: Finish
  readonly safety?: readonly JsonObject[]
  readonly logprobs?: Logprobs
  /** Search grounding as one object over the whole answer; not copied into parts. */
  readonly grounding?: JsonObject
}

/** How likely the tokens of a candidate were. */
export interface Logprobs {
  readonly tokens: readonly Logprob[]
  readonly average?: number
}

/** One token, and how likely it was. */
export interface Logprob extends Node {
  readonly token: string
  readonly logprob: number
  readonly bytes?: readonly number[]
  readonly top?: readonly Logprob[]
}

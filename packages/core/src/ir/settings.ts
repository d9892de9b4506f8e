import type { JsonObject } from '../lib/json.ts'
import type { Schema } from './tool.ts'

/** How to sample. */
export interface Settings {
  readonly maxTokens?: number
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly stop?: readonly string[]
  readonly presencePenalty?: number
  readonly frequencyPenalty?: number
  readonly seed?: number
  readonly logitBias?: JsonObject
  /** How many alternatives to report per token; 0 reports the chosen one alone. */
  readonly logprobs?: number
  /** How many answers, where more than one is wanted. */
  readonly candidates?: number
}

/** How much to think, and whether to show it. */
export interface ReasoningWish {
  readonly on?: boolean | 'dynamic'
  readonly effort?: string
  readonly budget?: number
  readonly show?: boolean
}

/** What form the answer takes. */
export interface OutputWish {
  readonly format?: 'text' | 'json' | 'enum'
  readonly schema?: Schema
  readonly name?: string
  readonly description?: string
  readonly strict?: boolean
  readonly modalities?: readonly string[]
  readonly speech?: JsonObject
  readonly image?: JsonObject
  readonly verbosity?: string
}

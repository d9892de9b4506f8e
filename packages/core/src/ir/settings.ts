import type { JsonObject } from '../lib/json.ts'
import type { ShapeOf } from './shape.ts'
import { SCHEMA_SHAPE, type Schema } from './tool.ts'

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

/** By which quirks name the settings. */
export const SETTINGS_SHAPE: ShapeOf<Settings> = {
  maxTokens: 'value',
  temperature: 'value',
  topP: 'value',
  topK: 'value',
  stop: ['value'],
  presencePenalty: 'value',
  frequencyPenalty: 'value',
  seed: 'value',
  logitBias: 'json',
  logprobs: 'value',
  candidates: 'value',
}

/** By which quirks name the members of the reasoning options. */
export const REASONING_SHAPE: ShapeOf<ReasoningWish> = { on: 'value', effort: 'value', budget: 'value', show: 'value' }

/** By which quirks name the members of the output options. */
export const OUTPUT_SHAPE: ShapeOf<OutputWish> = {
  format: 'value',
  schema: SCHEMA_SHAPE,
  name: 'value',
  description: 'value',
  strict: 'value',
  modalities: ['value'],
  speech: 'json',
  image: 'json',
  verbosity: 'value',
}

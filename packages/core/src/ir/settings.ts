import type { JsonObject } from '../lib/json.ts'
import type { ShapeOf } from './extras.ts'
import { SCHEMA_SHAPE, type Schema } from './tool.ts'

/** Sampling settings. */
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
  /** The number of alternatives per token; 0 reports only the chosen token. */
  readonly logprobs?: number
  /** The number of candidates, if more than one. */
  readonly candidates?: number
}

/** How much to reason, and whether to show it. */
export interface ReasoningOptions {
  /** 'between-tools': not before the first call, only after tool results. */
  readonly on?: boolean | 'dynamic' | 'between-tools'
  readonly effort?: string
  readonly budget?: number
  readonly show?: boolean
}

/** The format of the response. */
export interface OutputOptions {
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

/** The settings that quirks can name. */
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

/** The reasoning options that quirks can name. */
export const REASONING_SHAPE: ShapeOf<ReasoningOptions> = {
  on: 'value',
  effort: 'value',
  budget: 'value',
  show: 'value',
}

/** The output options that quirks can name. */
export const OUTPUT_SHAPE: ShapeOf<OutputOptions> = {
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

import type { JsonObject } from '../lib/json.ts'
import type { Node } from './extras.ts'
import { MESSAGE_SHAPE, type Message } from './message.ts'
import {
  OUTPUT_SHAPE,
  REASONING_SHAPE,
  SETTINGS_SHAPE,
  type OutputOptions,
  type ReasoningOptions,
  type Settings,
} from './settings.ts'
import type { ShapeOf } from './shape.ts'
import { TOOL_CHOICE_SHAPE, TOOL_SHAPE, type Tool, type ToolChoice } from './tool.ts'

/** A request to a model. */
export interface ModelRequest extends Node {
  readonly model: string
  readonly messages: readonly Message[]
  readonly tools?: readonly Tool[]
  readonly toolChoice?: ToolChoice
  readonly settings: Settings
  readonly reasoning?: ReasoningOptions
  readonly output?: OutputOptions
  readonly safety?: readonly JsonObject[]
  readonly cachedContent?: { readonly issuer: string; readonly name: string }
  /** The end user, as an opaque identifier: upstreams use it to detect abuse. */
  readonly user?: string
  readonly metadata?: JsonObject
  /** How fast and at which price it is served: 'default', 'flex', 'priority', or a word of the upstream. */
  readonly serviceTier?: string
  /** Requests with the same key are served where their common beginning is cached. */
  readonly promptCacheKey?: string
  /** How long the prompt is cached, in a word of the upstream. */
  readonly promptCacheRetention?: string
  readonly promptCacheOptions?: JsonObject
  /** What the upstream checks of the prompt and the answer. */
  readonly moderation?: JsonObject
  readonly delivery: Delivery
  /** Provider preferences of the client: used by the gateway, never forwarded. */
  readonly routing?: JsonObject
}

/** How the response is delivered. */
export interface Delivery {
  readonly stream?: boolean
  /** Usage at the end of the stream. */
  readonly usage?: boolean
  /** Reasoning is requested and billed, but left out of the response. */
  readonly hideReasoning?: boolean
  /** Padding of stream events against the guessing of their lengths. */
  readonly obfuscation?: boolean
}

const DELIVERY_SHAPE: ShapeOf<Delivery> = {
  stream: 'value',
  usage: 'value',
  hideReasoning: 'value',
  obfuscation: 'value',
}

/** The paths of a request that quirks can name. */
export const REQUEST_SHAPE: ShapeOf<ModelRequest> = {
  model: 'value',
  messages: [MESSAGE_SHAPE],
  tools: [TOOL_SHAPE],
  toolChoice: TOOL_CHOICE_SHAPE,
  settings: SETTINGS_SHAPE,
  reasoning: REASONING_SHAPE,
  output: OUTPUT_SHAPE,
  safety: 'json',
  cachedContent: 'json',
  user: 'value',
  metadata: 'json',
  serviceTier: 'value',
  promptCacheKey: 'value',
  promptCacheRetention: 'value',
  promptCacheOptions: 'json',
  moderation: 'json',
  delivery: DELIVERY_SHAPE,
  routing: 'json',
  extras: 'json',
}

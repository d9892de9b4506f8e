import type { JsonObject } from '../lib/json.ts'
import type { Node } from './extras.ts'
import { MESSAGE_SHAPE, type Message } from './message.ts'
import {
  OUTPUT_SHAPE,
  REASONING_SHAPE,
  SETTINGS_SHAPE,
  type OutputWish,
  type ReasoningWish,
  type Settings,
} from './settings.ts'
import type { ShapeOf } from './shape.ts'
import { TOOL_CHOICE_SHAPE, TOOL_SHAPE, type Tool, type ToolChoice } from './tool.ts'

/** What a client asks of a model. */
export interface ModelRequest extends Node {
  readonly model: string
  readonly messages: readonly Message[]
  readonly tools?: readonly Tool[]
  readonly toolChoice?: ToolChoice
  readonly settings: Settings
  readonly reasoning?: ReasoningWish
  readonly output?: OutputWish
  readonly safety?: readonly JsonObject[]
  readonly cachedContent?: { readonly issuer: string; readonly name: string }
  readonly metadata?: JsonObject
  readonly delivery: Delivery
  /** Whom to ask, in the words of the client: consumed by the gateway, never sent on. */
  readonly routing?: JsonObject
}

/** How the client wants the answer handed over. */
export interface Delivery {
  readonly stream?: boolean
  /** Usage at the end of the stream. */
  readonly usage?: boolean
  /** Reasoning is asked for and paid for, and left out of the answer. */
  readonly hideReasoning?: boolean
}

const DELIVERY_SHAPE: ShapeOf<Delivery> = { stream: 'value', usage: 'value', hideReasoning: 'value' }

/** By which quirks name the members of a request. */
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
  metadata: 'json',
  delivery: DELIVERY_SHAPE,
  routing: 'json',
  extras: 'json',
}

import type { JsonObject } from '../lib/json.ts'
import type { Node } from './extras.ts'
import type { Message } from './message.ts'
import type { OutputWish, ReasoningWish, Settings } from './settings.ts'
import type { Tool, ToolChoice } from './tool.ts'

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

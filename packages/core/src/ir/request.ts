import type { JsonObject } from '../lib/json.ts'
import { sha256 } from '../lib/sha256.ts'
import type { Node, ShapeOf } from './extras.ts'
import { PART_SHAPE, type Part } from './part.ts'
import { TOOL_CHOICE_SHAPE, TOOL_SHAPE, SCHEMA_SHAPE, type Tool, type ToolChoice, type Schema } from './tool.ts'
import type { Losses } from './loss.ts'

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

/**
 * One turn. Instructions are messages too, at their position. Tool results are the first parts of the user turn that answers the calls;
 * they have no role of their own.
 */
export interface Message extends Node {
  readonly role: Role
  readonly parts: readonly Part[]
  readonly name?: string
}

/** The role of a turn. */
export type Role = 'system' | 'developer' | 'user' | 'assistant'

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

/** The role of a turn whose role its protocol does not know: the model's if the word says so or the turn calls, or else the user's. */
export function guessRole(word: string, calls: boolean): 'assistant' | 'user' {
  return calls || word === 'assistant' || word === 'model' ? 'assistant' : 'user'
}

/** Reports the request for the usage of a stream, for protocols whose streams always end with it. The losses are those of the delivery. */
export function reportStreamUsage({ stream, usage }: Delivery, protocol: string, losses: Losses): void {
  const path = ['usage']
  const always = `${protocol} streams end with usage`
  if (!stream && usage !== undefined) losses.dropped(path, 'only streams have a choice about usage')
  else if (stream && usage === undefined) losses.added(path, true, always)
  else if (stream && !usage) losses.changed(path, true, always)
}

/** An identifier of an end user for an upstream that refuses the given one: it is still the same for the same user. */
export function hashedUser(user: string, losses: Losses): string {
  const hash = sha256(user)
  losses.changed(['user'], hash, 'this upstream would refuse it: its SHA-256')
  return hash
}

/** The settings that quirks can name. */
const SETTINGS_SHAPE: ShapeOf<Settings> = {
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
const REASONING_SHAPE: ShapeOf<ReasoningOptions> = {
  on: 'value',
  effort: 'value',
  budget: 'value',
  show: 'value',
}

/** The output options that quirks can name. */
const OUTPUT_SHAPE: ShapeOf<OutputOptions> = {
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

/** The paths of a message that quirks can name. */
const MESSAGE_SHAPE: ShapeOf<Message> = { role: 'value', parts: [PART_SHAPE], name: 'value', extras: 'json' }

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

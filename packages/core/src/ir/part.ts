import type { JsonObject } from '../lib/json.ts'
import type { Node } from './extras.ts'
import type { Seal } from './seal.ts'
import type { ShapeOf } from './shape.ts'

/** The end of a cacheable prefix. Legal on any part, any tool and any tool result. */
export interface CacheMark {
  readonly ttl?: '5m' | '1h'
}

interface PartNode extends Node {
  readonly cache?: CacheMark
  /** On reasoning: its signature or encrypted content. On text, calls and media: a per-part signature. */
  readonly seal?: Seal
  /** The id of the output item this part came from, in protocols that group parts into items. */
  readonly item?: string
}

/** One piece of a message. */
export type Part = Text | Refusal | Reasoning | Media | ToolCall | ToolResult | SearchHit | Code | CodeOutput | Opaque

/** Words of a turn. */
export interface Text extends PartNode {
  readonly type: 'text'
  readonly text: string
  readonly citations?: readonly Citation[]
}

/** The model declines, in its own words. */
export interface Refusal extends PartNode {
  readonly type: 'refusal'
  readonly text: string
}

/** What the model thought. Several in a row stay several, each with its own seal. */
export interface Reasoning extends PartNode {
  readonly type: 'reasoning'
  readonly text: string
  /** A summary of the reasoning, not its text. */
  readonly summary?: true
  /** Encrypted as a whole: the seal is all there is. */
  readonly hidden?: true
}

/** A picture, sound, video or document. */
export interface Media extends PartNode {
  readonly type: 'media'
  readonly kind: 'image' | 'audio' | 'video' | 'document'
  readonly source: Source
  readonly title?: string
  readonly context?: string
  /** Whether the model may cite it. */
  readonly cite?: boolean
  /** How closely to look: low, medium, high, auto. */
  readonly detail?: string
  readonly clip?: Clip
  readonly transcript?: string
}

/** A stretch of a video. */
export interface Clip {
  readonly start?: string
  readonly end?: string
  readonly fps?: number
}

/** Where the bytes are. Base64 is in the standard alphabet, padded: decoders see to it, and never decode it. */
export type Source =
  | { readonly kind: 'base64'; readonly mime: string; readonly data: string }
  | { readonly kind: 'url'; readonly url: string; readonly mime?: string }
  | { readonly kind: 'file'; readonly issuer: string; readonly id: string; readonly mime?: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'parts'; readonly parts: readonly Part[] }

/** A call that the model makes. */
export interface ToolCall extends PartNode {
  readonly type: 'tool-call'
  /** Absent when the wire had none. Encoders that need one take it from `pairCalls`. */
  readonly id?: string
  readonly name: string
  /** A string is JSON text exactly as sent, valid or not; an object is what the wire had parsed. */
  readonly arguments: string | JsonObject
  /** Who runs it. A server call is answered inside the same assistant turn. */
  readonly by: 'client' | 'server'
  /** Its input is free text, not JSON. */
  readonly custom?: true
}

/** What a call gave. */
export interface ToolResult extends PartNode {
  readonly type: 'tool-result'
  readonly callId?: string
  readonly name?: string
  readonly output: ToolOutput
  /** A string is the error's code. */
  readonly failed?: true | string
  readonly by: 'client' | 'server'
}

/** `json` is a response object as genai has it; the other protocols have parts. */
export type ToolOutput =
  | { readonly parts: readonly Part[] }
  | { readonly json: JsonObject; readonly parts?: readonly Part[] }

/** A search result given to the model or found by it; the seal is its encrypted content. */
export interface SearchHit extends PartNode {
  readonly type: 'search-hit'
  readonly url?: string
  readonly title?: string
  readonly age?: string
  readonly parts?: readonly Part[]
  readonly cite?: boolean
}

/** Code that the model wrote for its upstream to run. */
export interface Code extends PartNode {
  readonly type: 'code'
  readonly language: string
  readonly text: string
}

/** What such code printed. */
export interface CodeOutput extends PartNode {
  readonly type: 'code-output'
  readonly outcome: string
  readonly text: string
}

/** A block kind this version does not know, whole, for its own protocol only. */
export interface Opaque extends PartNode {
  readonly type: 'opaque'
  readonly protocol: string
  readonly value: JsonObject
}

/** A place in a source that a text rests on. */
export interface Citation extends Node {
  /** Where in the part's text, in UTF-16 units; absent means the whole part. */
  readonly range?: readonly [start: number, end: number]
  readonly quote?: string
  readonly source: CitationSource
}

/** What is cited. */
export type CitationSource =
  | {
      readonly kind: 'url'
      readonly url: string
      readonly title?: string
      readonly seal?: Seal
      readonly license?: string
      readonly date?: JsonObject
    }
  | {
      readonly kind: 'document' | 'search-hit'
      readonly index: number
      readonly title?: string
      readonly source?: string
      readonly span?: CitationSpan
    }

/** The stretch of text that a citation is about. */
export interface CitationSpan {
  readonly unit: 'char' | 'page' | 'block'
  readonly start: number
  readonly end: number
}

/** By which quirks name the members of a part. */
export const PART_SHAPE: ShapeOf<Part> = {
  type: 'value',
  text: 'value',
  citations: 'json',
  summary: 'value',
  hidden: 'value',
  kind: 'value',
  source: 'json',
  title: 'value',
  context: 'value',
  cite: 'value',
  detail: 'value',
  clip: 'json',
  transcript: 'value',
  id: 'value',
  name: 'value',
  arguments: 'json',
  by: 'value',
  custom: 'value',
  callId: 'value',
  output: 'json',
  failed: 'value',
  url: 'value',
  age: 'value',
  parts: 'json',
  language: 'value',
  outcome: 'value',
  protocol: 'value',
  value: 'json',
  cache: 'json',
  seal: 'json',
  item: 'value',
  extras: 'json',
}

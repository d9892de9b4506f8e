import type { JsonObject } from '../lib/json.ts'
import type { Node, ShapeOf } from './extras.ts'
import type { Seal } from './seal.ts'

/** The end of a cacheable prefix. Allowed on any part, any tool and any tool result. */
export interface CacheMark {
  readonly ttl?: '5m' | '1h'
}

interface PartNode extends Node {
  readonly cache?: CacheMark
  /** On reasoning: its signature or encrypted content. On text, calls and media: a signature of the part. */
  readonly seal?: Seal
  /** The id of the output item of this part, in protocols that group parts into items. */
  readonly item?: string
}

/** One piece of a message. */
export type Part = Text | Refusal | Reasoning | Media | ToolCall | ToolResult | SearchHit | Code | CodeOutput | Opaque

/** Text of a turn. */
export interface Text extends PartNode {
  readonly type: 'text'
  readonly text: string
  readonly citations?: readonly Citation[]
}

/** A refusal of the model, as text. */
export interface Refusal extends PartNode {
  readonly type: 'refusal'
  readonly text: string
}

/** Reasoning of the model. Consecutive parts stay separate, each with its own seal. */
export interface Reasoning extends PartNode {
  readonly type: 'reasoning'
  readonly text: string
  /** A summary of the reasoning, not its text. */
  readonly summary?: true
  /** Encrypted as a whole: only the seal exists. */
  readonly hidden?: true
}

/** An image, audio, video or document. */
export interface Media extends PartNode {
  readonly type: 'media'
  readonly kind: 'image' | 'audio' | 'video' | 'document'
  readonly source: Source
  readonly title?: string
  readonly context?: string
  /** Whether the model may cite it. */
  readonly cite?: boolean
  /** The resolution: low, medium, high. Absent: the upstream decides. */
  readonly detail?: string
  readonly clip?: Clip
  readonly transcript?: string
}

/** A part of a video. */
export interface Clip {
  readonly start?: string
  readonly end?: string
  readonly fps?: number
}

/** Where the bytes are. Base64 is in the standard alphabet, padded: decoders ensure this, and never decode it. */
export type Source =
  | { readonly kind: 'base64'; readonly mime: string; readonly data: string }
  | { readonly kind: 'url'; readonly url: string; readonly mime?: string }
  | { readonly kind: 'file'; readonly issuer: string; readonly id: string; readonly mime?: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'parts'; readonly parts: readonly Part[] }

/** A tool call of the model. */
export interface ToolCall extends PartNode {
  readonly type: 'tool-call'
  /** Absent if the wire had none. Encoders that need one take it from `pairCalls`. */
  readonly id?: string
  readonly name: string
  /** A string is the original JSON text, valid or not. An object is what the wire had parsed. */
  readonly arguments: string | JsonObject
  /** Who runs it. A server call is answered inside the same assistant turn. */
  readonly by: 'client' | 'server'
  /** Its input is free text, not JSON. */
  readonly custom?: true
}

/** The result of a call. */
export interface ToolResult extends PartNode {
  readonly type: 'tool-result'
  readonly callId?: string
  readonly name?: string
  readonly output: ToolOutput
  /** A string is the error's code. */
  readonly failed?: true | string
  readonly by: 'client' | 'server'
}

/** `json` is a response object as in genai; the other protocols have parts. */
export type ToolOutput =
  | { readonly parts: readonly Part[] }
  | { readonly json: JsonObject; readonly parts?: readonly Part[] }

/** A search result, given to the model or found by it. The seal is its encrypted content. */
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

/** The output of such code. */
export interface CodeOutput extends PartNode {
  readonly type: 'code-output'
  readonly outcome: string
  readonly text: string
}

/** A block of an unknown kind, complete, only for its own protocol. */
export interface Opaque extends PartNode {
  readonly type: 'opaque'
  readonly protocol: string
  readonly value: JsonObject
  /** What it says to a model, for other protocols. Absent if it says nothing. */
  readonly words?: string
}

/** A reference from a text to a source. */
export interface Citation extends Node {
  /** The cited range of the part's text, in UTF-16 units; absent for the whole part. */
  readonly range?: readonly [start: number, end: number]
  readonly quote?: string
  readonly source: CitationSource
  /** It repeats what the grounding of the candidate says. */
  readonly grounded?: true
}

/** The cited source. */
export type CitationSource =
  | {
      readonly kind: 'url'
      readonly url: string
      readonly title?: string
      readonly seal?: Seal
      readonly license?: string
      readonly date?: JsonObject
    }
  /** A file of the upstream. */
  | { readonly kind: 'file'; readonly id: string; readonly title?: string }
  | {
      readonly kind: 'document' | 'search-hit'
      readonly index: number
      readonly title?: string
      readonly source?: string
      readonly span?: CitationSpan
    }

/** The range of text that a citation belongs to. */
export interface CitationSpan {
  readonly unit: 'char' | 'page' | 'block'
  readonly start: number
  readonly end: number
}

/** The paths of a part that quirks can name. */
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
  words: 'value',
  cache: 'json',
  seal: 'json',
  item: 'value',
  extras: 'json',
}

/** A kind of content that a model accepts or produces. */
export type Modality = 'text' | 'image' | 'video' | 'audio' | 'file'

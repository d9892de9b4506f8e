import type { DragomanError } from '../ir/error.ts'
import type { PriceTerms, Usage } from '../ir/usage.ts'
import type { Edits } from '../lib/top-level.ts'
import { isObject, listOf, numberOf, stringOf, type Json, type JsonObject } from '../lib/json.ts'
import type { Limits } from './context.ts'

/** Where the answers of a protocol, whole and streamed, have their price. */
export interface Pricing {
  /** The member of an answer or frame that contains it: an object. */
  readonly member: string
  /** The members to set in that object. */
  edits(cost: AnswerCost): Edits
}

/** The price of an answer in dollars, as exact JSON numbers. */
export interface AnswerCost {
  readonly total: string
  /** The part of the prompt. */
  readonly input: string
  /** The part of the output. */
  readonly output: string
  /** The price of an estimate. */
  readonly estimated: boolean
}

/** What routing needs to know about a request. */
export interface Peek {
  readonly model: string
  readonly stream: boolean
  /** What the request says about the choice of its route. */
  readonly routing?: RoutingPreferences | undefined
  /** The name of its conversation, if the request has one. */
  readonly conversation?: string | undefined
  /** The caller's own limit of all tokens of the answer. */
  readonly maxTokens?: number | undefined
  /** The caller requested the usage of a stream. */
  readonly usage?: boolean | undefined
  /** The caller requested the price of the answer. */
  readonly cost?: boolean | undefined
  /** What the request asks for that changes its price; absent if it asks for nothing of this kind. */
  readonly terms?: PriceTerms | undefined
  /** True if the request offers the model a web search of the upstream. */
  readonly searches?: boolean | undefined
}

/** What a request says about the choice of its route. */
export interface RoutingPreferences {
  /** How the routes are ordered: as they are listed, in turn, or the fastest first. */
  readonly type?: 'priority' | 'round_robin' | 'least_latency' | undefined
  /** What decides between routes that are equal otherwise. */
  readonly factor?: 'cost' | 'speed' | 'quality' | undefined
  /** The only providers that may answer, best first. */
  readonly providers?: readonly string[] | undefined
  /** False: only the first provider may answer. A name: this provider answers if the others fail. */
  readonly fallback?: boolean | string | undefined
  /** The models that may answer, instead of the requested one. */
  readonly models?: readonly string[] | undefined
  /** The preferred one of these. */
  readonly preference?: string | undefined
  readonly task?: 'chat' | 'completion' | 'embedding' | undefined
  readonly complexity?: 'low' | 'medium' | 'high' | undefined
}

/** What a tap must know about its call. */
export interface TapOptions {
  readonly stream: boolean
  /** From `Peek`: frames that the client did not request are removed from the response. */
  readonly usage?: boolean | undefined
  /** The model that the client asked for: the response names it if the protocol's responses name the requested model. */
  readonly model?: string | undefined
}

/** What a tap knows at the end of an answer. */
export interface TapEnd {
  readonly usage?: Usage | undefined
  /** What the response reports about its price. */
  readonly terms?: PriceTerms | undefined
  /** The number of images in the answer. */
  readonly images?: number | undefined
  /** The characters of a stream's output since the last report of usage; absent if the protocol does not measure them. */
  readonly written?: number | undefined
  readonly complete: boolean
  /** A whole response that is an error, whatever its status. */
  readonly isError?: boolean
  /** Bytes for the client that `push` has held back. */
  readonly rest?: Uint8Array | undefined
}

/** Reads the bytes of a relayed answer. */
export interface Tap {
  /** The bytes for the client; the same bytes except that the model is renamed and frames that the client did not request are removed. */
  push(chunk: Uint8Array): Uint8Array | undefined
  /** After the last byte. A stream without its terminal event is not complete. */
  end(): TapEnd
  /** True if a keep-alive may be written now. */
  readonly betweenFrames: boolean
  /** The line end of the stream, LF before its first frame. Added frames must have the same: some clients do not read mixed ones. */
  readonly lineEnd: string
  /** Whether it removes frames that the client did not request. */
  readonly strips: boolean
  /** The upstream's error frame. The frame is held back, and the gateway writes its own. */
  readonly failed: DragomanError | undefined
}

/** What routing needs, in protocols that have it in the body. */
export function peekBody(body: JsonObject): { readonly model: string; readonly stream: boolean } {
  return { model: stringOf(body['model']), stream: body['stream'] === true }
}

/** The caller's limit of the answer, for all answers together if it asks for several. */
export function peekMaxTokens(limit: Json | undefined, answers?: Json): { readonly maxTokens?: number } {
  const most = numberOf(limit)
  return most === undefined ? {} : { maxTokens: most * (numberOf(answers) ?? 1) }
}

/** What of a request changes its price: its terms, and a search of the web that the upstream may run. */
export function peekPrice(
  terms: PriceTerms | undefined,
  searches: boolean,
): Pick<Peek, 'terms' | 'searches'> | undefined {
  if (terms === undefined && !searches) return undefined
  return searches ? { terms, searches } : { terms }
}

/** Whether the upstream may search the web with one of these tools. */
export function hasWebSearch(tools: Json | undefined, isSearch = isWebSearch): boolean {
  return listOf(tools as readonly Json[] | undefined).some((tool) => isObject(tool) && isSearch(tool))
}

/** A tool by its type. Vendors add a version after it, or their own name before it. */
export function isWebSearch({ type }: JsonObject): boolean {
  return typeof type === 'string' && /(?:web|browser|x)_search/.test(type)
}

/** Paths that can prevent a relay of a body. */
interface RelayRules {
  /** The member that limits the response, and its object. */
  readonly limit: readonly [holder: Json | undefined, member: string]
  readonly history: Json | undefined
  /** Whether a turn of the history has seals of another domain. */
  readonly isSealed: (turn: JsonObject) => boolean
}

/** Why a body cannot be relayed: it asks for too much, or its history has seals of another domain. */
export function whyNotRelayed({ limit, history, isSealed }: RelayRules, limits: Limits): string | undefined {
  const [holder, member] = limit
  const asked = isObject(holder) ? numberOf(holder[member]) : undefined
  if (asked !== undefined && asked > (limits.maxTokens ?? asked)) return `${member} is above the limit of the model`
  const sealed = listOf(history as readonly Json[] | undefined).some((turn) => isObject(turn) && isSealed(turn))
  return sealed ? 'the history holds state of another model' : undefined
}

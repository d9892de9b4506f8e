import type { DragomanError } from '../ir/error.ts'
import type { LinkedMedia } from '../ir/linked-media.ts'
import type { Losses } from '../ir/loss.ts'
import type { PriceTerms, Usage } from '../ir/usage.ts'
import type { Words } from '../lib/grammar/members.ts'
import type { ModelRequest } from '../ir/request.ts'
import type { ModelResponse } from '../ir/response.ts'
import type { Emit, Machine, StreamEvent } from '../ir/stream.ts'
import type { JsonObject } from '../lib/json.ts'
import type { NameMap } from '../lib/names.ts'
import type { Edits } from '../lib/top-level.ts'
import type { Card, Chooser } from '../ir/model.ts'
import type { DecodeContext, EncodeContext, Limits, Match, Target } from './context.ts'
import type { SiteRules } from './locate.ts'
import type { MediaCodecs } from './media.ts'
import type { MediaMap } from './media-map.ts'
import type { Peek, Pricing, RoutingPreferences, Tap, TapOptions } from './relay.ts'

/** How an upstream takes media that is named by a URL: it opens the URL, wants the bytes, or takes it in no form. */
export type LinkForm = 'url' | 'bytes' | 'none'

/** Returns a decoded request with files in place of some URLs of media. The body is that of the request. */
export type FillLinks = (request: ModelRequest, caller: Codec, body: JsonObject) => ModelRequest

/**
 * The converters of one wire protocol, both ways. `decode` is always wire to IR, `encode` always IR to wire; each runs for both sides of a
 * gateway, because a client's request and an upstream's answer are written in the same language. The type parameters are the
 * bodies of requests and of whole answers; without them, bodies are any JSON objects.
 */
export interface Codec<RequestBody extends object = object, ResponseBody extends object = object> {
  readonly name: string
  /** The seal domain of plain signatures in this protocol's own fields. */
  readonly issuer: string
  readonly request: RequestCodec<RequestBody>
  readonly response: ResponseCodec<ResponseBody>
  readonly stream: StreamCodec
  readonly error: ErrorCodec
  /** The names that cards may have under `dialects` for this protocol, read by its decoders; by default any. */
  readonly dialects?: readonly string[]
  /** The same for `extensions`, read by its encoders. */
  readonly extensions?: readonly string[]
}

/** A wire protocol with everything that a gateway needs to serve it: paths and headers, model lists, the relay, token counts. */
export interface Protocol<RequestBody extends object = object, ResponseBody extends object = object>
  extends Codec<RequestBody, ResponseBody>, MediaCodecs {
  readonly http: Http
  readonly models: ModelsCodec
  readonly relay: Relay
  /**
   * How upstreams take media that is named by a URL; absent: they open URLs. `opens` says whether this upstream opens URLs, if it
   * differs from the protocol.
   */
  readonly takesLinked?: (media: LinkedMedia, opens: boolean | undefined) => LinkForm
  /** Absent if requests cannot name items of earlier answers. */
  readonly references?: ReferenceCodec
  /** Absent if the protocol has no call for counting tokens. */
  readonly count?: CountCodec
}

/** Requests, in both directions. */
export interface RequestCodec<Body extends object = object> {
  /** Validates at the edge: throws a DragomanError that names the JSON path. */
  check(body: unknown): JsonObject & Body
  decode(body: JsonObject, context: DecodeContext): ModelRequest
  encode(request: ModelRequest, context: EncodeContext): JsonObject & Body
  /** How the values of a decoded request are found in its body; absent: losses have no path in it. */
  readonly sites?: SiteRules
  /** Refuses an encoded request for one of its losses: media that no upstream could take. */
  readonly refuse?: (request: ModelRequest, losses: Losses, body: JsonObject) => void
  /** What a response repeats of its request; absent if responses repeat nothing. */
  readonly echo?: (body: JsonObject) => JsonObject
  /** Whether the client of a request shows only texts, and drops a message with a refusal. Absent: no client does. */
  readonly readsOnlyTexts?: (body: JsonObject) => boolean
  /** The names and words of its requests. Without them, members that it does not have are taken for its own. */
  readonly words?: () => Words
  /** Whether requested reasoning is shown by default. */
  readonly showsReasoning: boolean
  /** The member with the conversation, for error messages. */
  readonly history: string
  /** The map for tool names that this protocol's upstreams would refuse. The extensions of a card can say that it refuses more. */
  names(used: Iterable<string>, dialect?: JsonObject): NameMap
  /** Members that the specification does not accept, with their replacements; the gateway decides whether to refuse them. */
  readonly refused: { readonly [member: string]: string }
}

/** Whole responses, in both directions. */
export interface ResponseCodec<Body extends object = object> {
  decode(body: JsonObject, context: DecodeContext): ModelResponse
  encode(response: ModelResponse, context: EncodeContext): JsonObject & Body
  /** What a response on the wire reports about its price; absent if responses report nothing. */
  terms?(body: JsonObject): PriceTerms | undefined
}

/** Reads a stream. Its usage and its terms so far are available at any time, because not every stream is read to its end. */
export interface StreamDecoder extends Machine<string> {
  usage(): Usage | undefined
  /** Absent if responses report nothing about their price. */
  terms?(): PriceTerms | undefined
}

/** Streamed answers, in both directions. */
export interface StreamCodec {
  /** Takes the data of one SSE event, or one element of a JSON array. */
  decode(emit: Emit<StreamEvent>, context: DecodeContext): StreamDecoder
  /** Writes wire text, with framing. */
  encode(write: Emit<string>, context: EncodeContext): Machine<StreamEvent>
  /** A keep-alive between two frames. */
  keepAlive(framing: string | undefined): string
  /** A keep-alive before the first frame, if clients refuse the usual one there. Translated streams begin with their first frame instead. */
  readonly earlyKeepAlive?: string
  /** After the frame of an error a stream ends as usual: clients read the error only at the end, and not from a broken connection. */
  readonly failsCleanly?: true
  contentType(framing: string | undefined): string
}

/** Counts the tokens of a request without running it. */
export interface CountCodec {
  /** The request to count, in the form for `request.check`. */
  request(body: JsonObject): JsonObject
  encode(tokens: number): JsonObject
  /** Undefined for a response without a count. */
  decode(body: JsonObject): number | undefined
}

/** Errors, in both directions. */
export interface ErrorCodec {
  /** Decodes an upstream's error: its meaning is kept, its headers and credentials never are. */
  decode(status: number, body: string): DragomanError
  /** `operation` is that of the call, if it is known: the clients of some operations read errors in a form of their own. */
  encode(
    error: DragomanError,
    requestId: string,
    operation?: string,
  ): { readonly status: number; readonly body: JsonObject }
}

/** The list of models, in the form of the protocol. */
export interface ModelsCodec {
  /** Throws for an invalid query. */
  list(entries: readonly ListedModel[], query: URLSearchParams): JsonObject
  one(entry: ListedModel): JsonObject
}

/** A card for callers: `<provider>/<model_name>` and its facts. */
export interface ListedModel {
  readonly id: string
  readonly provider: string
  readonly card: Card
}

/** What is known about a call before its body. Header names are in lower case. */
export interface Head {
  readonly method: string
  /** As sent, still percent-encoded, without the query. */
  readonly path: string
  readonly query: string
  /** The scheme and the host that the caller has used, if the door knows: `https://llm.example.com`. */
  readonly origin?: string | undefined
  /** The network address of the caller, if the door knows: `203.0.113.7` or `2001:db8::1`. */
  readonly address?: string | undefined
  header(name: string): string | undefined
}

/** How the protocol uses HTTP: its paths and its headers. */
export interface Http {
  /** The base path of this protocol at the gateway. Several protocols may share a base: the gateway tries each of them. */
  readonly base: string
  /** Where its paths begin at the root, each with what stands for it under the base: with `{ '/v1': '' }`, `/v1/x` is `<base>/x`. */
  readonly roots?: { readonly [at: string]: string }
  /** Whether headers, other than credentials, show a client of this protocol. It decides between protocols with the same path. */
  isClient?(head: Head): boolean
  /** The match of a path under the base with its method; 'method' if only the method is wrong. */
  match(method: string, path: string, query: URLSearchParams): Match | 'method' | undefined
  /** Checks headers: throws a DragomanError that names the header. */
  admit(match: Match, head: Head): void
  /** Headers of the caller that are forwarded to an upstream of the same protocol. */
  forward(head: Head): { readonly [name: string]: string }
  /** Path and fixed headers of an upstream call, under its base URL. */
  target(operation: string, model: string, stream: boolean): Target
  /** The headers in which the protocol's clients read what is left of their limits; absent if it has none. `now` is in Unix milliseconds. */
  rateLimits?(limits: RateLimits, now: number): { readonly [name: string]: string }
}

/** What is left of a caller's limits. */
export interface RateLimits {
  readonly requests?: RateLimit | undefined
  readonly tokens?: RateLimit | undefined
}

/** What is left of one limit. */
export interface RateLimit {
  /** Per minute. */
  readonly limit: number
  readonly remaining: number
  /** Until everything is available again. */
  readonly resetMs: number
}

/** What a relay needs, so that the gateway never names a protocol. */
export interface Relay {
  /** Top-level values without decoding: what routing needs. */
  peek(body: JsonObject, match: Match): Peek
  /** Where checked bodies have media, for estimates of their size. Absent if they have none. */
  readonly media?: MediaMap
  /** The members of a body that `Peek.routing` is read from, for errors; absent if bodies say nothing about routes. */
  readonly preferences?: { readonly [Name in keyof RoutingPreferences]-?: string }
  /** Top-level members to set or remove in the client's own bytes. */
  edits(body: JsonObject, model: string): Edits
  /** The members of this protocol that can make an upstream use another model, also the model member itself. */
  readonly choosers: readonly Chooser[]
  /** The member for the tier of service, if a request never fails for it: it may be left out. */
  readonly optionalTier?: string
  /** Why these bytes cannot be relayed to a model with these limits, apart from `edits`; undefined if they can. */
  obstacle(body: JsonObject, limits: Limits, dialect?: JsonObject): string | undefined
  tap(options: TapOptions): Tap
  /** Absent if the answers of the protocol have no member for their price. */
  readonly pricing?: Pricing
}

/** An item of an answer that requests may name by its id, as JSON text. */
export interface AnswerItem {
  readonly id: string
  readonly text: string
}

/** References of requests to items of earlier answers, in place of the items themselves. */
export interface ReferenceCodec {
  /** Whether the items of the answer to this request may be remembered. */
  allows(body: JsonObject): boolean
  /** The ids that a request names. It has not been checked. */
  find(body: JsonObject): readonly string[]
  /** The top-level members of a request with items, as JSON text, in place of their references. Unknown references stay. */
  fill(body: JsonObject, texts: ReadonlyMap<string, string>): JsonObject
  /** The items of a whole answer. */
  items(answer: JsonObject): readonly AnswerItem[]
  /** The item that the data of an event completes. */
  streamed(data: string): AnswerItem | undefined
  /** Every event that completes an item contains this text. */
  readonly marker: string
}

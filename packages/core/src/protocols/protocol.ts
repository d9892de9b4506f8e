import type { DragomanError } from '../ir/error.ts'
import type { Losses } from '../ir/loss.ts'
import type { ModelRequest } from '../ir/request.ts'
import type { ModelResponse } from '../ir/response.ts'
import type { Emit, Machine, StreamEvent } from '../ir/stream.ts'
import type { Usage } from '../ir/usage.ts'
import type { JsonObject } from '../lib/json.ts'
import type { NameMap } from '../lib/names.ts'
import type { Edits } from '../lib/edits.ts'
import type { Card, Chooser } from '../ir/model.ts'
import type { SiteRules } from './locate.ts'

/**
 * One wire protocol, both ways. `decode` is always wire to IR, `encode` always IR to wire; each runs for both sides of a
 * gateway, because a client's request and an upstream's answer are written in the same language. The type parameters are the
 * bodies of requests and of whole answers; without them, bodies are any JSON objects.
 */
export interface Protocol<RequestBody extends object = object, ResponseBody extends object = object> {
  readonly name: string
  /** The seal domain of bare signatures in this protocol's own fields. */
  readonly issuer: string
  readonly http: Http
  readonly request: RequestCodec<RequestBody>
  readonly response: ResponseCodec<ResponseBody>
  readonly stream: StreamCodec
  readonly error: ErrorCodec
  readonly models: ModelsCodec
  readonly relay: Relay
  /** Absent: the protocol has no call that counts tokens. */
  readonly count?: CountCodec
  /** The names that cards may have under `dialects` for this protocol, read by its decoders. Absent: any. */
  readonly dialects?: readonly string[]
  /** The same for `extensions`, read by its encoders. */
  readonly extensions?: readonly string[]
}

/** What every decoder may need to know. */
export interface DecodeContext {
  /** Whose seals bare values are. */
  readonly issuer: string
  /** What the path said, in protocols that say it there. */
  readonly path?: Pick<Match, 'model' | 'stream'> | undefined
  /** Tool names as the upstream says them, back to the caller's. */
  readonly names?: NameMap | undefined
  /** The upstream's ways beyond the protocol, from its card; read by this protocol alone. */
  readonly dialect?: JsonObject | undefined
}

/** What every encoder may need to know. */
export interface Encoding extends DecodeContext {
  /** Upstreams get the seals of their own domain and no others; clients get all of them, to carry. */
  readonly toward: 'upstream' | 'client'
  /** New ids; numbered in tests. */
  readonly id: () => string
  /** Unix seconds for answers that came without a time. */
  readonly now: number
  /** Limits of the model that is asked. */
  readonly limits?: Limits | undefined
  /** What the caller asked for, where the answer's shape depends on it. */
  readonly asked?: Asked | undefined
}

/** What a codec is given to encode a value: `losses` are those of the whole value. */
export interface EncodeContext extends Encoding {
  readonly losses: Losses
}

/** From the model card. */
export interface Limits {
  readonly maxTokens?: number | undefined
  readonly reasoning?: { readonly min?: number | undefined; readonly max?: number | undefined } | undefined
}

/** What the caller asked for that an answer must know. */
export interface Asked {
  readonly stop?: readonly string[] | undefined
  /** A usage chunk at the end of a stream. */
  readonly usage?: boolean | undefined
  /** How a stream is framed, for protocols with more than one way; from `Match`. */
  readonly framing?: string | undefined
}

/** Requests, both ways. */
export interface RequestCodec<Body extends object = object> {
  /** Validates at the edge: throws a DragomanError that names the JSON path. */
  check(body: unknown): JsonObject & Body
  decode(body: JsonObject, context: DecodeContext): ModelRequest
  encode(request: ModelRequest, context: EncodeContext): JsonObject & Body
  /** How the values of a decoded request are found in its body; absent: losses have no path in it. */
  readonly sites?: SiteRules
  /** Whether reasoning that is asked for is shown without a further word. */
  readonly showsReasoning: boolean
  /** The member that holds the conversation, for errors about it. */
  readonly history: string
  /** The map for tool names that this protocol's upstreams would refuse. */
  names(used: Iterable<string>): NameMap
  /** Members that the specification does not support and that never fail a request: the gateway leaves them out and says so. */
  readonly ignored: readonly string[]
  /** Members that the specification does not accept, with what to use instead; refusing them is the gateway's policy. */
  readonly refused: { readonly [member: string]: string }
}

/** Whole answers, both ways. */
export interface ResponseCodec<Body extends object = object> {
  decode(body: JsonObject, context: DecodeContext): ModelResponse
  encode(response: ModelResponse, context: EncodeContext): JsonObject & Body
}

/** Reads a stream. What it has counted so far can be asked for at any time: not every stream comes to its end. */
export interface StreamDecoder extends Machine<string> {
  usage(): Usage | undefined
}

/** Streamed answers, both ways. */
export interface StreamCodec {
  /** Takes the data of one SSE event, or one element of a JSON array. */
  decode(emit: Emit<StreamEvent>, context: DecodeContext): StreamDecoder
  /** Writes finished wire text, framing included. */
  encode(write: Emit<string>, context: EncodeContext): Machine<StreamEvent>
  /** A sign of life between two frames. */
  keepAlive(framing: string | undefined): string
  contentType(framing: string | undefined): string
}

/** Counting the tokens of a request without running it. */
export interface CountCodec {
  /** The request that is counted, in the form that `request.check` takes. */
  request(body: JsonObject): JsonObject
  encode(tokens: number): JsonObject
  /** Undefined for an answer that holds no count. */
  decode(body: JsonObject): number | undefined
}

/** Errors, both ways. */
export interface ErrorCodec {
  /** What an upstream's error says: its meaning is kept, its headers and credentials never. */
  decode(status: number, body: string): DragomanError
  encode(error: DragomanError, requestId: string): { readonly status: number; readonly body: JsonObject }
}

/** The list of models, as the protocol shows it. */
export interface ModelsCodec {
  /** Throws for a query that makes no sense. */
  list(entries: readonly ListedModel[], query: URLSearchParams): JsonObject
  one(entry: ListedModel): JsonObject
}

/** A card as callers see it: `<provider>/<model_name>` and its facts. */
export interface ListedModel {
  readonly id: string
  readonly provider: string
  readonly card: Card
}

/** What the path of a call says. */
export interface Match {
  /** What the call asks for: `generate`, `count`, `models`, `model`, or any other name in the gateway's table of operations. */
  readonly operation: string
  /** From the path, where the protocol has it there, as sent: the gateway takes the percent-encoding off. */
  readonly model?: string | undefined
  /** The model without what an SDK puts before names that have no provider; as sent, too. */
  readonly bare?: string | undefined
  readonly stream?: boolean | undefined
  readonly framing?: string | undefined
}

/** What is known of a call before its body. Header names are asked in lower case. */
export interface Head {
  readonly method: string
  /** As sent, still percent-encoded, without the query. */
  readonly path: string
  readonly query: string
  header(name: string): string | undefined
}

/** How the protocol uses HTTP: its paths and its headers. */
export interface Http {
  /** Where this protocol lives at the gateway. Several protocols may share a base: the gateway asks each of them. */
  readonly base: string
  /** What a path under the base (and a method) asks for; 'method' when only the method is wrong. */
  match(method: string, path: string, query: URLSearchParams): Match | 'method' | undefined
  /** Rules on headers: throws a DragomanError that names the header. */
  admit(match: Match, head: Head): void
  /** Headers of the caller that an upstream of the same protocol should see. */
  forward(head: Head): { readonly [name: string]: string }
  /** Path and fixed headers of a call to an upstream, under its base URL. */
  target(operation: string, model: string, stream: boolean): Target
}

/** Where a call to an upstream goes, under its base URL, and how. */
export interface Target {
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  /** POST when absent. */
  readonly method?: 'GET' | 'POST' | 'DELETE'
  /** What the call carries. Absent: JSON with a POST, nothing with the other methods. */
  readonly body?: 'json' | 'multipart' | 'none'
}

/** What the relay way needs, so that the gateway never names a protocol. */
export interface Relay {
  /** Top-level facts without decoding: what routing needs. */
  peek(body: JsonObject, match: Match): Peek
  /** Top-level members to set or take out of the client's own bytes. */
  edits(body: JsonObject, model: string): Edits
  /** The members of this protocol that can make an upstream use another model, the model's own member among them. */
  readonly choosers: readonly Chooser[]
  /** Why these bytes cannot go out as they are to a model with these limits and ways, beyond `edits`; undefined when they can. */
  obstacle(body: JsonObject, limits: Limits, dialect?: JsonObject): string | undefined
  tap(options: TapOptions): Tap
}

/** What routing needs to know of a request. */
export interface Peek {
  readonly model: string
  readonly stream: boolean
  /** The only providers that may answer, best first; absent: whoever has the model. */
  readonly providers?: readonly string[] | undefined
  /** False: only the best provider may answer. */
  readonly fallback?: boolean | undefined
  /** The caller asked for the usage of a stream. */
  readonly usage?: boolean | undefined
}

/** What a tap must know of the call that it listens to. */
export interface TapOptions {
  readonly stream: boolean
  /** From `Peek`: what the client did not ask for is taken out of the answer. */
  readonly usage?: boolean | undefined
}

/** What a tap knows at the end of an answer. */
export interface TapEnd {
  readonly usage?: Usage | undefined
  readonly complete: boolean
  /** A whole answer that is an error, whatever its status. */
  readonly isError?: boolean
  readonly rest?: Uint8Array | undefined
}

/** Reads beside the bytes of a relayed answer. */
export interface Tap {
  /** What goes on to the client now; the very same bytes unless a frame the client did not ask for is taken out. */
  push(chunk: Uint8Array): Uint8Array | undefined
  /** After the last byte. A stream without its terminal event is not complete. */
  end(): TapEnd
  /** True when a keep-alive may be written now. */
  readonly betweenFrames: boolean
  /** It takes frames out that the client did not ask for. */
  readonly strips: boolean
  /** What the upstream's own error frame said. That frame is held back: its words are for the gateway to hand on. */
  readonly failed: DragomanError | undefined
}

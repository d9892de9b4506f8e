import { DragomanError } from '../ir/error.ts'
import type { ImageAnswer, ImageEvent, ImageRequest } from '../ir/image.ts'
import type { Path } from '../ir/loss.ts'
import type { MediaKind, MediaRequest, RequestedMedia } from '../ir/media-kind.ts'
import type { AnswerOf, MediaKinds, RequestOf } from '../ir/media-kinds.ts'
import type { Emit, Machine } from '../ir/stream.ts'
import type { VideoOperation, VideoRequest } from '../ir/video.ts'
import type { Edits } from '../lib/top-level.ts'
import type { JsonObject } from '../lib/json.ts'
import type { DecodeContext, EncodeContext, Match, Target } from './context.ts'
import type { Sites } from './locate.ts'
import type { Tap, TapOptions } from './relay.ts'

/** The converters of one kind of call that is not a conversation. `decode` is always wire to IR, `encode` always IR to wire. */
export interface MediaCodec<Request = MediaRequest, Answer = unknown> {
  /** The operations of its calls, by what the paths of the protocol have for them: a path of chat, an action of genai. */
  readonly paths: { readonly [path: string]: string }
  /** Where upstreams take an operation, if not as JSON at its path. */
  readonly targets?: { readonly [operation: string]: Target }
  /** Validates at the edge: throws a DragomanError that names the JSON path. */
  check(body: unknown, match: Pick<Match, 'operation'>): JsonObject
  decode(body: JsonObject, context: MediaDecoding): Request
  encode(request: Request, context: EncodeContext): MediaCall
  readonly answer: {
    decode(body: JsonObject, context: MediaDecoding): Answer
    encode(answer: Answer, context: MediaEncoding): JsonObject
  }
  /** Whether a body is a request of this kind, for operations that several kinds share. Absent: every body is, that no other kind claims. */
  claims?(body: JsonObject): boolean
  /** Whether answers name the model. */
  readonly namesModel?: true
  /** What upstreams of the protocol can be told beyond the common, in the words of the kind. */
  takes?(dialect: JsonObject | undefined): readonly string[]
  /** Where the body has the values of a decoded request, for errors and losses: see `locateIn`. */
  readonly sites?: Sites
  /** The same, for bodies that a table of sites cannot describe; the nearest value where there is none. */
  locate?(path: Path, body: JsonObject, operation: string): Path
  /** Whether upstreams with this dialect take the bodies of an operation as they are. Absent: this is known when the request is encoded. */
  relays?(operation: string, dialect: JsonObject | undefined): boolean
  /** Set if upstreams open no URLs of images. */
  readonly urls?: false
  /** Reads the bytes of a relayed answer. */
  tap(options: TapOptions): Tap
  /**
   * Top-level members to set or remove in the client's own bytes, or parts of its form, before they are relayed to an upstream with this
   * dialect. Absent: only the model, if the body names it.
   */
  edits?(body: JsonObject, model: string, dialect?: JsonObject): Edits
  /** Absent if the protocol has no forms. */
  readonly form?: FormCodec
  /** Absent if the protocol cannot stream such answers. */
  readonly stream?: object
}

/** The codecs of the kinds that a protocol has, by their names. */
export type MediaCodecs = Omit<
  { readonly [Name in keyof MediaKinds]?: MediaCodec<RequestOf<Name>, AnswerOf<Name>> },
  'image' | 'video'
> & { readonly image?: ImageCodec; readonly video?: VideoCodec }

/** A protocol, for calls that are not conversations. */
export type MediaProtocol = { readonly name: string; readonly issuer: string } & MediaCodecs

/** The codec of a kind. Throws if the protocol has none. */
export function codecOf({ name, plural }: MediaKind, protocol: MediaProtocol): MediaCodec {
  const codec = findCodec(name, protocol)
  if (codec === undefined) throw new DragomanError('unsupported', `The protocol ${protocol.name} has no ${plural}.`)
  return codec
}

/** The codec of a kind, if the protocol has it. */
export function findCodec(kind: string, codecs: MediaCodecs): MediaCodec | undefined {
  const byName: { readonly [kind: string]: MediaCodec | undefined } = codecs
  return byName[kind]
}

/** An encoded request, and the operation whose path takes it: see `Http.target`. */
export interface MediaCall {
  readonly operation: string
  readonly body: JsonObject
}

/** The context of a decoder. Several paths of a protocol can have the same kind of call, in different forms. */
export interface MediaDecoding extends DecodeContext {
  /** The operation of the path: see `Match`. */
  readonly operation: string
}

/** The context of an encoder of answers. */
export interface MediaEncoding extends EncodeContext, Pick<RequestedMedia, 'requested'> {
  /** The operation that the caller's path named. */
  readonly operation: string
}

/** Images: requests, answers, and answers as streams. */
export interface ImageCodec extends MediaCodec<ImageRequest, ImageAnswer> {
  readonly stream?: {
    /** Takes the data of one SSE event. */
    decode(emit: Emit<ImageEvent>, context: MediaDecoding): Machine<string>
    /** Writes wire text, with framing. */
    encode(write: Emit<string>, context: MediaEncoding): Machine<ImageEvent>
  }
}

/** Forms, and the equivalent JSON bodies: everything else reads and writes JSON. */
export interface FormCodec {
  /** Files become data URLs; numbers and booleans arrive as text. */
  read(form: FormData): Promise<JsonObject>
  write(body: JsonObject): FormData
}

/** Videos: requests, and the operations that generate them. An operation has a name of the gateway, so nothing is relayed. */
export interface VideoCodec extends MediaCodec<VideoRequest, VideoOperation> {
  /** The name of the operation that the body of a poll asks for, and the member that has it. */
  named(body: JsonObject): string
  readonly nameSite: string
  /** The name of an operation of a model, `<provider>/<name>`. The id has letters, digits, `-` and `_`. */
  writeName(model: string, id: string): string
  /** Undefined for a name of another shape. */
  readName(name: string): { readonly model: string; readonly id: string } | undefined
  /** The call for the state of an upstream's operation, by the name that the upstream gave it. */
  poll(name: string, model: string): VideoPoll
  /** The path under the base at which the gateway serves the files of videos. */
  readonly results: string
}

/** The call for the state of an operation, under the base URL of an upstream. */
export interface VideoPoll {
  readonly path: string
  readonly method: 'GET' | 'POST'
  readonly body?: JsonObject
}

import type { ImageAnswer, ImageEvent, ImageRequest, ImageSettings } from '../ir/image.ts'
import type { Path } from '../ir/loss.ts'
import type { Emit, Machine } from '../ir/stream.ts'
import type { VideoOperation, VideoRequest } from '../ir/video.ts'
import type { Edits } from '../lib/top-level.ts'
import type { JsonObject } from '../lib/json.ts'
import type { DecodeContext, EncodeContext, Match } from './context.ts'
import type { Sites } from './locate.ts'
import type { Tap, TapOptions } from './relay.ts'

/** The converters of one kind of call that is not a conversation. `decode` is always wire to IR, `encode` always IR to wire. */
export interface MediaCodec<Request, Answer> {
  /** Validates at the edge: throws a DragomanError that names the JSON path. */
  check(body: unknown, match: Pick<Match, 'operation'>): JsonObject
  decode(body: JsonObject, context: MediaDecoding): Request
  encode(request: Request, context: EncodeContext): MediaCall
  readonly answer: {
    decode(body: JsonObject, context: MediaDecoding): Answer
    encode(answer: Answer, context: MediaEncoding): JsonObject
  }
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
export interface MediaEncoding extends EncodeContext {
  /** The operation that the caller's path named. */
  readonly operation: string
  /** What the caller requested. Some answers repeat it: the values stand for those that the upstream leaves out. */
  readonly requested?: ImageSettings | undefined
}

/** Images: requests, answers, and answers as streams. */
export interface ImageCodec extends MediaCodec<ImageRequest, ImageAnswer> {
  /** Absent if the protocol has no forms. */
  readonly form?: FormCodec
  /** Absent if the protocol cannot stream images. */
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
export interface VideoCodec extends Omit<MediaCodec<VideoRequest, VideoOperation>, 'tap'> {
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

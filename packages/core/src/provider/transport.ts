import { joinBytes } from '../lib/frames.ts'
import { DragomanError } from '../ir/error.ts'
import type { Target } from '../protocols/context.ts'

/** Header fields by name. */
export type Fields = { readonly [name: string]: string }
/** A body: text that is sent as UTF-8, or bytes. */
export type Bytes = string | Uint8Array
/** The methods of upstream calls. */
export type Method = 'GET' | 'POST' | 'DELETE'
/** A body that goes to an upstream. Pieces are sent one after another, so that a large body is not copied for a small edit. */
export type OutgoingBody = Bytes | readonly Uint8Array[]

/** The body in one piece, for transports that cannot send several. */
export function joinBody(body: OutgoingBody): Bytes {
  return typeof body === 'string' || body instanceof Uint8Array ? body : joinBytes(body)
}

/** The length of a body: in bytes, or in characters if it is text. */
export function lengthOf(body: OutgoingBody): number {
  if (typeof body === 'string' || body instanceof Uint8Array) return body.length
  return body.reduce((sum, piece) => sum + piece.length, 0)
}

/** One outbound call. Its URL comes from a provider, never from a request. */
export interface Call {
  readonly url: string
  readonly method: Method
  readonly headers: Fields
  readonly body?: OutgoingBody | undefined
  readonly deadlines: Deadlines
  /** The index of the provider's key, for `Outbound.key` of later calls. */
  readonly key?: number | undefined
  /** Receives the head of the answer, so that the provider can pause a key that was refused. */
  readonly answered?: ((status: number, header: (name: string) => string | undefined) => void) | undefined
}

/** Milliseconds: to connect, until the head of the answer, between two chunks, and in total. */
export interface Deadlines {
  readonly connect: number
  readonly head: number
  readonly idle: number
  readonly total: number
}

/** Receives an answer. Exactly one of `onEnd` and `onFail` is called, once, last. */
export interface Receiver {
  /** `body` is passed if the transport has a web stream; 'through' takes it instead of chunks, and no further callbacks come. */
  onHead(
    status: number,
    header: (name: string) => string | undefined,
    body?: ReadableStream<Uint8Array>,
  ): 'chunks' | 'through'
  onChunk(chunk: Uint8Array): void
  onEnd(): void
  onFail(failure: Failure): void
}

/** Why a call got no answer, or only a part of one. */
export interface Failure {
  readonly kind: 'refused' | 'reset' | 'timeout' | 'tls' | 'dns' | 'cancelled'
  readonly retryable: boolean
  /** The connection had been kept alive and was closed while the call was sent: the upstream has not processed it. */
  readonly stale?: true
  readonly cause?: unknown
}

/** The handle of a running call. */
export interface Flow {
  pause(): void
  resume(): void
  cancel(): void
  /** Whether the upstream may have received the call. Absent: it may have. */
  isSent?(): boolean
}

/** Sends calls to upstreams: the only network access of a provider. */
export interface Transport {
  send(call: Call, receiver: Receiver): Flow
}

/** Time, so that tests can move it by hand. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number
  /** Runs once later; the returned function cancels it. */
  after(ms: number, run: () => void): () => void
}

/** A form on the wire. */
export interface Multipart {
  readonly bytes: Uint8Array | readonly Uint8Array[]
  /** The content type, with the boundary. */
  readonly type: string
}

/** Encodes a form. The bytes can be sent several times. */
export async function encodeMultipart(form: FormData): Promise<Multipart> {
  const response = new Response(form)
  const type = response.headers.get('content-type') ?? ''
  return { bytes: new Uint8Array(await response.arrayBuffer()), type }
}

const JSON_TYPE: Fields = { 'content-type': 'application/json' }
const NO_TYPE: Fields = {}

/** The body of a call and its content type. A body of another kind than the target's is an internal error. */
export function readContent(
  { method = 'POST', body: kind = method === 'POST' ? 'json' : 'none' }: Target,
  body: OutgoingBody | Multipart | undefined,
): { readonly bytes: OutgoingBody | undefined; readonly type: Fields } {
  if (kindOf(body) !== kind) throw new DragomanError('internal', `The call needs a body of kind "${kind}".`)
  if (body === undefined) return { bytes: undefined, type: NO_TYPE }
  if (isMultipart(body)) return { bytes: body.bytes, type: { 'content-type': body.type } }
  return { bytes: body, type: JSON_TYPE }
}

function kindOf(body: OutgoingBody | Multipart | undefined): NonNullable<Target['body']> {
  if (body === undefined) return 'none'
  return isMultipart(body) ? 'multipart' : 'json'
}

function isMultipart(body: OutgoingBody | Multipart): body is Multipart {
  return typeof body === 'object' && 'type' in body
}

import { DragomanError } from '../ir/error.ts'
import type { Target } from '../protocols/protocol.ts'
import type { Fields, OutgoingBody } from './transport.ts'

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

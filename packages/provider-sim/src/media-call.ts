import { DragomanError, isObject, type Head, type JsonObject, type Protocol } from '@dragoman/core'
import { KINDS, type FormCodec } from '@dragoman/core/media'
import { joinBody, type Call, type Card } from '@dragoman/core/provider'
import { parse, type Family } from './read-call.ts'

/** The part of a call that is read. */
type Received = Pick<Call, 'url' | 'method' | 'headers' | 'body'>

/** A call that is not a conversation: its path is that of a media model. */
export interface MediaMatch {
  readonly protocol: Protocol
  /** The operation of the path: see `Match`. */
  readonly operation: string
  /** The media models of the family. */
  readonly cards: readonly Card[]
  /** The model that the path names, in protocols that have it there. */
  readonly model: string
}

/** The operations of protocols that are not conversations. */
const OPERATIONS = [...new Set(KINDS.flatMap(({ operations }) => Object.keys(operations)))]

/** Undefined if a call is a conversation, or has a path that no model has. */
export function matchMedia(call: Received, families: readonly Family[]): MediaMatch | undefined {
  const family = families.find(({ base }) => call.url.startsWith(`${base}/`))
  if (family === undefined || call.method !== 'POST') return undefined
  const { protocol, base, media: cards } = family
  const path = call.url.slice(base.length)
  for (const { name: model } of cards) {
    const conversation = protocol.http.target('generate', model, false).path
    const operation = OPERATIONS.find((name) => protocol.http.target(name, model, false).path === path)
    if (operation !== undefined && path !== conversation) return { protocol, operation, cards, model }
  }
  return undefined
}

/** The body of a call, which is JSON or a form. */
export async function readBody(
  call: Received,
  { protocol, operation }: MediaMatch,
  form: FormCodec | undefined,
): Promise<JsonObject> {
  const head: Head = { method: call.method, path: call.url, query: '', header: (name) => call.headers[name] }
  protocol.http.admit({ operation }, head)
  const sent = call.body === undefined ? '' : joinBody(call.body)
  const type = call.headers['content-type'] ?? ''
  if (form !== undefined && type.startsWith('multipart/form-data')) {
    // A copy, because a body can be a view of shared memory, which a response does not take.
    const body = typeof sent === 'string' ? sent : new Uint8Array(sent)
    return form.read(await new Response(body, { headers: { 'content-type': type } }).formData())
  }
  const body = parse(typeof sent === 'string' ? sent : new TextDecoder().decode(sent))
  if (!isObject(body)) throw new DragomanError('invalid-request', 'The body must be a JSON object.')
  return body
}

/** The model that a request names. */
export function findCard(model: string, cards: readonly Card[]): Card {
  const card = cards.find(({ name }) => name === model)
  if (card !== undefined) return card
  const names = cards.map(({ name }) => name).join(', ')
  throw new DragomanError('not-found', `The simulator does not have this model. Its models: ${names}.`, {
    param: 'model',
  })
}

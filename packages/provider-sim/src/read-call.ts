import { DragomanError, type Head, type Match, type Protocol, type ModelRequest } from '@dragoman/core'
import { joinBody, type Call, type Card } from '@dragoman/core/provider'

/** The models of one protocol, and their base URL. */
export interface Family {
  readonly protocol: Protocol
  readonly base: string
  /** The models that have conversations. */
  readonly models: readonly string[]
  /** The models that have other calls, for images or embeddings. */
  readonly media: readonly Card[]
}

export interface ReadCall {
  readonly protocol: Protocol
  /** Throws an error if the call is invalid. The protocol encodes it. */
  open(): OpenedCall
}

export interface OpenedCall {
  readonly request: ModelRequest
  readonly text: string
}

/** Reads a call as a server of its protocol would. */
export function readCall(
  call: Pick<Call, 'url' | 'method' | 'headers' | 'body'>,
  families: readonly Family[],
): ReadCall {
  const family = families.find(({ base }) => call.url.startsWith(`${base}/`))
  if (family === undefined) throw new DragomanError('internal', 'The simulator was called at an unknown address.')
  return { protocol: family.protocol, open: () => openCall(call, family) }
}

function openCall(call: Parameters<typeof readCall>[0], { protocol, base, models }: Family): OpenedCall {
  const target = call.url.slice(base.length)
  const match = matchTarget(protocol, models, target)
  if (match === undefined || call.method !== 'POST') {
    throw new DragomanError(
      'not-found',
      `The simulator has no endpoint at this path. Its models: ${models.join(', ')}.`,
    )
  }
  const [path = '', query = ''] = target.split('?', 2)
  const head: Head = { method: call.method, path, query, header: (name) => call.headers[name] }
  protocol.http.admit(match, head)
  const sent = call.body === undefined ? '' : joinBody(call.body)
  const text = typeof sent === 'string' ? sent : new TextDecoder().decode(sent)
  const body = protocol.request.check(parse(text))
  const { model, stream } = protocol.relay.peek(body, match)
  if (!models.includes(model)) {
    throw new DragomanError('not-found', `The simulator does not have this model. Its models: ${models.join(', ')}.`, {
      param: 'model',
    })
  }
  const request = protocol.request.decode(body, { issuer: protocol.issuer, path: { model, stream } })
  return { request: { ...request, model, delivery: { ...request.delivery, stream } }, text }
}

/** Matches a path. Some protocols have the model and the stream in it, so all paths that a gateway can make are compared. */
function matchTarget(protocol: Protocol, models: readonly string[], target: string): Match | undefined {
  for (const model of models) {
    for (const stream of [false, true]) {
      if (protocol.http.target('generate', model, stream).path === target)
        return { operation: 'generate', model, stream }
    }
  }
  return undefined
}

/** Throws an error for the caller. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new DragomanError('invalid-request', 'The body is not valid JSON.', { cause })
  }
}

import {
  DragomanError,
  joinBody,
  type Call,
  type Head,
  type Match,
  type Protocol,
  type ModelRequest,
} from '@dragoman/core'

/** The models that speak one protocol, and where they are called. */
export interface Family {
  readonly protocol: Protocol
  readonly base: string
  readonly models: readonly string[]
}

export interface ReadCall {
  readonly protocol: Protocol
  /** Throws what is wrong with the call, for the protocol to say. */
  open(): OpenedCall
}

export interface OpenedCall {
  readonly request: ModelRequest
  readonly text: string
}

/** Reads a call the way a server of its protocol would. */
export function readCall(
  call: Pick<Call, 'url' | 'method' | 'headers' | 'body'>,
  families: readonly Family[],
): ReadCall {
  const family = families.find(({ base }) => call.url.startsWith(`${base}/`))
  if (family === undefined)
    throw new DragomanError('internal', 'The simulator was called at an address that is not its own.')
  return { protocol: family.protocol, open: () => openCall(call, family) }
}

function openCall(call: Parameters<typeof readCall>[0], { protocol, base, models }: Family): OpenedCall {
  const target = call.url.slice(base.length)
  const match = matchTarget(protocol, models, target)
  if (match === undefined || call.method !== 'POST') {
    throw new DragomanError(
      'not-found',
      `The simulator has nothing at this path. Its models here: ${models.join(', ')}.`,
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
    throw new DragomanError('not-found', `The simulator has no model of this name here: it has ${models.join(', ')}.`, {
      param: 'model',
    })
  }
  const request = protocol.request.decode(body, { issuer: protocol.issuer, path: { model, stream } })
  return { request: { ...request, model, delivery: { ...request.delivery, stream } }, text }
}

/** What a path asks for: some protocols have the model and the stream in it. It is the path that a gateway makes for them. */
function matchTarget(protocol: Protocol, models: readonly string[], target: string): Match | undefined {
  for (const model of models) {
    for (const stream of [false, true]) {
      if (protocol.http.target('generate', model, stream).path === target)
        return { operation: 'generate', model, stream }
    }
  }
  return undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new DragomanError('invalid-request', 'The body is not valid JSON.', { cause })
  }
}

import { DragomanError, type Call, type Head, type Protocol, type Request } from '@dragoman/core'

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
  readonly request: Request
  readonly framing: string | undefined
  readonly text: string
}

/** Reads a call the way a server of its protocol would. */
export function readCall(call: Call, families: readonly Family[]): ReadCall {
  const family = families.find(({ base }) => call.url.startsWith(`${base}/`))
  if (family === undefined)
    throw new DragomanError('internal', 'The simulator was called at an address that is not its own.')
  return { protocol: family.protocol, open: () => openCall(call, family) }
}

function openCall(call: Call, { protocol, base, models }: Family): OpenedCall {
  const [path = '', query = ''] = call.url.slice(base.length).split('?', 2)
  const match = protocol.http.match(call.method, path, new URLSearchParams(query))
  if (match === undefined || match === 'method' || match.operation !== 'generate') {
    throw new DragomanError('not-found', 'The simulator has nothing at this path.')
  }
  const head: Head = { method: call.method, path, query, header: (name) => call.headers[name] }
  protocol.http.admit(match, head)
  const text = typeof call.body === 'string' ? call.body : new TextDecoder().decode(call.body)
  const body = protocol.request.check(parse(text))
  const { model, stream } = protocol.relay.peek(body, match)
  if (!models.includes(model)) {
    throw new DragomanError('not-found', `The simulator has no model of this name here: it has ${models.join(', ')}.`, {
      param: 'model',
    })
  }
  const request = protocol.request.decode(body, { issuer: protocol.issuer })
  return { request: { ...request, model, delivery: { ...request.delivery, stream } }, framing: match.framing, text }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new DragomanError('invalid-request', 'The body is not valid JSON.', { cause })
  }
}

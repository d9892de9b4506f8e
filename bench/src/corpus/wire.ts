import {
  createLosses,
  isObject,
  type EncodeContext,
  type JsonObject,
  type Protocol,
  type ModelRequest,
  type ModelResponse,
  type StreamEvent,
} from '@dragoman/core'

/** A request in a protocol. */
export function wireRequest(protocol: Protocol, request: ModelRequest, dialect?: JsonObject): JsonObject {
  return protocol.request.encode(request, { ...contextOf(protocol, 'upstream'), dialect })
}

/** A request as the clients of a protocol send it: those of genai declare functions in the OpenAPI subset. */
export function clientRequest(protocol: Protocol, request: ModelRequest): JsonObject {
  return wireRequest(protocol, request, { schema: 'openapi' })
}

/** A response in a protocol, with the additional members of real upstreams. */
export function wireResponse(protocol: Protocol, response: ModelResponse): JsonObject {
  return { ...protocol.response.encode(response, contextOf(protocol, 'client')), ...BESIDE_OF[protocol.name] }
}

/** The frames of a streamed response, one event each, with the additional members of real upstreams. */
export function wireFrames(protocol: Protocol, events: readonly StreamEvent[]): string[] {
  const frames: string[] = []
  const machine = protocol.stream.encode(
    (text) => {
      for (const frame of text.split(/(?<=\n\n)/)) frames.push(dress(protocol.name, frame))
    },
    contextOf(protocol, 'client'),
  )
  for (const event of events) machine.push(event)
  machine.end()
  return frames
}

function contextOf(protocol: Protocol, toward: 'upstream' | 'client'): EncodeContext {
  const { issuer } = protocol
  return { issuer, losses: createLosses(), toward, id: () => 'made', now: 1_760_000_000, asked: { usage: true } }
}

/** Unknown members that upstreams add to every response and chunk. */
const BESIDE_OF: { readonly [protocol: string]: JsonObject } = {
  chat: { service_tier: 'default', system_fingerprint: 'fp_0123456789' },
}

function dress(name: string, frame: string): string {
  const beside = BESIDE_OF[name]
  const start = frame.indexOf('data: {')
  if (beside === undefined || start < 0) return frame
  const chunk: unknown = JSON.parse(frame.slice(start + 6), plainReasoning)
  return isObject(chunk) ? `${frame.slice(0, start)}data: ${JSON.stringify({ ...chunk, ...beside })}\n\n` : frame
}

/** Clients receive reasoning under two names; upstreams send it under one of them. */
function plainReasoning(key: string, value: unknown): unknown {
  return key === 'reasoning' && typeof value === 'string' ? undefined : value
}

import {
  createFold,
  createLosses,
  createSseReader,
  type JsonObject,
  type Protocol,
  type ModelRequest,
  type ModelResponse,
  type Part,
  type StreamEvent,
} from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import type { Call, Provider } from '@dragoman/core/provider'

export const DEADLINES = { connect: 1000, head: 1000, idle: 1000, total: 10_000 }

/** The response to one call. */
export interface Answered {
  readonly status: number
  readonly header: (name: string) => string | undefined
  readonly text: string
  readonly chunks: number
  /** Undefined if it ended normally. */
  readonly failure: string | undefined
}

/** Sends wire JSON to a provider's own transport and waits for the end. */
export function send(
  provider: Provider,
  protocol: Protocol,
  model: string,
  body: object,
  stream = false,
): Promise<Answered> {
  const outbound = { headers: {}, body: JSON.stringify(body), deadlines: DEADLINES }
  return receive(provider, provider.call(protocol.name, protocol.http.target('generate', model, stream), outbound))
}

/** Sends a call to a provider's own transport and waits for the end. */
export function receive(provider: Provider, call: Call): Promise<Answered> {
  return new Promise((resolve) => {
    const decoder = new TextDecoder()
    let head: Pick<Answered, 'status' | 'header'> = { status: 0, header: () => undefined }
    let text = ''
    let chunks = 0
    const finish = (failure: string | undefined): void => resolve({ ...head, text, chunks, failure })
    provider.transport?.send(call, {
      onHead(status, header) {
        head = { status, header }
        return 'chunks'
      },
      onChunk(chunk) {
        chunks++
        text += decoder.decode(chunk, { stream: true })
      },
      onEnd: () => finish(undefined),
      onFail: ({ kind }) => finish(kind),
    })
  })
}

/** Sends an IR request: encodes it, sends the wire request, and decodes the response. */
export async function ask(
  provider: Provider,
  protocol: Protocol,
  request: Partial<ModelRequest>,
): Promise<ModelResponse> {
  const whole: ModelRequest = {
    model: `${protocol.name}-1`,
    messages: [],
    settings: { maxTokens: 5000 },
    delivery: {},
    ...request,
  }
  const body = protocol.request.encode(whole, {
    issuer: protocol.issuer,
    losses: createLosses(),
    toward: 'upstream',
    id: () => 'id',
    now: 0,
  })
  const stream = whole.delivery.stream === true
  const answered = await send(provider, protocol, whole.model, body, stream)
  if (answered.status !== 200) throw protocol.error.decode(answered.status, answered.text)
  if (answered.failure !== undefined) throw new Error(answered.failure)
  if (!stream)
    return withoutItems(protocol.response.decode(JSON.parse(answered.text) as JsonObject, { issuer: protocol.issuer }))
  const fold = createFold()
  for (const event of eventsOf(protocol, answered.text)) fold.push(event)
  return withoutItems(fold.response())
}

/** Without the ids of items, which are other ones in a stream. */
function withoutItems(response: ModelResponse): ModelResponse {
  const candidates = response.candidates.map((candidate) => ({
    ...candidate,
    parts: candidate.parts.map(({ item: _id, ...part }) => part as Part), // optional in every part
  }))
  return { ...response, candidates }
}

export function user(text: string): ModelRequest['messages'][number] {
  return { role: 'user', parts: [{ type: 'text', text }] }
}

export const all = protocols.map((protocol) => [protocol.name, protocol] as const)

function eventsOf(protocol: Protocol, text: string): StreamEvent[] {
  const events: StreamEvent[] = []
  const machine = protocol.stream.decode((event) => events.push(event), { issuer: protocol.issuer })
  const reader = createSseReader((data) => machine.push(data))
  reader.push(new TextEncoder().encode(text))
  reader.end()
  machine.end()
  return events
}

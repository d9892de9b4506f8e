import type { JsonObject, Protocol } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'

/** How a client calls the gateway in one protocol. */
export interface Client {
  readonly protocol: Protocol
  path(model: string, stream: boolean): string
  headers(key: string): Record<string, string>
  body(model: string, stream: boolean, more: JsonObject): JsonObject
  /** A tool `get_weather` with a city, as a member of the request. */
  readonly tools: JsonObject
}

const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const TEXT = 'Why is the sky blue?'

const CLIENT_OF: { readonly [protocol: string]: Omit<Client, 'protocol'> } = {
  chat: {
    path: () => '/api/v1/chat/completions',
    headers: (key) => ({ authorization: `Bearer ${key}` }),
    body: (model, stream, more) => ({
      model,
      messages: [{ role: 'user', content: TEXT }],
      ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
      ...more,
    }),
    tools: { tools: [{ type: 'function', function: { name: 'get_weather', parameters: SCHEMA } }] },
  },
  messages: {
    path: () => '/api/anthropic/v1/messages',
    headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    body: (model, stream, more) => ({
      model,
      max_tokens: 500,
      messages: [{ role: 'user', content: TEXT }],
      ...(stream ? { stream } : {}),
      ...more,
    }),
    tools: { tools: [{ name: 'get_weather', input_schema: SCHEMA }] },
  },
  genai: {
    path: (model, stream) => {
      const [publisher, ...name] = model.split('/')
      const action = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
      return `/api/vertex-ai/v1/publishers/${publisher}/models/${encodeURIComponent(name.join('/'))}:${action}`
    },
    headers: (key) => ({ 'x-goog-api-key': key }),
    body: (_model, _stream, more) => ({ contents: [{ role: 'user', parts: [{ text: TEXT }] }], ...more }),
    tools: { tools: [{ functionDeclarations: [{ name: 'get_weather', parametersJsonSchema: SCHEMA }] }] },
  },
  responses: {
    path: () => '/api/v1/responses',
    headers: (key) => ({ authorization: `Bearer ${key}` }),
    body: (model, stream, more) => ({
      model,
      input: [{ role: 'user', content: TEXT }],
      ...(stream ? { stream } : {}),
      ...more,
    }),
    tools: { tools: [{ type: 'function', name: 'get_weather', parameters: SCHEMA, strict: null }] },
  },
}

/** One entry per protocol of the core. */
export const clients: readonly Client[] = protocols.flatMap((protocol) => {
  const client = CLIENT_OF[protocol.name]
  return client === undefined ? [] : [{ ...client, protocol }]
})

export function clientOf(protocol: string): Client {
  const found = clients.find((client) => client.protocol.name === protocol)
  if (found === undefined) throw new Error(`no client for the protocol ${protocol}`)
  return found
}

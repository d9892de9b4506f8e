import { acceptChatResponse, acceptChatStream } from '../doubles/chat-answer.ts'
import { framesOf } from '../doubles/frames.ts'
import { acceptGenaiResponse, acceptGenaiStream } from '../doubles/genai-answer.ts'
import { acceptMessagesResponse, acceptMessagesStream } from '../doubles/messages-answer.ts'
import { acceptResponsesResponse, acceptResponsesStream } from '../doubles/responses-answer.ts'

/** How the response is delivered. */
export type Delivery = 'whole' | 'streamed'

export type Wire = { readonly [member: string]: unknown }

/** How the runtime suite sends requests and reads responses in one protocol. */
export interface Dialogue {
  readonly protocol: string
  readonly path: (model: string, delivery: Delivery) => string
  readonly models: string
  readonly headers: (key: string) => Record<string, string>
  readonly ask: (model: string, text: string, delivery: Delivery) => Wire
  /** The member with the conversation. */
  readonly turns: string
  /** Members of a body that declare a tool `get_weather` with a city. */
  readonly tools: Wire
  /** These throw if the official SDK could not read the response. */
  readonly acceptWhole: (body: unknown) => void
  readonly acceptStream: (text: string) => void
  /** The text of a whole response. */
  text(body: Wire): unknown
  calls(body: Wire): readonly { readonly name: unknown; readonly input: unknown }[]
  /** A failed stream ends with a terminal event of its own, so its connection is not cut. */
  readonly hasFailedEvent?: true
  /** All text of a stream. */
  streamedText(stream: string): string
  /** The type and message of an error body. Throws if it is not an error of this protocol. */
  error(body: Wire): { readonly type: unknown; readonly message: string }
  readonly errorTypes: { readonly [status: number]: string }
}

const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }

export const chat: Dialogue = {
  protocol: 'chat',
  path: () => '/api/v1/chat/completions',
  models: '/api/v1/models',
  headers: (key) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' }),
  ask: (model, text, delivery) => ({ model, messages: [{ role: 'user', content: text }], ...streamed(delivery) }),
  turns: 'messages',
  tools: { tools: [{ type: 'function', function: { name: 'get_weather', parameters: SCHEMA } }] },
  acceptWhole: acceptChatResponse,
  acceptStream: acceptChatStream,
  text: (body) => member(first(body['choices']), 'message', 'content'),
  calls: (body) =>
    items(member(first(body['choices']), 'message', 'tool_calls')).map((call) => ({
      name: member(call, 'function', 'name'),
      input: JSON.parse(String(member(call, 'function', 'arguments'))) as unknown,
    })),
  streamedText: (stream) =>
    framesOf(stream)
      .filter(({ data }) => data !== '[DONE]')
      .map(({ data }) => words(member(first(member(JSON.parse(data), 'choices')), 'delta', 'content')))
      .join(''),
  error: (body) => ({ type: member(body, 'error', 'type'), message: message(member(body, 'error')) }),
  errorTypes: {
    400: 'invalid_request_error',
    401: 'authentication_error',
    404: 'not_found_error',
    405: 'invalid_request_error',
    415: 'invalid_request_error',
    429: 'rate_limit_error',
  },
}

export const messages: Dialogue = {
  protocol: 'messages',
  path: () => '/api/anthropic/v1/messages',
  models: '/api/anthropic/v1/models',
  headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' }),
  ask: (model, text, delivery) => ({
    model,
    max_tokens: 500,
    messages: [{ role: 'user', content: text }],
    ...streamed(delivery),
  }),
  turns: 'messages',
  tools: { tools: [{ name: 'get_weather', input_schema: SCHEMA }] },
  acceptWhole: acceptMessagesResponse,
  acceptStream: acceptMessagesStream,
  text: (body) => member(first(body['content']), 'text'),
  calls: (body) =>
    items(body['content'])
      .filter((block) => member(block, 'type') === 'tool_use')
      .map((block) => ({ name: member(block, 'name'), input: member(block, 'input') })),
  streamedText: (stream) =>
    framesOf(stream)
      .map(({ data }) => words(member(JSON.parse(data), 'delta', 'text')))
      .join(''),
  error: (body) => {
    if (body['type'] !== 'error' || typeof body['request_id'] !== 'string') throw new Error('not a messages error')
    return { type: member(body, 'error', 'type'), message: message(member(body, 'error')) }
  },
  errorTypes: {
    400: 'invalid_request_error',
    401: 'authentication_error',
    404: 'not_found_error',
    405: 'invalid_request_error',
    415: 'invalid_request_error',
    429: 'rate_limit_error',
  },
}

export const genai: Dialogue = {
  protocol: 'genai',
  path: (model, delivery) => {
    const [publisher = '', name = ''] = model.split('/')
    const action = delivery === 'streamed' ? 'streamGenerateContent?alt=sse' : 'generateContent'
    return `/api/vertex-ai/v1/publishers/${publisher}/models/${name}:${action}`
  },
  models: '/api/vertex-ai/v1beta/models',
  headers: (key) => ({ 'x-goog-api-key': key, 'content-type': 'application/json' }),
  ask: (_model, text) => ({ contents: [{ role: 'user', parts: [{ text }] }] }),
  turns: 'contents',
  tools: { tools: [{ functionDeclarations: [{ name: 'get_weather', parametersJsonSchema: SCHEMA }] }] },
  acceptWhole: acceptGenaiResponse,
  acceptStream: acceptGenaiStream,
  text: (body) => spoken(body),
  calls: (body) =>
    partsOf(body).flatMap((part) => {
      const name = member(part, 'functionCall', 'name')
      return name === undefined ? [] : [{ name, input: member(part, 'functionCall', 'args') }]
    }),
  streamedText: (stream) =>
    framesOf(stream)
      .map(({ data }) => spoken(JSON.parse(data)))
      .join(''),
  error: (body) => ({ type: member(body, 'error', 'status'), message: message(member(body, 'error')) }),
  errorTypes: {
    400: 'INVALID_ARGUMENT',
    401: 'UNAUTHENTICATED',
    404: 'NOT_FOUND',
    405: 'UNIMPLEMENTED',
    415: 'INVALID_ARGUMENT',
    429: 'RESOURCE_EXHAUSTED',
  },
}

export const responses: Dialogue = {
  protocol: 'responses',
  path: () => '/api/v1/responses',
  models: '/api/v1/models',
  headers: chat.headers,
  ask: (model, text, delivery) => ({ model, input: [{ role: 'user', content: text }], ...streamed(delivery) }),
  turns: 'input',
  tools: { tools: [{ type: 'function', name: 'get_weather', parameters: SCHEMA, strict: null }] },
  acceptWhole: acceptResponsesResponse,
  acceptStream: acceptResponsesStream,
  hasFailedEvent: true,
  text: (body) =>
    items(body['output'])
      .flatMap((item) => items(member(item, 'content')))
      .map((part) => words(member(part, 'text')))
      .join(''),
  calls: (body) =>
    items(body['output'])
      .filter((item) => member(item, 'type') === 'function_call')
      .map((item) => ({
        name: member(item, 'name'),
        input: JSON.parse(String(member(item, 'arguments'))) as unknown,
      })),
  streamedText: (stream) =>
    framesOf(stream)
      .filter(({ event }) => event === 'response.output_text.delta')
      .map(({ data }) => words(member(JSON.parse(data), 'delta')))
      .join(''),
  // The last frame of a broken stream has the error inside its response.
  error: (body) => {
    const error = member(body, 'response', 'error') ?? member(body, 'error')
    return { type: member(error, 'type'), message: message(error) }
  },
  errorTypes: chat.errorTypes,
}

/** One entry per protocol. */
export const dialogues: readonly Dialogue[] = [chat, messages, genai, responses]

function streamed(delivery: Delivery): Wire {
  return delivery === 'streamed' ? { stream: true } : {}
}

/** The text of a genai response or chunk. */
function partsOf(body: unknown): readonly unknown[] {
  return items(member(first(member(body, 'candidates')), 'content', 'parts'))
}

function spoken(body: unknown): string {
  return partsOf(body)
    .map((part) => words(member(part, 'text')))
    .join('')
}

function member(value: unknown, ...path: readonly string[]): unknown {
  let found = value
  for (const key of path) found = typeof found === 'object' && found !== null ? (found as Wire)[key] : undefined // checked above
  return found
}

function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function first(value: unknown): unknown {
  return items(value)[0]
}

function words(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function message(error: unknown): string {
  const text = member(error, 'message')
  if (typeof text !== 'string' || text === '') throw new Error('an error without a message')
  return text
}

import { expect } from 'vitest'
import { defineProvider, type Card } from '@dragoman/core/provider'
import {
  createGateway,
  createMemoryKeys,
  createMemoryLedger,
  createMemoryLog,
  type GatewayOptions,
} from '@dragoman/gateway'
import { createNodeHandler, createUndiciTransport } from '../src/index.ts'
import { listen, type Upstream } from './upstream.ts'

/** `any` in the types of the test runner. */
const ANY_TEXT = expect.any(String) as unknown

export const SECRET = 'sk-gateway-secret'

/** What these tests need to know about one protocol. */
export interface Dialogue {
  readonly protocol: string
  readonly path: string
  readonly modelsPath: string
  readonly headers: Record<string, string>
  /** With unusual spacing and numbers, so that a rewrite would be visible. */
  readonly body: (model: string, stream: boolean) => string
  readonly answer: string
  /** Complete frames, the last one terminal. */
  readonly frames: readonly string[]
  readonly text: string
  /** The shape of every error body of the protocol. */
  error(type: string): object
  /** The start of an error inside a stream. */
  readonly errorFrame: RegExp
}

export const chat: Dialogue = {
  protocol: 'chat',
  path: '/api/v1/chat/completions',
  modelsPath: '/api/v1/models',
  headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
  body: (model, stream) =>
    `{ "model" : "${model}", "temperature": 1.0,\n"messages":[{"role":"user","content":"gr\\u00fc\u00df dich"}]${stream ? ',"stream":true, "stream_options":{"include_usage":true}' : ''} }`,
  answer:
    '{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m-1","choices":[{"index":0,"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1.0,"total_tokens":4}}',
  frames: [
    'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m-1","choices":[{"index":0,"delta":{"role":"assistant","content":"o"},"finish_reason":null}]}\n\n',
    'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m-1","choices":[{"index":0,"delta":{"content":"k"},"finish_reason":"stop"}]}\n\n',
    'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m-1","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4}}\n\n',
    'data: [DONE]\n\n',
  ],
  text: 'ok',
  error: () => ({ error: { message: ANY_TEXT, type: ANY_TEXT } }),
  errorFrame: /^data: \{"error":/,
}

export const messages: Dialogue = {
  protocol: 'messages',
  path: '/api/anthropic/v1/messages',
  modelsPath: '/api/anthropic/v1/models',
  headers: { 'x-api-key': SECRET, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
  body: (model, stream) =>
    `{ "model" : "${model}", "max_tokens": 1e2,\n"messages":[{"role":"user","content":"gr\\u00fc\u00df dich"}]${stream ? ',"stream":true' : ''} }`,
  answer:
    '{"id":"msg_1","type":"message","role":"assistant","model":"m-1","content":[{"type":"text","text":"ok"}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":1.0}}',
  frames: [
    'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m-1","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":0}}}\n\n',
    'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n',
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ok"}}\n\n',
    'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n',
    'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"input_tokens":3,"output_tokens":1}}\n\n',
    'event: message_stop\ndata: {"type":"message_stop"}\n\n',
  ],
  text: 'ok',
  error: (type) => ({ type: 'error', error: { type, message: ANY_TEXT }, request_id: ANY_TEXT }),
  errorFrame: /^event: error\ndata: \{"type":"error"/,
}

/** The upstream's text with the model that the caller asked for. */
export function named(text: string): string {
  return text.replaceAll('"model":"m-1"', '"model":"acme/org/m:1.5"')
}

/** A real server with a scripted upstream; the model `acme/org/m:1.5` is named `m-1` there. */
export async function serve(
  upstream: Upstream,
  spoken: readonly string[],
  options: Partial<GatewayOptions> = {},
  more: Partial<Card> = {},
) {
  const log = createMemoryLog()
  const ledger = createMemoryLedger()
  const keys = createMemoryKeys([{ id: 'tester', secret: SECRET }])
  const transport = createUndiciTransport()
  const card: Card = { name: 'org/m:1.5', upstream: 'm-1', input: ['text'], output: ['text'], ...more }
  const provider = defineProvider({
    name: 'acme',
    models: [card],
    endpoints: Object.fromEntries(spoken.map((name) => [name, `${upstream.url}/${name}`])),
    auth: { header: 'x-upstream-key' },
    key: 'sk-upstream-secret',
  })
  const gateway = createGateway({ providers: [provider], keys, transport, log, ledger, usageMs: 50, ...options })
  const listening = await listen(createNodeHandler(gateway))
  return {
    gateway,
    keys,
    log,
    ledger,
    url: listening.url,
    ask: ({ path, headers, body }: Dialogue, stream: boolean, extra: RequestInit = {}) =>
      fetch(`${listening.url}${path}`, { method: 'POST', headers, body: body('acme/org/m:1.5', stream), ...extra }),
    async [Symbol.asyncDispose]() {
      await listening[Symbol.asyncDispose]()
      await transport.close()
    },
  }
}

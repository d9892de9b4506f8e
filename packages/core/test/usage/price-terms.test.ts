import { describe, expect, it } from 'vitest'
import type { PriceTerms } from '../../src/ir/usage.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { chat } from '../../src/protocols/chat/index.ts'
import { genai } from '../../src/protocols/genai/index.ts'
import { messages } from '../../src/protocols/messages/index.ts'
import type { Protocol } from '../../src/protocols/protocol.ts'
import { responses } from '../../src/protocols/responses/index.ts'
import { translateResponse, translateStream } from '../../src/protocols/translate.ts'

const UTF8 = new TextEncoder()
const peek = (protocol: Protocol, body: JsonObject) => protocol.relay.peek(body, { operation: 'generate', model: 'm' })

describe('the terms that a request asks for', () => {
  it.each<[Protocol, JsonObject, PriceTerms | undefined]>([
    [chat, {}, undefined],
    [chat, { service_tier: 'auto' }, undefined],
    [chat, { service_tier: null }, undefined],
    [chat, { service_tier: 'default' }, { tier: 'standard' }],
    [chat, { service_tier: 'flex' }, { tier: 'flex' }],
    [chat, { service_tier: 'fast' }, { tier: 'priority' }],
    [chat, { service_tier: 'on_demand' }, { tier: 'standard' }],
    [chat, { service_tier: 'Scale' }, { tier: 'scale' }],
    [responses, {}, undefined],
    [responses, { service_tier: 'auto' }, undefined],
    [responses, { service_tier: 'priority' }, { tier: 'priority' }],
    [responses, { service_tier: 'ultrafast' }, { tier: 'ultrafast' }],
    [messages, {}, undefined],
    [messages, { service_tier: 'auto' }, { tier: 'auto' }],
    [messages, { service_tier: 'standard_only' }, { tier: 'standard' }],
    [messages, { speed: 'fast', inference_geo: 'us' }, { speed: 'fast', geo: 'us' }],
    [messages, { speed: null, inference_geo: null }, undefined],
    [genai, {}, undefined],
    [genai, { serviceTier: 'unspecified' }, undefined],
    [genai, { serviceTier: 'standard' }, { tier: 'standard' }],
    [genai, { serviceTier: 'flex' }, { tier: 'flex' }],
    [genai, { serviceTier: 'PRIORITY' }, { tier: 'priority' }],
  ])('$0.name: $1', (protocol, body, terms) => {
    expect(peek(protocol, body).terms).toEqual(terms)
  })
})

describe('a web search that a request offers', () => {
  const fn = { type: 'function', name: 'web', function: { name: 'web_search' } }
  it.each<[Protocol, JsonObject, true | undefined]>([
    [chat, { tools: [fn] }, undefined],
    [chat, { web_search_options: {} }, true],
    [chat, { web_search_options: null }, undefined],
    [chat, { tools: [fn, { type: 'web_search', web_search: { enable: true } }] }, true],
    [chat, { tools: [{ type: 'openrouter:web_search' }] }, true],
    [chat, { tools: [{ type: 'browser_search' }] }, true],
    [chat, { tools: [{ type: 'builtin_function', function: { name: '$web_search' } }] }, true],
    [chat, { search_parameters: { mode: 'on' } }, true],
    [chat, { enable_search: true }, true],
    [chat, { enable_search: false }, undefined],
    [chat, { plugins: [{ id: 'web' }] }, true],
    [chat, { plugins: [{ id: 'file-parser' }] }, undefined],
    [responses, { tools: [fn, { type: 'file_search' }, { type: 'tool_search' }] }, undefined],
    [responses, { tools: [{ type: 'web_search' }] }, true],
    [responses, { tools: [{ type: 'web_search_preview_2025_03_11' }] }, true],
    [responses, { tools: [{ type: 'x_search' }] }, true],
    [messages, { tools: [{ name: 'web_search', input_schema: {} }] }, undefined],
    [messages, { tools: [{ type: 'web_fetch_20260318', name: 'web_fetch' }] }, undefined],
    [messages, { tools: [{ type: 'web_search_20260318', name: 'web_search' }] }, true],
    [genai, { tools: [{ functionDeclarations: [{ name: 'googleSearch' }] }, { fileSearch: {} }] }, undefined],
    [genai, { tools: [{ googleSearch: {} }] }, true],
    [genai, { tools: [{ google_search: {} }] }, true],
    [genai, { tools: [{ googleSearchRetrieval: {} }] }, true],
    [genai, { tools: [{ codeExecution: {}, enterpriseWebSearch: {} }] }, true],
    [genai, { tools: [{ parallelAiSearch: {} }] }, true],
    [genai, { tools: [{ googleSearch: null }] }, undefined],
  ])('$0.name: $1', (protocol, body, searches) => {
    expect(peek(protocol, body).searches).toBe(searches)
  })
})

/** An answer and its stream, by the terms that they report. */
interface Exchange {
  readonly whole: (reported: JsonObject) => JsonObject
  readonly stream: (reported: JsonObject) => readonly JsonObject[]
}

const chatHead = { id: 'c', created: 1, model: 'm' }
const chatUsage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
const messagesHead = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null }
const messagesUsage = { input_tokens: 3, output_tokens: 2 }
const genaiHead = { responseId: 'r', modelVersion: 'm' }
const genaiUsage = { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 }
const content = { role: 'model', parts: [{ text: 'hi' }] }
const responsesHead = { id: 'resp_1', object: 'response', created_at: 1, model: 'm' }
const responsesUsage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 }
const item = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'hi', annotations: [] }],
}

const EXCHANGES: ReadonlyMap<Protocol, Exchange> = new Map<Protocol, Exchange>([
  [
    chat,
    {
      whole: (reported) => ({
        ...chatHead,
        object: 'chat.completion',
        choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
        usage: chatUsage,
        ...reported,
      }),
      stream: (reported) => [
        { ...chatHead, choices: [{ index: 0, delta: { role: 'assistant', content: 'hi' } }], service_tier: 'default' },
        { ...chatHead, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
        { ...chatHead, choices: [], usage: chatUsage, ...reported },
      ],
    },
  ],
  [
    messages,
    {
      whole: (reported) => ({
        ...messagesHead,
        content: [{ type: 'text', text: 'hi' }],
        stop_reason: 'end_turn',
        usage: { ...messagesUsage, ...reported },
      }),
      stream: (reported) => [
        { type: 'message_start', message: { ...messagesHead, content: [], usage: { ...messagesUsage, ...reported } } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'hi' } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
        { type: 'message_stop' },
      ],
    },
  ],
  [
    genai,
    {
      whole: (reported) => ({
        ...genaiHead,
        candidates: [{ index: 0, content: content, finishReason: 'STOP' }],
        usageMetadata: { ...genaiUsage, ...reported },
      }),
      stream: (reported) => [
        { ...genaiHead, candidates: [{ index: 0, content: content }], usageMetadata: { ...genaiUsage, ...reported } },
        { ...genaiHead, candidates: [{ index: 0, finishReason: 'STOP' }], usageMetadata: genaiUsage },
      ],
    },
  ],
  [
    responses,
    {
      whole: (reported) => ({
        ...responsesHead,
        status: 'completed',
        output: [item],
        usage: responsesUsage,
        ...reported,
      }),
      stream: (reported) => [
        { type: 'response.created', response: { ...responsesHead, status: 'in_progress', service_tier: 'auto' } },
        { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
        { type: 'response.output_item.done', output_index: 0, item },
        {
          type: 'response.completed',
          response: { ...responsesHead, status: 'completed', output: [item], usage: responsesUsage, ...reported },
        },
      ],
    },
  ],
])

function sse(events: readonly JsonObject[]): Uint8Array {
  const frames = events.map((event) => {
    const name = typeof event['type'] === 'string' ? `event: ${event['type']}\n` : ''
    return `${name}data: ${JSON.stringify(event)}\n\n`
  })
  return UTF8.encode(frames.join(''))
}

function tapped(protocol: Protocol, stream: boolean, bytes: Uint8Array): PriceTerms | undefined {
  const tap = protocol.relay.tap({ stream, usage: true })
  tap.push(bytes)
  return tap.end().terms
}

function streamed(protocol: Protocol, events: readonly JsonObject[]): PriceTerms | undefined {
  const stream = translateStream(protocol === chat ? messages : chat, protocol, () => undefined)
  stream.push(sse(events))
  stream.end()
  return stream.terms
}

describe('the terms that an answer reports', () => {
  it.each<[Protocol, JsonObject, PriceTerms | undefined]>([
    [chat, { service_tier: 'priority' }, { tier: 'priority' }],
    [chat, { service_tier: 'default' }, { tier: 'standard' }],
    [responses, { service_tier: 'flex' }, { tier: 'flex' }],
    [responses, { service_tier: 'auto' }, undefined],
    [responses, {}, undefined],
    [messages, { service_tier: 'standard' }, { tier: 'standard' }],
    [
      messages,
      { service_tier: 'priority', speed: 'fast', inference_geo: 'us' },
      { tier: 'priority', speed: 'fast', geo: 'us' },
    ],
    [messages, { service_tier: 'batch', inference_geo: 'not_available' }, { tier: 'batch' }],
    [messages, {}, undefined],
    [
      messages,
      { iterations: [{ type: 'message' }, { type: 'fallback_message', model: 'claude-opus-5-5' }] },
      { hop: 'fallback_message' },
    ],
    [
      messages,
      { iterations: [{ type: 'advisor_message', model: 'claude-opus-5-5' }], speed: 'fast' },
      { hop: 'advisor_message', speed: 'fast' },
    ],
    [messages, { iterations: [{ type: 'message' }, null], fallback_credit: null }, undefined],
    [messages, { fallback_credit: { status: { type: 'redeemed' } } }, { hop: 'credit' }],
    [messages, { fallback_credit: { status: { type: 'not_applied', reason: {} } } }, undefined],
    [genai, { trafficType: 'ON_DEMAND' }, { tier: 'standard' }],
    [genai, { trafficType: 'ON_DEMAND_PRIORITY' }, { tier: 'priority' }],
    [genai, { trafficType: 'ON_DEMAND_OFFPEAK' }, { tier: 'offpeak' }],
    [genai, { trafficType: 'PROVISIONED_THROUGHPUT' }, { tier: 'provisioned_throughput' }],
    [genai, { trafficType: 'TRAFFIC_TYPE_UNSPECIFIED' }, undefined],
    [genai, { serviceTier: 'flex' }, { tier: 'flex' }],
    [genai, {}, undefined],
  ])('$0.name: $1, relayed and translated, whole and streamed', (protocol, reported, terms) => {
    const { whole, stream } = EXCHANGES.get(protocol) as Exchange // of all protocols
    const answer = whole(reported)
    expect(translateResponse(protocol === chat ? messages : chat, protocol, answer).terms).toEqual(terms)
    expect(tapped(protocol, false, UTF8.encode(JSON.stringify(answer)))).toEqual(terms)
    expect(streamed(protocol, stream(reported))).toEqual(terms)
    expect(tapped(protocol, true, sse(stream(reported)))).toEqual(terms)
  })

  it.each<[Protocol, JsonObject]>([
    [chat, { service_tier: 'default' }],
    [messages, { service_tier: 'standard' }],
    [genai, { trafficType: 'ON_DEMAND' }],
  ])('$0.name: are known of a stream that breaks off', (protocol, reported) => {
    const [first] = EXCHANGES.get(protocol)?.stream(reported) ?? []
    expect(streamed(protocol, first === undefined ? [] : [first])).toEqual({ tier: 'standard' })
    expect(tapped(protocol, true, sse(first === undefined ? [] : [first]))).toEqual({ tier: 'standard' })
  })
})

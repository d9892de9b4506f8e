import { protocols } from '@dragoman/core/protocols'
import { perCount, usd } from '@dragoman/core/provider'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entryText } from '../src/index.ts'
import { card } from './fake-protocol.ts'
import { fakeProvider } from './scripted.ts'
import { setUp, SSE } from './set-up.ts'

const HEADERS = {
  authorization: 'Bearer secret',
  'content-type': 'application/json',
  'anthropic-version': '2023-06-01',
}
const prices = usd({ prompt: 3, input_cache_read: 0.3, completion: 15, audio_input: 30, web_search: perCount(0.01) })
const TURN = [{ role: 'user', content: 'Hi' }]

/** How a caller asks in each protocol. */
const CALLERS = {
  chat: { path: () => '/api/v1/chat/completions', body: { messages: TURN, usage: { include: true } } },
  messages: { path: () => '/api/anthropic/v1/messages', body: { max_tokens: 9, messages: TURN } },
  responses: { path: () => '/api/v1/responses', body: { input: 'Hi' } },
  genai: {
    path: (stream: boolean) =>
      `/api/vertex-ai/v1/publishers/acme/models/m:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
  },
} as const
type Name = keyof typeof CALLERS

/** Every count that an upstream can report, as a number that stands for another. */
const COUNT = 77
const USAGE_OF: { readonly [name in Name]: object } = {
  chat: {
    prompt_tokens: COUNT,
    completion_tokens: COUNT,
    total_tokens: COUNT,
    prompt_tokens_details: { cached_tokens: COUNT, audio_tokens: COUNT, cache_write_tokens: COUNT },
    completion_tokens_details: { reasoning_tokens: COUNT, audio_tokens: COUNT, accepted_prediction_tokens: COUNT },
    num_sources_used: COUNT,
  },
  messages: {
    input_tokens: COUNT,
    cache_creation_input_tokens: COUNT,
    cache_read_input_tokens: COUNT,
    cache_creation: { ephemeral_5m_input_tokens: COUNT, ephemeral_1h_input_tokens: COUNT },
    output_tokens: COUNT,
    server_tool_use: { web_search_requests: COUNT },
  },
  responses: {
    input_tokens: COUNT,
    input_tokens_details: { cached_tokens: COUNT },
    output_tokens: COUNT,
    output_tokens_details: { reasoning_tokens: COUNT },
    total_tokens: COUNT,
  },
  genai: {
    promptTokenCount: COUNT,
    cachedContentTokenCount: COUNT,
    candidatesTokenCount: COUNT,
    thoughtsTokenCount: COUNT,
    toolUsePromptTokenCount: COUNT,
    totalTokenCount: COUNT,
    promptTokensDetails: [{ modality: 'AUDIO', tokenCount: COUNT }],
    cacheTokensDetails: [{ modality: 'TEXT', tokenCount: COUNT }],
    candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: COUNT }],
  },
}

/** The answers of upstreams, whole and as frames. */
const ANSWERS: { readonly [name in Name]: { readonly whole: object; readonly frames: readonly object[] } } = {
  chat: {
    whole: {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      usage: USAGE_OF.chat,
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    },
    frames: [
      chunk({ choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' }, finish_reason: null }] }),
      chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
      chunk({ choices: [], usage: USAGE_OF.chat }),
    ],
  },
  messages: {
    whole: messageOf([{ type: 'text', text: 'Hi' }], 'end_turn'),
    frames: [
      { type: 'message_start', message: messageOf([], null) },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: USAGE_OF.messages },
      { type: 'message_stop' },
    ],
  },
  responses: {
    whole: responseOf('completed'),
    frames: [
      { type: 'response.created', sequence_number: 0, response: responseOf('in_progress') },
      { type: 'response.completed', sequence_number: 1, response: responseOf('completed') },
    ],
  },
  genai: {
    whole: contentOf(),
    frames: [contentOf()],
  },
}

function chunk(more: object): object {
  return { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', ...more }
}

function messageOf(content: readonly object[], stop_reason: string | null): object {
  const rest = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null }
  return { ...rest, content, stop_reason, usage: USAGE_OF.messages }
}

function responseOf(status: string): object {
  const content = [{ type: 'output_text', text: 'Hi', annotations: [] }]
  const output = [{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content }]
  return { id: 'resp_1', object: 'response', created_at: 1, model: 'm', status, output, usage: USAGE_OF.responses }
}

function contentOf(): object {
  const candidates = [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP', index: 0 }]
  return { candidates, usageMetadata: USAGE_OF.genai, modelVersion: 'm', responseId: 'r' }
}

/** JSON text in place of counts: all of them, or one of them. */
function withCounts(answer: object, literal: string, which: number): string {
  let seen = 0
  return JSON.stringify(answer).replaceAll(/:77(?=[,}])/g, (count) =>
    which < 0 || which === seen++ ? `:${literal}` : count,
  )
}

interface Case {
  readonly caller: Name
  readonly upstream: Name
  readonly stream: boolean
  readonly literal: string
  /** Of all counts, or -1 for all of them. */
  readonly which: number
}

async function call({ caller, upstream, stream, literal, which }: Case) {
  const models = [card('m', { prices })]
  const world = setUp({ protocols, providers: [fakeProvider('acme', [upstream], models)] })
  const { path, body } = CALLERS[caller]
  const ask = async () => {
    const asked = { model: 'acme/m', ...body, ...(stream ? { stream } : {}) }
    const reply = await world.send(JSON.stringify(asked), path(stream), HEADERS)
    const { whole, frames } = ANSWERS[upstream]
    world.transport.last.head(200, stream ? SSE : undefined)
    if (stream) {
      for (const frame of frames) world.transport.last.chunk(frameOf(upstream, withCounts(frame, literal, which)))
      if (upstream === 'chat') world.transport.last.chunk('data: [DONE]\n\n')
    } else world.transport.last.chunk(withCounts(whole, literal, which))
    world.transport.last.end()
    return reply
  }
  return { ...world, ask }
}

function frameOf(upstream: Name, data: string): string {
  const type = /^\{"type":"([a-z_.]+)"/.exec(data)?.[1]
  return `${upstream === 'genai' || type === undefined ? '' : `event: ${type}\n`}data: ${data}\n\n`
}

const NAMES = Object.keys(CALLERS) as Name[]
/** Some of these numbers are not 64-bit floats. */
const literals = fc.oneof(
  fc.constantFrom('1e308', '-1e308', '1e300', '1e21', '1e400', '-1e400', '-1', '-0', '0', '0.5', '5e-324', '-5e-324'),
  fc.constantFrom('1.7976931348623157e308', '9007199254740993', '18446744073709551616', `1${'0'.repeat(400)}`),
  fc.constantFrom('null', 'true', '"12"', '""', '"1e308"', '{}', '[]', '{"a":1e308}', '[1e308]'),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.bigInt().map(String),
)
const cases: fc.Arbitrary<Case> = fc.record({
  caller: fc.constantFrom(...NAMES),
  upstream: fc.constantFrom(...NAMES),
  stream: fc.boolean(),
  literal: literals,
  which: fc.integer({ min: -1, max: 10 }),
})

async function check(given: Case): Promise<void> {
  const { ask, ledger, log } = await call(given)
  for (const calls of [1, 2]) {
    const reply = await ask()
    expect([reply.state, reply.status]).toEqual([given.stream ? 'ended' : 'whole', 200])
    expect(ledger.records).toHaveLength(calls)
    const { cost, usage = {} } = ledger.records[calls - 1] ?? {}
    const { input = 0, output = 0, cacheRead = 0, reasoning = 0, searches = 0 } = usage
    const counts = [input, output, cacheRead, reasoning, searches]
    expect(counts.filter((count) => !Number.isSafeInteger(count) || count < 0)).toEqual([])
    expect(cost === undefined || (Number.isSafeInteger(cost.total) && cost.total >= 0)).toBe(true)
    expect(reply.headers['x-dragoman-cost'] ?? '0.000000000').toMatch(/^\d+\.\d{9}$/)
    for (const entry of log.entries) expect(() => JSON.parse(`{${entryText(entry)}}`) as unknown).not.toThrow()
  }
}

describe('an upstream that reports absurd counts', () => {
  it.each(
    NAMES.flatMap((upstream) => ['1e308', '1e300', '-1', '1e400'].map((literal) => [upstream, literal] as const)),
  )('in %s: %s is answered, recorded and priced', async (upstream, literal) => {
    for (const caller of NAMES)
      for (const stream of [false, true]) await check({ caller, upstream, stream, literal, which: -1 })
  })

  it('is answered, recorded and priced, whatever the counts are', async () => {
    await fc.assert(fc.asyncProperty(cases, check), { numRuns: Number(process.env['DRAGOMAN_RUNS'] ?? 100) * 3 })
  })
})

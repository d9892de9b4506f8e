import type { ErrorKind } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import { fakeProvider } from './scripted.ts'
import { setUp, SSE } from './set-up.ts'

const HEADERS = {
  authorization: 'Bearer secret',
  'content-type': 'application/json',
  'anthropic-version': '2023-06-01',
}
const MODEL = 'acme/m'
type Name = 'chat' | 'messages' | 'genai' | 'responses'
const NAMES: readonly Name[] = ['chat', 'messages', 'genai', 'responses']

const PATH_OF: { readonly [name in Name]: (stream: boolean) => string } = {
  chat: () => '/api/v1/chat/completions',
  responses: () => '/api/v1/responses',
  messages: () => '/api/anthropic/v1/messages',
  genai: (stream) =>
    `/api/vertex-ai/v1/publishers/acme/models/m:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
}

function bodyOf(name: Name, stream: boolean): object {
  const turn = { role: 'user', content: 'Hi' }
  switch (name) {
    case 'chat':
      return { model: MODEL, stream, stream_options: stream ? { include_usage: true } : undefined, messages: [turn] }
    case 'messages':
      return { model: MODEL, stream, max_tokens: 9, messages: [turn] }
    case 'responses':
      return { model: MODEL, stream, input: 'Hi' }
    case 'genai':
      return { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }
    default:
      return name satisfies never
  }
}

/** An error of too many requests, as the vendors write it. */
const LIMITED: { readonly [name in Name]: object } = {
  chat: { error: { message: 'said upstream', type: 'rate_limit_error', code: 'rate_limit_exceeded' } },
  messages: { type: 'error', error: { type: 'rate_limit_error', message: 'said upstream' } },
  genai: { error: { code: 429, message: 'said upstream', status: 'RESOURCE_EXHAUSTED' } },
  responses: { error: { message: 'said upstream', type: 'rate_limit_error', code: 'rate_limit_exceeded' } },
}

/** An answer, as the vendors write it. */
const ANSWER: { readonly [name in Name]: object } = {
  chat: {
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello there' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  },
  messages: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text: 'Hello there' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 3, output_tokens: 2 },
  },
  genai: {
    candidates: [{ content: { role: 'model', parts: [{ text: 'Hello there' }] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
    modelVersion: 'm',
  },
  responses: {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    status: 'completed',
    error: null,
    model: 'm',
    output: [
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Hello there', annotations: [] }],
      },
    ],
    usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
  },
}

/** The last text of a complete stream. */
const END_OF: { readonly [name in Name]: string } = {
  chat: 'data: [DONE]',
  messages: '"message_stop"',
  genai: '"finishReason":"STOP"',
  responses: '"response.completed"',
}

async function ask(from: Name, to: Name, stream: boolean, providers = [fakeProvider('acme', [to])]) {
  const done = setUp({ protocols, providers })
  const reply = await done.send(JSON.stringify(bodyOf(from, stream)), PATH_OF[from](stream), HEADERS)
  return { ...done, reply, upstream: done.transport.last }
}

const JSON_TYPE = { 'content-type': 'application/json' }
const PAIRS = NAMES.flatMap((to) => [[to, to] as const, [to === 'chat' ? 'messages' : 'chat', to] as const])

describe.each(PAIRS)('an error inside a 200, for %s from %s', (from, to) => {
  const error = JSON.stringify(LIMITED[to])
  const FORMS = {
    'an event of a stream': [SSE, `data: ${error}\n\n`],
    'an event with a name': [SSE, `event: error\ndata: ${error}\n\n`],
    'a body with the type of a stream': [SSE, error],
    'a body without a type': [{}, error],
    'an indented body': [SSE, `\n${JSON.stringify(LIMITED[to], null, 2)}`],
    'a body of JSON': [JSON_TYPE, error],
  } as const

  it('is a 429 for a whole answer, with the words of the upstream', async () => {
    const { reply, upstream, log } = await ask(from, to, false)
    upstream.head(200, { ...JSON_TYPE, 'retry-after': '7' })
    upstream.chunk(error)
    upstream.end()
    expect(reply).toMatchObject({ status: 429, headers: { 'retry-after': '7' } })
    expect(reply.text).toContain('said upstream')
    expect(log.entries[0]?.error?.message).toContain('said upstream')
  })

  it.each(Object.keys(FORMS) as (keyof typeof FORMS)[])('is a 429 for a stream as %s', async (form) => {
    const [headers, text] = FORMS[form]
    const { reply, upstream, log } = await ask(from, to, true)
    upstream.head(200, headers)
    upstream.chunk(text)
    upstream.end()
    expect(reply).toMatchObject({ status: 429, state: 'whole' })
    expect(reply.text).toContain('said upstream')
    expect(log.entries[0]?.error?.message).toContain('said upstream')
  })
})

describe.each(PAIRS)('a whole answer to a request for a stream, for %s from %s', (from, to) => {
  it.each([
    ['JSON', JSON_TYPE],
    ['a stream', SSE],
    ['nothing', {}],
  ] as const)('is a stream although its type says %s', async (_, headers) => {
    const { reply, upstream, ledger } = await ask(from, to, true)
    upstream.head(200, headers)
    for (const piece of JSON.stringify(ANSWER[to]).match(/.{1,40}/gs) ?? []) upstream.chunk(piece)
    upstream.end()
    expect(reply).toMatchObject({ status: 200, state: 'ended' })
    expect(reply.headers['content-type']).toContain('text/event-stream')
    expect(reply.text).toContain('Hello there')
    expect(reply.text).toContain(END_OF[from])
    expect(ledger.records[0]).toMatchObject({ outcome: 'complete', usage: { input: 3, output: 2 } })
  })
})

it('has in a stream what a whole answer of Responses has: raw reasoning, settings and the time of its end', async () => {
  const { reply, upstream } = await ask('responses', 'responses', true)
  const raw = { type: 'reasoning', id: 'rs_1', summary: [], content: [{ type: 'reasoning_text', text: 'They greet.' }] }
  const { output } = ANSWER.responses as { output: readonly object[] }
  const settings = { completed_at: 3, temperature: 0.3, top_p: 0.98 }
  upstream.head(200, JSON_TYPE)
  upstream.chunk(JSON.stringify({ ...ANSWER.responses, ...settings, output: [raw, ...output] }))
  upstream.end()
  const events = [...reply.text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Event)
  expect(events.at(0)?.response).toMatchObject({ ...settings, completed_at: null, status: 'in_progress' })
  const last = events.at(-1)?.response
  expect(last).toMatchObject({ ...settings, status: 'completed' })
  expect(last?.output[0]).toEqual(raw)
})

interface Event {
  readonly response?: { readonly output: readonly object[] }
}

it('reports further candidates of a whole answer as lost', async () => {
  const { reply, upstream, log } = await ask('chat', 'chat', true)
  const choice = { index: 1, message: { role: 'assistant', content: 'Other' }, finish_reason: 'stop' }
  const { choices } = ANSWER.chat as { choices: readonly object[] }
  upstream.head(200, JSON_TYPE)
  upstream.chunk(JSON.stringify({ ...ANSWER.chat, choices: [...choices, choice] }))
  upstream.end()
  expect(reply.text).not.toContain('Other')
  expect(log.entries[0]?.losses).toContainEqual(expect.objectContaining({ kind: 'dropped', path: ['candidates', 1] }))
})

it('streams the list of chunks that an upstream has written instead of events', async () => {
  const { reply, upstream } = await ask('genai', 'genai', true)
  upstream.head(200, JSON_TYPE)
  upstream.chunk(JSON.stringify([ANSWER.genai]))
  upstream.end()
  expect(reply).toMatchObject({ status: 200, state: 'ended' })
  expect(reply.text).toContain('data: {"candidates"')
})

it('relays white space before the first event', async () => {
  const { reply, upstream } = await ask('chat', 'chat', true)
  const event = 'data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\n'
  upstream.head(200, SSE)
  upstream.chunk('\n')
  upstream.chunk(event)
  upstream.chunk('data: [DONE]\n\n')
  upstream.end()
  expect(reply.text).toBe(`\n${event}data: [DONE]\n\n`.replace('{"id"', '{"model":"acme/m","id"'))
})

it.each([true, false])('tries the next route after an error inside a 200, streamed: %s', async (stream) => {
  const { send, transport, log } = setUp({
    protocols,
    providers: [fakeProvider('acme', ['chat']), fakeProvider('other', ['chat'])],
  })
  const headers = { ...HEADERS, 'x-dragoman-routing': '{"providers":["acme","other"]}' }
  const reply = await send(JSON.stringify(bodyOf('chat', stream)), PATH_OF.chat(stream), headers)
  transport.last.head(200, JSON_TYPE)
  transport.last.chunk(JSON.stringify(LIMITED.chat))
  transport.last.end()
  expect(transport.calls).toHaveLength(2)
  transport.last.head(200, JSON_TYPE)
  transport.last.chunk(JSON.stringify(ANSWER.chat))
  transport.last.end()
  expect(reply.text).toContain('Hello there')
  const [first] = log.entries[0]?.attempts ?? []
  expect(first).toMatchObject({ error: 'rate-limit' satisfies ErrorKind, upstreamMessage: 'said upstream' })
})

it.each([
  { object: 'error', message: 'said upstream', type: 'RateLimitError', code: 429 },
  { message: 'said upstream', type: 'rate_limit_error', code: null },
])('reads an error without its wrapper object whole and streamed: %j', async (error) => {
  for (const stream of [false, true]) {
    const { reply, upstream } = await ask('chat', 'chat', stream)
    upstream.head(200, stream ? SSE : JSON_TYPE)
    upstream.chunk(stream ? `data: ${JSON.stringify(error)}\n\n` : JSON.stringify(error))
    upstream.end()
    expect(reply.status).toBe(429)
  }
})

it('reads an error that is not the first member of its event', async () => {
  const { reply, upstream } = await ask('chat', 'chat', true)
  upstream.head(200, SSE)
  const chunk = { id: 'gen-1', object: 'chat.completion.chunk', error: { code: 429, message: 'said upstream' } }
  const choices = [{ index: 0, delta: { content: '' }, finish_reason: 'error' }]
  upstream.chunk(`data: ${JSON.stringify({ ...chunk, choices })}\n\n`)
  expect(reply).toMatchObject({ status: 429, state: 'whole' })
})

it('does not take a refused key for a fault of the upstream', async () => {
  const { upstream, log } = await ask('chat', 'chat', false)
  upstream.head(200, JSON_TYPE)
  upstream.chunk(JSON.stringify({ error: { message: 'Incorrect API key', code: 401 } }))
  upstream.end()
  expect(log.entries[0]).toMatchObject({ status: 502, attempts: [{ error: 'authentication' }] })
})

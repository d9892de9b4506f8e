import { protocols } from '@dragoman/core/protocols'
import { usd } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import { estimateBody } from '../src/bodies/estimate-body.ts'
import { estimateTokens } from '../src/bodies/estimate.ts'
import { entryText } from '../src/index.ts'
import { card } from './fake-protocol.ts'
import { fakeProvider } from './scripted.ts'
import { KEY, setUp, SSE } from './set-up.ts'

const prices = usd({ prompt: 1, completion: 10 })
const TEXT = 'Light of short waves is scattered more.' // 39 characters: 10 tokens
const VERSION = { 'anthropic-version': '2023-06-01' }

/** How each protocol asks, and how its upstreams answer without usage. */
const WIRES = {
  chat: {
    path: () => '/api/v1/chat/completions',
    asks: { messages: [{ role: 'user', content: 'Why is the sky blue?' }] },
    whole: { id: 'c', object: 'chat.completion', choices: [{ message: { role: 'assistant', content: TEXT } }] },
    frames: [{ id: 'c', model: 'm', choices: [{ index: 0, delta: { content: TEXT } }] }],
    end: 'data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
  },
  messages: {
    path: () => '/api/anthropic/v1/messages',
    asks: { max_tokens: 100, messages: [{ role: 'user', content: 'Why is the sky blue?' }] },
    whole: { id: 'm', type: 'message', role: 'assistant', content: [{ type: 'text', text: TEXT }] },
    frames: [
      { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [] } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: TEXT } },
    ],
    end: 'event: message_stop\ndata: {"type":"message_stop"}\n\n',
  },
  genai: {
    path: (stream: boolean) =>
      `/api/vertex-ai/v1/publishers/acme/models/m:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    asks: { contents: [{ role: 'user', parts: [{ text: 'Why is the sky blue?' }] }] },
    whole: { candidates: [{ index: 0, content: { role: 'model', parts: [{ text: TEXT }] }, finishReason: 'STOP' }] },
    frames: [{ responseId: 'r', modelVersion: 'm', candidates: [{ index: 0, content: { parts: [{ text: TEXT }] } }] }],
    end: 'data: {"candidates":[{"index":0,"finishReason":"STOP"}]}\n\n',
  },
} as const

type Name = keyof typeof WIRES
const NAMES = Object.keys(WIRES) as Name[] // its own keys
const PAIRS = NAMES.flatMap((caller) => NAMES.map((upstream) => ({ caller, upstream })))
const frame = (data: object): string =>
  `${'type' in data ? `event: ${String(data.type)}\n` : ''}data: ${JSON.stringify(data)}\n\n`

async function ask({ caller, upstream }: { caller: Name; upstream: Name }, stream: boolean) {
  const providers = [fakeProvider('acme', [upstream], [card('m', { prices })])]
  const { send, transport, log, ledger } = setUp({ protocols, providers })
  const { path, asks } = WIRES[caller]
  const body = JSON.stringify({ model: 'acme/m', ...asks, ...(stream ? { stream } : {}) })
  const reply = await send(body, path(stream), { ...KEY, ...VERSION })
  const { last } = transport
  last.head(200, stream ? SSE : undefined)
  const line = () =>
    JSON.parse(`{${log.entries[0] && entryText(log.entries[0])}}`) as { readonly [fact: string]: unknown }
  return { reply, last, ledger, line, ...WIRES[upstream] }
}

/** 10 tokens were written. A request has about 12 tokens, with the names of its members. */
function expectEstimate({ ledger, line }: Awaited<ReturnType<typeof ask>>, output = 10): void {
  const [record] = ledger.records
  expect(record?.usage).toMatchObject({ output, estimated: true })
  const { input = 0 } = record?.usage ?? {}
  expect(input >= 6 && input <= 30).toBe(true)
  expect(record?.cost).toMatchObject({ total: input * 1000 + output * 10_000, estimated: true })
  expect(line()).toMatchObject({ tokens: { input, output }, cost: { prompt: input * 1000 }, estimated: true })
}

describe('an answer without usage is estimated and marked (trap 38)', () => {
  it.each(PAIRS)('whole, $caller to $upstream', async (pair) => {
    const asked = await ask(pair, false)
    asked.last.chunk(JSON.stringify(asked.whole))
    asked.last.end()
    expect(asked.reply.status).toBe(200)
    expectEstimate(asked)
    expect(asked.reply.headers).toMatchObject({
      'x-dragoman-estimated': 'true',
      'x-dragoman-cost': expect.stringMatching(/^0\.0001\d+$/) as string,
    })
  })

  it.each(PAIRS)('streamed, $caller to $upstream', async (pair) => {
    const asked = await ask(pair, true)
    asked.last.chunk(asked.frames.map(frame).join(''))
    asked.last.chunk(asked.end)
    asked.last.end()
    expect(asked.reply.state).toBe('ended')
    expectEstimate(asked)
  })

  it.each(PAIRS)('streamed and cut off by the upstream, $caller to $upstream', async (pair) => {
    const asked = await ask(pair, true)
    asked.last.chunk(asked.frames.map(frame).join(''))
    asked.last.fail('reset')
    expect(asked.reply.state).toBe('cut')
    expectEstimate(asked)
  })

  it.each(PAIRS)('streamed until the caller leaves, $caller to $upstream', async (pair) => {
    const asked = await ask(pair, true)
    asked.last.chunk(asked.frames.map(frame).join(''))
    asked.reply.onGone?.()
    expect(asked.ledger.records).toMatchObject([{ outcome: 'aborted' }])
    expectEstimate(asked)
  })

  it('that the caller does not wait for has at least its prompt', async () => {
    for (const stream of [true, false]) {
      const asked = await ask({ caller: 'chat', upstream: 'chat' }, stream)
      asked.reply.onGone?.()
      expectEstimate(asked, 0)
    }
  })
})

describe('what an upstream has counted stays as it is', () => {
  it('in a complete answer', async () => {
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
    const asked = await ask({ caller: 'chat', upstream: 'chat' }, false)
    asked.last.chunk(JSON.stringify({ ...asked.whole, usage }))
    asked.last.end()
    expect(asked.ledger.records).toMatchObject([{ usage: { input: 3, output: 2 } }])
    expect(asked.reply.headers).not.toHaveProperty('x-dragoman-estimated')
    expect(asked.line()).not.toHaveProperty('estimated')
  })

  it.each(NAMES)('in a complete stream, even if text follows, of chat to %s', async (caller) => {
    const asked = await ask({ caller, upstream: 'chat' }, true)
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
    asked.last.chunk(frame({ id: 'c', model: 'm', choices: [{ index: 0, delta: { content: '' } }], usage }))
    asked.last.chunk(WIRES.chat.frames.map(frame).join('') + WIRES.chat.end)
    asked.last.end()
    expect(asked.ledger.records).toMatchObject([{ outcome: 'complete', usage: { input: 3, output: 2 } }])
    expect(asked.ledger.records[0]?.usage).not.toHaveProperty('estimated')
  })

  it.each(NAMES)('and only the output after its last count is added, of messages to %s', async (caller) => {
    const asked = await ask({ caller, upstream: 'messages' }, true)
    const message = { id: 'm', model: 'm', content: [], usage: { input_tokens: 3, output_tokens: 2 } }
    asked.last.chunk(frame({ type: 'message_start', message }))
    asked.last.chunk(asked.frames.slice(1).map(frame).join(''))
    asked.reply.onGone?.()
    expect(asked.ledger.records).toMatchObject([{ usage: { input: 3, output: 12, estimated: true } }])
  })

  it.each(NAMES)('and a running count needs no estimate, of genai to %s', async (caller) => {
    const asked = await ask({ caller, upstream: 'genai' }, true)
    const [first] = WIRES.genai.frames
    const counted = { ...first, usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 7, totalTokenCount: 10 } }
    asked.last.chunk(frame(counted))
    asked.reply.onGone?.()
    expect(asked.ledger.records).toMatchObject([{ usage: { input: 3, output: 7 } }])
    expect(asked.ledger.records[0]?.usage).not.toHaveProperty('estimated')
  })
})

describe('the estimate of a body', () => {
  const long = 'The quick brown fox jumps over the lazy dog. '.repeat(200)
  const png = `iVBORw0KGgo${'A'.repeat(400_000)}`
  const pdf = `JVBERi0${'A'.repeat(330_000)}`
  const tools = [
    { type: 'function', function: { name: 'get_weather', parameters: { type: 'object', properties: {} } } },
  ]
  const file = { filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` }
  const BODIES = {
    'a long text': { messages: [{ role: 'user', content: long }] },
    'a conversation with tools': {
      tools,
      messages: [
        { role: 'system', content: 'You are helpful.' },
        { role: 'user', content: 'What is the weather in Paris, please?' },
        {
          role: 'assistant',
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'get_weather', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: 'It is sunny, with 22 degrees and a light wind from the west.' },
      ],
    },
    'an image': {
      messages: [
        { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }] },
      ],
    },
    'a document': { messages: [{ role: 'user', content: [{ type: 'file', file }] }] },
  }
  const chat = protocols.find(({ name }) => name === 'chat')

  it.each(Object.entries(BODIES))('is near that of the decoded request: %s', (_title, members) => {
    const body = { model: 'acme/m', ...members }
    const decoded = chat === undefined ? 0 : estimateTokens(chat.request.decode(body, { issuer: 'openai' }))
    const ratio = estimateBody(body, { media: chat?.relay.media }) / decoded
    expect(ratio > 0.6 && ratio < 1.7).toBe(true)
  })
})

import { protocols } from '@dragoman/core/protocols'
import { perCount, usd } from '@dragoman/core/provider'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFetchHandler, createFetchTransport } from '../src/index.ts'
import { dollars } from '../src/metering/dollars.ts'
import { card, parse } from './fake-protocol.ts'
import { nearOffload } from './near-offload.ts'
import { fakeProvider } from './scripted.ts'
import { bytesOf, KEY, setUp, SSE } from './set-up.ts'

const prices = usd({ prompt: 3, input_cache_read: 0.3, completion: 15, web_search: perCount(0.01) })
const ASKS = { model: 'acme/m', messages: [{ role: 'user', content: 'Hi' }] }
const INCLUDE = { usage: { include: true } }
/** 100 tokens, 40 of them cached, and 20 of output: 180 + 12 and 300 millionths of a dollar. */
const COST = {
  cost: 0.000492,
  cost_details: {
    upstream_inference_cost: 0.000492,
    upstream_inference_prompt_cost: 0.000192,
    upstream_inference_completions_cost: 0.0003,
  },
}
const WRITTEN =
  '"cost":0.000492,"cost_details":{"upstream_inference_cost":0.000492,' +
  '"upstream_inference_prompt_cost":0.000192,"upstream_inference_completions_cost":0.0003}'
const CHAT_USAGE = {
  prompt_tokens: 100,
  completion_tokens: 20,
  total_tokens: 120,
  prompt_tokens_details: { cached_tokens: 40 },
}
const MESSAGES_USAGE = { input_tokens: 60, cache_read_input_tokens: 40, output_tokens: 20 }
const GENAI_USAGE = {
  promptTokenCount: 100,
  cachedContentTokenCount: 40,
  candidatesTokenCount: 20,
  totalTokenCount: 120,
}
const frame = (data: object): string => `data: ${JSON.stringify(data)}\n\n`
const chunk = (more: object) => ({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', ...more })
const choice = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
})

/** Whole answers and streams of upstreams with the same usage. */
const UPSTREAMS = {
  chat: {
    whole: `{ "id": "c", "object": "chat.completion", "created": 1, "model": "acme/m",
      "choices": [{"index":0,"message":{"role":"assistant","content":"\\"usage\\": {}"},"finish_reason":"stop"}],
      "usage": ${JSON.stringify(CHAT_USAGE)}, "own": 1.0 }`,
    stream: [
      chunk({ ...choice({ role: 'assistant', content: 'Hi \u2028data: {"usage":{}}' }), usage: null }),
      chunk({ ...choice({}, 'stop'), usage: null }),
      chunk({ choices: [], usage: CHAT_USAGE }),
    ].map(frame),
    end: 'data: [DONE]\n\n',
  },
  messages: {
    whole: JSON.stringify({
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text: 'Hi' }],
      stop_reason: 'end_turn',
      usage: MESSAGES_USAGE,
    }),
    stream: [
      {
        type: 'message_start',
        message: { id: 'm', role: 'assistant', model: 'm', usage: { ...MESSAGES_USAGE, output_tokens: 1 } },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 20 } },
    ].map((event) => `event: ${event.type}\n${frame(event)}`),
    end: 'event: message_stop\ndata: {"type":"message_stop"}\n\n',
  },
  genai: {
    whole: JSON.stringify({
      candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
      usageMetadata: GENAI_USAGE,
    }),
    stream: [
      {
        responseId: 'r',
        modelVersion: 'm',
        candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
        usageMetadata: GENAI_USAGE,
      },
    ].map(frame),
    end: '',
  },
}
type Upstream = keyof typeof UPSTREAMS
const NAMES = Object.keys(UPSTREAMS) as Upstream[] // its own keys

async function ask(upstream: Upstream, members: object, answer: string, more = prices) {
  const providers = [fakeProvider('acme', [upstream], [card('m', { prices: more })])]
  const set = setUp({ protocols, providers })
  const isStream = 'stream' in members
  const reply = await set.send(JSON.stringify({ ...ASKS, ...members }), '/api/v1/chat/completions', KEY)
  set.transport.last.head(200, isStream ? SSE : undefined)
  set.transport.last.chunk(answer)
  set.transport.last.end()
  return { reply, call: set.transport.last.call, records: set.ledger.records }
}

const streamOf = (upstream: Upstream): string => UPSTREAMS[upstream].stream.join('') + UPSTREAMS[upstream].end
const chunksOf = (text: string) =>
  text
    .split('\n\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => parse(line.slice(6)) as { readonly choices: readonly object[]; readonly usage?: object | null })

describe('a chat caller that asks for its cost', () => {
  it.each(NAMES)('gets it in the usage of a whole answer from %s [chat.usage]', async (upstream) => {
    const { reply, records } = await ask(upstream, INCLUDE, UPSTREAMS[upstream].whole)
    expect(parse(reply.text)).toMatchObject({ usage: { prompt_tokens: 100, completion_tokens: 20, ...COST } })
    expect(records[0]?.cost?.total).toBe(492_000)
    expect(reply.headers['x-dragoman-cost']).toBe('0.000492000')
  })

  it.each(NAMES)('gets it in the last chunk of a stream from %s, with the usage [chat.usage]', async (upstream) => {
    const { reply, records } = await ask(upstream, { ...INCLUDE, stream: true }, streamOf(upstream))
    const chunks = chunksOf(reply.text)
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 100, ...COST } })
    expect(chunks.filter(({ usage }) => usage != null)).toHaveLength(1)
    expect(reply.text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(records[0]?.cost?.total).toBe(492_000)
  })

  it('gets every other byte of a relayed answer as the upstream sent it', async () => {
    const whole = await ask('chat', INCLUDE, UPSTREAMS.chat.whole)
    expect(whole.reply.text).toBe(
      UPSTREAMS.chat.whole.replace('"cached_tokens":40}}', `"cached_tokens":40},${WRITTEN}}`),
    )
    const stream = streamOf('chat').replaceAll('"model":"m"', '"model":"acme/m"')
    const { reply } = await ask('chat', { ...INCLUDE, stream: true }, stream)
    expect(reply.text).toBe(stream.replace('"cached_tokens":40}}', `"cached_tokens":40},${WRITTEN}}`))
  })

  it('gets the price of the gateway instead of that of an aggregator', async () => {
    const usage = { ...CHAT_USAGE, cost: 7, cost_details: { upstream_inference_cost: 7 } }
    const { reply } = await ask('chat', INCLUDE, JSON.stringify({ choices: [], usage }))
    expect(parse(reply.text)).toMatchObject({ usage: COST })
    expect(reply.text).not.toContain(':7')
  })

  it('gets a mark where the usage is incomplete and has been estimated', async () => {
    const { completion_tokens, total_tokens, ...usage } = CHAT_USAGE
    const { reply } = await ask(
      'chat',
      INCLUDE,
      UPSTREAMS.chat.whole.replace(JSON.stringify(CHAT_USAGE), JSON.stringify(usage)),
    )
    expect(parse(reply.text)).toMatchObject({ usage: { prompt_tokens: 100, cost_details: { estimated: true } } })
  })

  it('gets it where other streams pass untouched, and where whole answers are processed by another thread', async () => {
    const providers = [fakeProvider('acme', ['chat'], [card('m', { prices })])]
    const answered = async (members: object, body: string, headers: Record<string, string>) => {
      const transport = createFetchTransport({ fetch: () => Promise.resolve(new Response(body, { headers })) })
      const options = { relayedStreams: 'untouched', offload: nearOffload() } as const
      const { gateway } = setUp({ protocols, providers, transport, ...options })
      const text = JSON.stringify({ ...ASKS, ...members })
      const request = new Request('http://gateway/api/v1/chat/completions', {
        method: 'POST',
        headers: KEY,
        body: text,
      })
      return (await createFetchHandler(gateway)(request)).text()
    }
    const options = { stream: true, stream_options: { include_usage: true } }
    expect(await answered(options, streamOf('chat'), SSE)).toBe(streamOf('chat'))
    expect(await answered({ ...options, ...INCLUDE }, streamOf('chat'), SSE)).toContain(WRITTEN)
    const json = { 'content-type': 'application/json' }
    expect(await answered({}, UPSTREAMS.chat.whole, json)).toBe(UPSTREAMS.chat.whole)
    expect(await answered(INCLUDE, UPSTREAMS.chat.whole, json)).toContain(WRITTEN)
  })

  it('gets no price that is not known', async () => {
    const { reply } = await ask('chat', INCLUDE, UPSTREAMS.chat.whole, {})
    expect(reply.text).toBe(UPSTREAMS.chat.whole)
  })

  it.each([{}, { stream: true }])('asks the gateway alone: %j', async (members) => {
    const { call } = await ask('chat', { ...INCLUDE, ...members }, streamOf('chat'))
    const sent = parse(new TextDecoder().decode(bytesOf(call.body)))
    expect(sent).not.toHaveProperty('usage')
    expect(sent).toMatchObject('stream' in members ? { stream_options: { include_usage: true } } : {})
  })
})

describe('a chat caller that does not ask for its cost', () => {
  it.each([{}, { usage: { include: false } }, { usage: null }])('gets the answer without it: %j', async (members) => {
    expect((await ask('chat', members, UPSTREAMS.chat.whole)).reply.text).toBe(UPSTREAMS.chat.whole)
    const stream = streamOf('chat').replaceAll('"model":"m"', '"model":"acme/m"')
    const options = { stream: true, stream_options: { include_usage: true } }
    expect((await ask('chat', { ...members, ...options }, stream)).reply.text).toBe(stream)
    expect((await ask('messages', { ...members, ...options }, streamOf('messages'))).reply.text).not.toContain('cost')
  })
})

it('a cost in an answer is exact, as a plain decimal', () => {
  expect([0, 1, 30, 492_000, 300_000_000, 1_000_000_000, 12_000_000_001].map(dollars)).toEqual([
    '0',
    '0.000000001',
    '0.00000003',
    '0.000492',
    '0.3',
    '1',
    '12.000000001',
  ])
  fc.assert(
    fc.property(fc.nat({ max: 1e15 }), (nanos) => {
      const text = dollars(nanos)
      expect(text).toMatch(/^(0|[1-9]\d*)(\.\d{0,8}[1-9])?$/)
      expect(Math.round(Number(text) * 1e9)).toBe(nanos)
    }),
  )
})

import type { JsonObject } from '@dragoman/core'
import { chat, genai } from '@dragoman/core/protocols'
import { usd, type Card } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import { card } from './fake-protocol.ts'
import { fakeProvider } from './scripted.ts'
import { KEY, setUp } from './set-up.ts'

const FACTS = {
  dimensions: 4,
  sizes: { min: 1, max: 4 },
  most: 5,
  perCall: 2,
  tokens: true,
  tasks: ['CLUSTERING'],
  title: true,
}
const embedder = (more: Partial<Card> = {}): Card =>
  card('v', { upstream: 'v-1', embedding: FACTS, prices: usd({ prompt: 2 }), ...more })

function serve(upstream: 'chat' | 'genai', more: Partial<Card> = {}) {
  const providers = [fakeProvider('acme', [upstream], [embedder(more), card('talks')])]
  const set = setUp({ providers, protocols: [chat, genai] })
  const embed = (target: string, body: JsonObject) => set.send(JSON.stringify(body), target, KEY)
  /** Answers all calls that are waiting. */
  const answer = (...bodies: unknown[]) => {
    for (const [index, body] of bodies.entries()) {
      const call = set.transport.calls[index]!
      call.head(200)
      call.chunk(JSON.stringify(body))
      call.end()
    }
  }
  const sent = () => set.transport.calls.map(({ call }) => JSON.parse(textOf(call.body)) as JsonObject)
  const urls = () => set.transport.calls.map(({ call }) => call.url)
  return { ...set, embed, answer, sent, urls }
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array) return new TextDecoder().decode(body)
  throw new Error('not one body')
}

const CHAT = '/api/v1/embeddings'
const EMBED = '/api/vertex-ai/v1beta/models/acme/v:embedContent'
const BATCH = '/api/vertex-ai/v1beta/models/acme/v:batchEmbedContents'
const PREDICT = '/api/vertex-ai/v1/publishers/acme/models/v:predict'
const content = (text: string) => ({ content: { parts: [{ text }] } })
const list = (...values: unknown[]) => ({
  object: 'list',
  data: values.map((embedding, index) => ({ object: 'embedding', index, embedding })),
  model: 'v-1',
  usage: { prompt_tokens: 10, total_tokens: 10 },
})

describe('vectors', () => {
  it('[embed.relay] [embed.chat.model] [embed.cost] are relayed within chat, and only the model is edited', async () => {
    const { transport, embed, answer, ledger, log } = serve('chat')
    const reply = await embed(CHAT, { model: 'acme/v', input: ['a', 'b'], encoding_format: 'base64', x_new: [1.0] })
    expect(textOf(transport.last.call.body)).toBe(
      '{"model":"v-1","input":["a","b"],"encoding_format":"base64","x_new":[1]}',
    )
    expect(transport.last.call.url).toContain('/embeddings')
    answer(list('AACAPw==', 'AACAPw=='))
    expect(reply.text).toBe(JSON.stringify({ ...list('AACAPw==', 'AACAPw=='), model: 'acme/v' }))
    expect(reply.headers['x-dragoman-cost']).toBe('0.000020000')
    expect(ledger.records).toMatchObject([
      { usage: { input: 10 }, cost: { items: [{ name: 'prompt', quantity: 10 }] } },
    ])
    expect(log.entries).toMatchObject([{ mode: 'relay', losses: [] }])
  })

  it('[embed.relay] [embed.batch.requests] of genai are relayed too, with the model in every request', async () => {
    const { embed, answer, sent, urls } = serve('genai')
    const body = { requests: [{ model: 'models/acme/v', ...content('a'), x_new: 1 }, content('b')], x_more: 2 }
    const reply = await embed(BATCH, body)
    expect(urls()[0]).toContain('/models/v-1:batchEmbedContents')
    expect(sent()).toEqual([
      {
        requests: [
          { model: 'models/v-1', ...content('a'), x_new: 1 },
          { model: 'models/v-1', ...content('b') },
        ],
        x_more: 2,
      },
    ])
    const given = { embeddings: [{ values: [1] }, { values: [2] }], x_other: 1 }
    answer(given)
    expect(reply.text).toBe(JSON.stringify(given))
  })

  it('[embed.relay] [embed.genai] of a single content keep their call', async () => {
    const { embed, answer, sent, urls } = serve('genai')
    const reply = await embed(EMBED, { model: 'models/acme/v', ...content('a') })
    expect(urls()[0]).toContain('/models/v-1:embedContent')
    expect(sent()).toEqual([{ model: 'models/v-1', ...content('a') }])
    answer({ embedding: { values: [1] }, usageMetadata: { promptTokenCount: 3 } })
    expect(JSON.parse(reply.text)).toMatchObject({ embedding: { values: [1] } })
  })

  it('[embed.pairs] [embed.chat] [embed.chat.encoding_format] [embed.usage] of genai for a chat client', async () => {
    const { embed, answer, sent, urls, ledger, log } = serve('genai')
    const reply = await embed(CHAT, { model: 'acme/v', input: ['a', 'b'], dimensions: 2, encoding_format: 'base64' })
    expect(urls()[0]).toContain('/models/v-1:batchEmbedContents')
    expect(sent()[0]).toEqual({
      requests: ['a', 'b'].map((text) => ({ model: 'models/v-1', ...content(text), outputDimensionality: 2 })),
    })
    answer({ embeddings: [{ values: [1] }, { values: [-2] }], usageMetadata: { promptTokenCount: 7 } })
    expect(JSON.parse(reply.text)).toEqual({
      object: 'list',
      model: 'acme/v',
      data: [
        { object: 'embedding', index: 0, embedding: 'AACAPw==' },
        { object: 'embedding', index: 1, embedding: 'AAAAwA==' },
      ],
      usage: { prompt_tokens: 7, total_tokens: 7 },
    })
    expect(reply.headers).toMatchObject({ 'x-dragoman-cost': '0.000014000' })
    expect(reply.headers).not.toHaveProperty('x-dragoman-estimated')
    expect(ledger.records).toMatchObject([{ usage: { input: 7 } }])
    expect(log.entries).toMatchObject([{ mode: 'translate', losses: [] }])
  })

  it('[embed.pairs] [embed.predict] [embed.genai.taskType] [embed.losses] of chat for a client of predict', async () => {
    const { embed, answer, sent, log } = serve('chat')
    const reply = await embed(PREDICT, {
      instances: [{ content: 'a', task_type: 'CLUSTERING', title: 'A' }],
      parameters: { outputDimensionality: 3, autoTruncate: true },
    })
    expect(sent()).toEqual([{ model: 'v-1', input: 'a', dimensions: 3 }])
    answer(list([1, 2, 3]))
    expect(JSON.parse(reply.text)).toEqual({
      predictions: [{ embeddings: { values: [1, 2, 3], statistics: { token_count: 10, truncated: false } } }],
    })
    expect(log.entries[0]?.losses.map(({ path }) => path.join('.'))).toEqual(['truncate', 'taskType', 'title'])
    expect(reply.headers['x-dragoman-losses']).toBeDefined()
  })

  it('[embed.usage] have an estimate, marked, if the upstream does not count', async () => {
    const { embed, answer, ledger } = serve('genai')
    const translated = await embed(CHAT, { model: 'acme/v', input: 'eight characters' })
    answer({ embeddings: [{ values: [1] }] })
    const { usage } = JSON.parse(translated.text) as { usage: { prompt_tokens: number } }
    expect(usage.prompt_tokens).toBeGreaterThan(3)
    expect(translated.headers).toMatchObject({ 'x-dragoman-estimated': 'true' })
    expect(ledger.records).toMatchObject([{ usage: { input: usage.prompt_tokens, estimated: true } }])
    const other = serve('genai')
    const relayed = await other.embed(EMBED, content('eight characters'))
    other.answer({ embedding: { values: [1] } })
    expect(relayed.headers).toMatchObject({ 'x-dragoman-estimated': 'true' })
  })

  it('[embed.split] of many inputs come from several calls, in order, with the sum of their usage', async () => {
    const { embed, answer, sent, ledger, transport } = serve('chat')
    const reply = await embed(CHAT, { model: 'acme/v', input: ['a', 'b', 'c', 'd', 'e'] })
    expect(sent().map(({ input }) => input)).toEqual([['a', 'b'], ['c', 'd'], 'e'])
    // The last call is answered first.
    transport.calls.reverse()
    answer(list([5]), list([3], [4]), list([1], [2]))
    await expect.poll(() => reply.state).not.toBe('open')
    expect(JSON.parse(reply.text)).toMatchObject({
      data: [1, 2, 3, 4, 5].map((value, index) => ({ index, embedding: [value] })),
      usage: { prompt_tokens: 30, total_tokens: 30 },
    })
    expect(ledger.records).toMatchObject([{ usage: { input: 30 } }])
    expect(ledger.records).toHaveLength(1)
  })

  it('[embed.split] [embed.err.upstream] fail together if one of the calls fails', async () => {
    const { embed, transport } = serve('genai')
    const reply = await embed(CHAT, { model: 'acme/v', input: ['a', 'b', 'c'] })
    transport.calls[1]!.head(400)
    transport.calls[1]!.chunk('{"error":{"code":400,"message":"no","status":"INVALID_ARGUMENT"}}')
    transport.calls[1]!.end()
    transport.calls[0]!.head(200)
    transport.calls[0]!.chunk('{"embeddings":[{"values":[1]},{"values":[2]}]}')
    transport.calls[0]!.end()
    await expect.poll(() => reply.state).not.toBe('open')
    expect([reply.status, JSON.parse(reply.text)]).toMatchObject([
      400,
      { error: { message: 'no', type: 'invalid_request_error' } },
    ])
  })

  it.each([
    ['[embed.err.input] no inputs', CHAT, { model: 'acme/v', input: [] }, 'input'],
    ['[embed.err.most] too many', CHAT, { model: 'acme/v', input: 'abcdef'.split('') }, 'input'],
    ['[embed.err.dimensions] a wrong length', CHAT, { model: 'acme/v', input: 'a', dimensions: 9 }, 'dimensions'],
    ['[embed.err.tokens] tokens', CHAT, { model: 'acme/v', input: [1] }, 'input'],
  ])('%s are refused by a native 400 before any call', async (_rows, target, body, param) => {
    const { embed, transport } = serve('genai')
    const reply = await embed(target, body)
    expect([reply.status, JSON.parse(reply.text)]).toMatchObject([
      400,
      { error: { type: 'invalid_request_error', param } },
    ])
    expect(transport.calls).toEqual([])
  })

  it('[embed.err.dimensions] [embed.genai.outputDimensionality] names the field in the words of genai', async () => {
    const { embed, transport } = serve('chat')
    const reply = await embed(EMBED, { ...content('a'), outputDimensionality: 9 })
    expect([reply.status, JSON.parse(reply.text)]).toMatchObject([
      400,
      { error: { status: 'INVALID_ARGUMENT', message: expect.stringContaining('outputDimensionality') as string } },
    ])
    expect(transport.calls).toEqual([])
  })

  it('[embed.err.upstream] errors have the form of the caller', async () => {
    const { embed, transport } = serve('chat')
    const reply = await embed(EMBED, content('a'))
    transport.last.head(400)
    transport.last.chunk('{"error":{"message":"too long","type":"invalid_request_error"}}')
    transport.last.end()
    expect([reply.status, JSON.parse(reply.text)]).toMatchObject([
      400,
      { error: { code: 400, message: 'too long', status: 'INVALID_ARGUMENT' } },
    ])
  })

  it('[embed.err.upstream] an answer with too few embeddings is an error', async () => {
    const { embed, answer } = serve('chat')
    const reply = await embed(BATCH, { requests: [content('a'), content('b')] })
    answer(list([1]))
    expect(reply.status).toBe(502)
  })

  it('[embed.card] come from cards that have them, and conversations from others', async () => {
    const { embed, send } = serve('chat')
    const talks = await embed(CHAT, { model: 'acme/talks', input: 'a' })
    expect([talks.status, JSON.parse(talks.text)]).toMatchObject([400, { error: { param: 'model' } }])
    const embedded = await send(
      JSON.stringify({ model: 'acme/v', messages: [{ role: 'user', content: 'a' }] }),
      '/api/v1/chat/completions',
    )
    expect([embedded.status, JSON.parse(embedded.text)]).toMatchObject([400, { error: { param: 'model' } }])
  })

  it('[embed.chat.routing] follow the preferences of the body, which stay here', async () => {
    const { embed, sent } = serve('chat')
    const preferences = {
      provider: { type: 'priority' },
      model_routing_config: { task_info: { task_type: 'embedding' } },
    }
    await embed(CHAT, { model: 'acme/v', input: 'a', ...preferences })
    expect(sent()).toEqual([{ model: 'v-1', input: 'a' }])
    const wrong = await embed(CHAT, {
      model: 'acme/v',
      input: 'a',
      model_routing_config: { task_info: { task_type: 'chat' } },
    })
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('answers with embeddings')])
  })

  it('[embed.chat.routing] [embed.cost] have their price if it is asked for', async () => {
    const { embed, answer, sent } = serve('chat')
    const reply = await embed(CHAT, { model: 'acme/v', input: 'a', usage: { include: true } })
    expect(sent()).toEqual([{ model: 'v-1', input: 'a' }])
    answer(list([1]))
    expect(JSON.parse(reply.text)).toMatchObject({ usage: { prompt_tokens: 10, cost: 0.00002 } })
  })

  it('[embed.explain] are explained without a call', async () => {
    const { embed, transport } = serve('genai')
    const reply = await embed(`/explain${CHAT}`, { model: 'acme/v', input: 'a', user: 'u' })
    await expect.poll(() => reply.state).not.toBe('open')
    expect(JSON.parse(reply.text)).toMatchObject({
      routes: [
        {
          model: 'acme/v',
          request: { url: expect.stringContaining(':batchEmbedContents') as string },
          losses: [{ code: 'dropped-user' }],
        },
      ],
    })
    expect(transport.calls).toEqual([])
  })
})

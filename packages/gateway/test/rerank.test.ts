import type { JsonObject } from '@dragoman/core'
import { chat, genai } from '@dragoman/core/protocols'
import { perCount, usd, type Card } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import { createMemoryKeys, type GatewayOptions } from '../src/index.ts'
import { card } from './fake-protocol.ts'
import { fakeProvider } from './scripted.ts'
import { KEY, setUp } from './set-up.ts'

/** By default a model that is billed by tokens, and takes whatever its protocol has. */
const ranker = (more: Partial<Card> = {}): Card =>
  card('r', { upstream: 'r-1', rerank: {}, prices: usd({ prompt: 2 }), ...more })

/** One like those of Cohere: texts only, no documents in results, billed by searches of 2 documents. */
const SEARCHING: Partial<Card> = {
  rerank: { texts: true, returns: false, searchDocuments: 2, most: 4 },
  prices: usd({ search: perCount(0.002) }),
}

function serve(more: Partial<Card> = {}, options: Partial<GatewayOptions> = {}) {
  const providers = [fakeProvider('acme', ['chat'], [ranker(more), card('talks')])]
  const set = setUp({ providers, protocols: [chat, genai], ...options })
  const ask = (body: JsonObject, path = '/api/v1/rerank') =>
    set.send(JSON.stringify({ model: 'acme/r', query: 'boats', documents: ['a cat', 'a boat'], ...body }), path, KEY)
  const answer = (...bodies: unknown[]) => {
    for (const [index, body] of bodies.entries()) {
      const call = set.transport.calls[index]!
      call.head(200)
      call.chunk(JSON.stringify(body))
      call.end()
    }
  }
  const sent = () => set.transport.calls.map(({ call }) => JSON.parse(textOf(call.body)) as JsonObject)
  return { ...set, ask, answer, sent }
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array) return new TextDecoder().decode(body)
  throw new Error('not one body')
}

const ranked = (...results: readonly (readonly [index: number, score: number])[]) => ({
  results: results.map(([index, relevance_score]) => ({ index, relevance_score })),
})
const resultsIn = (text: string) => (JSON.parse(text) as { results: unknown }).results

describe('reranking', () => {
  it.each(['/api/v1/rerank', '/v1/rerank', '/v2/rerank'])(
    'is relayed at %s, and only the model is edited',
    async (path) => {
      const { ask, answer, transport, ledger, log } = serve()
      const documents = ['a cat', { text: 'a boat', page: 1.0 }]
      const reply = await ask({ documents, top_n: 1, return_documents: true, truncation: 'END' }, path)
      expect(transport.last.call.url).toMatch(/\/rerank$/)
      expect(textOf(transport.last.call.body)).toBe(
        JSON.stringify({
          model: 'r-1',
          query: 'boats',
          documents,
          top_n: 1,
          return_documents: true,
          truncation: 'END',
        }),
      )
      const found = { index: 1, relevance_score: 0.91, document: documents[1] }
      answer({ model: 'r-1', results: [found], usage: { total_tokens: 15, prompt_tokens: 15 }, object: 'list' })
      expect(reply.text).toBe(
        JSON.stringify({
          model: 'acme/r',
          results: [found],
          usage: { total_tokens: 15, prompt_tokens: 15 },
          object: 'list',
        }),
      )
      // 15 tokens of 2 dollars for a million.
      expect(reply.headers['x-dragoman-cost']).toBe('0.000030000')
      expect(ledger.records).toMatchObject([{ usage: { input: 15 } }])
      expect(log.entries).toMatchObject([{ mode: 'relay', losses: [] }])
    },
  )

  it('is billed by the searches that an upstream counts, or by those that its card expects', async () => {
    for (const [meta, price] of [
      [{ billed_units: { search_units: 3 } }, '0.006000000'],
      [{}, '0.004000000'],
    ] as const) {
      const { ask, answer } = serve(SEARCHING)
      const reply = await ask({ documents: ['a', 'b', 'c'] })
      answer({ id: 'x', ...ranked([2, 0.9], [0, 0.5], [1, 0.1]), meta: { api_version: { version: '2' }, ...meta } })
      expect(resultsIn(reply.text)).toEqual(ranked([2, 0.9], [0, 0.5], [1, 0.1]).results)
      expect(reply.headers['x-dragoman-cost']).toBe(price)
    }
  })

  it.each([
    // 2 dollars for a million tokens, of which two short pairs have more than none; two searches of 0.002 dollars.
    ['tokens', {}, { meta: { billed_units: { search_units: 1 } } }, (price: number) => price > 0],
    ['searches', SEARCHING, { usage: { total_tokens: 9 } }, (price: number) => price === 0.004],
  ])('charges the expected %s if an upstream counts only in the other unit', async (_unit, facts, counted, isRight) => {
    for (const more of [{}, { return_documents: true, documents: ['a', { text: 'b' }, 'c'] }]) {
      const { ask, answer } = serve(facts)
      const reply = await ask({ documents: ['a', 'b', 'c'], ...more })
      answer({ id: 'x', ...ranked([0, 0.5]), ...counted })
      expect(isRight(Number(reply.headers['x-dragoman-cost']))).toBe(true)
    }
  })

  it('charges the estimated tokens of all pairs if an upstream counts none', async () => {
    const { ask, answer, ledger } = serve()
    await ask({ query: 'q'.repeat(400), documents: ['d'.repeat(400), 'd'.repeat(400)] })
    answer({ model: 'r-1', ...ranked([0, 0.5]) })
    const [{ usage }] = ledger.records as unknown as [{ usage: { input: number; estimated: boolean } }]
    expect(usage.estimated).toBe(true)
    // The query is read with each of the two documents: 1,600 characters, about 4 for a token.
    expect(usage.input).toBeGreaterThan(350)
  })

  it('sends texts and adds documents for models that take and return no objects, and reports what is lost', async () => {
    const { ask, answer, sent, log } = serve(SEARCHING)
    const documents = [{ text: 'a boat', page: 7 }, 'a cat']
    const reply = await ask({ documents, return_documents: true })
    expect(sent()).toEqual([{ model: 'r-1', query: 'boats', documents: ['a boat', 'a cat'] }])
    answer({ id: 'x', ...ranked([0, 0.9], [1, 0.2]), meta: { billed_units: { search_units: 1 } } })
    expect(resultsIn(reply.text)).toEqual([
      { index: 0, relevance_score: 0.9, document: { text: 'a boat', page: 7 } },
      { index: 1, relevance_score: 0.2, document: { text: 'a cat' } },
    ])
    expect(log.entries).toMatchObject([{ mode: 'translate', losses: [{ kind: 'changed', wirePath: 'documents[0]' }] }])
  })

  it('is one ranking of several calls if a model takes fewer documents at once', async () => {
    const { ask, answer, sent } = serve({ rerank: { perCall: 2 } })
    const reply = await ask({ documents: ['a', 'b', 'c', 'd', 'e'], top_n: 3 })
    expect(sent().map(({ documents }) => documents)).toEqual([['a', 'b'], ['c', 'd'], ['e']])
    const counted = { usage: { total_tokens: 10 } }
    answer(
      { ...ranked([1, 0.3], [0, 0.2]), ...counted },
      { ...ranked([0, 0.9]), ...counted },
      { ...ranked([0, 0.25]), ...counted },
    )
    await expect.poll(() => reply.status).toBe(200)
    expect(resultsIn(reply.text)).toEqual(ranked([2, 0.9], [1, 0.3], [4, 0.25]).results)
    expect(reply.text).toContain('"total_tokens":30')
    // Three times 10 tokens of 2 dollars for a million.
    expect(reply.headers['x-dragoman-cost']).toBe('0.000060000')
  })

  it.each([
    [{ query: '' }, 'query'],
    [{ documents: [] }, 'documents'],
    [{ documents: [1] }, 'documents'],
    [{ top_n: 0 }, 'top_n'],
    [{ return_documents: 'yes' }, 'return_documents'],
    [{ documents: ['a', 'b', 'c', 'd', 'e'] }, 'documents'],
    [{ documents: [{ title: 'a' }] }, 'documents'],
  ])('refuses %j, and names the member', async (body, param) => {
    const { ask, transport } = serve(SEARCHING)
    const reply = await ask(body)
    expect(reply.status).toBe(400)
    expect((JSON.parse(reply.text) as { error: { param: string } }).error.param).toContain(param)
    expect(transport.calls).toEqual([])
  })

  it.each([[ranked([2, 0.5])], [ranked([0, 0.5], [0, 0.4])], [{ results: [{ index: 0 }] }], [{ data: [] }]])(
    'answers %j of an upstream with an error, not with a wrong ranking',
    async (body) => {
      const { ask, answer } = serve(SEARCHING)
      const reply = await ask({ return_documents: true })
      answer(body)
      expect(reply.status).toBe(502)
    },
  )

  it('needs a model for it, and is not a conversation', async () => {
    const { ask, send } = serve()
    expect((await ask({ model: 'acme/talks' })).status).toBe(400)
    const talk = { model: 'acme/r', messages: [{ role: 'user', content: 'hi' }] }
    expect((await send(JSON.stringify(talk), '/api/v1/chat/completions', KEY)).status).toBe(400)
  })

  it('refuses documents that are nested too deeply, if their length must be known', async () => {
    const { send, transport } = serve()
    const deep = `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`
    const reply = await send(`{"model":"acme/r","query":"q","documents":[${deep}]}`, '/api/v1/rerank', KEY)
    expect(reply.status).toBe(400)
    expect(transport.calls).toEqual([])
  })

  it('is refused for a key that may not use the model', async () => {
    const keys = createMemoryKeys([{ id: 'few', secret: 'secret', models: ['acme/talks'] }])
    const { ask, transport } = serve({}, { keys })
    const reply = await ask({})
    expect(reply.status).toBe(403)
    expect(transport.calls).toEqual([])
  })

  it('is explained with its request and its losses, and no upstream is called', async () => {
    const { ask, transport } = serve(SEARCHING)
    const reply = await ask({ documents: [{ text: 'a' }, 'b', 'c'] }, '/explain/api/v1/rerank')
    await expect.poll(() => reply.status).toBe(200)
    expect(transport.calls).toEqual([])
    expect(JSON.parse(reply.text)).toMatchObject({
      routes: [
        {
          mode: 'translate',
          request: {
            url: expect.stringMatching(/\/rerank$/) as string,
            body: expect.stringContaining('"documents":["a","b","c"]') as string,
          },
          losses: [{ text: 'changed documents[0]: this model takes only texts' }],
        },
      ],
    })
  })
})

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DragomanError } from '../../ir/error.ts'
import { createLosses } from '../../ir/loss.ts'
import type { JsonObject } from '../../lib/json.ts'
import { chat } from './index.ts'
import { rerank } from './rerank.ts'

const document = fc.oneof(
  fc.string(),
  fc.record({ text: fc.string(), page: fc.integer() }, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>,
)
const request = fc.record(
  {
    model: fc.string({ minLength: 1 }),
    query: fc.oneof(fc.string({ minLength: 1 }), fc.constant({ text: 'boats' })),
    documents: fc.array(document, { minLength: 1 }),
    top_n: fc.integer({ min: 1, max: 1000 }),
    return_documents: fc.boolean(),
    rank_fields: fc.array(fc.string()),
    max_tokens_per_doc: fc.integer({ min: 1, max: 10_000 }),
    truncation: fc.constantFrom('END', 'NONE'),
  },
  { requiredKeys: ['model', 'query', 'documents'] },
) as fc.Arbitrary<JsonObject>
const result = fc.record(
  { index: fc.nat(), relevance_score: fc.double({ noNaN: true }), document, rank: fc.nat() },
  { requiredKeys: ['index', 'relevance_score'] },
)
/** As Cohere, Jina and vLLM count. */
const counts = fc.constantFrom<JsonObject>(
  { meta: { api_version: { version: '2' }, billed_units: { search_units: 2 } } },
  { usage: { total_tokens: 12, prompt_tokens: 12 }, object: 'list' },
  { usage: { total_tokens: 56 } },
)
const answer = fc
  .tuple(fc.record({ id: fc.string(), model: fc.string(), results: fc.array(result) }), counts)
  .map(([body, counted]) => ({ ...body, ...counted })) as fc.Arbitrary<JsonObject>

const sent = (body: unknown) => JSON.parse(JSON.stringify(body)) as JsonObject
const decoding = { issuer: 'openai', operation: 'rerank' }
const encoding = () => ({
  issuer: 'openai',
  losses: createLosses(),
  toward: 'upstream' as const,
  id: () => 'id',
  now: 0,
})

describe('the rerank codec of chat', () => {
  it('decodes and encodes requests without any change', () => {
    fc.assert(
      fc.property(request, (wire) => {
        const context = encoding()
        const call = rerank.encode(rerank.decode(rerank.check(sent(wire), decoding), decoding), context)
        expect(sent(call.body)).toEqual(sent(wire))
        expect(context.losses.entries()).toEqual([])
      }),
    )
  })

  it('decodes and encodes answers without any change, whoever counts', () => {
    fc.assert(
      fc.property(answer, (wire) => {
        const context = { ...encoding(), toward: 'client' as const, operation: 'rerank' }
        expect(sent(rerank.answer.encode(rerank.answer.decode(sent(wire), decoding), context))).toEqual(sent(wire))
        expect(context.losses.entries()).toEqual([])
      }),
    )
  })

  it('reports the id and the model that it adds, as they are written', () => {
    const context = { ...encoding(), toward: 'client' as const, operation: 'rerank', asked: { model: 'm' } }
    expect(rerank.answer.encode({ results: [] }, context)).toEqual({ id: 'id', model: 'm', results: [] })
    expect(context.losses.entries()).toMatchObject([
      { kind: 'added', path: ['model'], to: 'm' },
      { kind: 'added', path: ['id'], to: 'id' },
    ])
  })

  it.each([
    [{ meta: { billed_units: { search_units: 2 } } }, { searches: 2 }],
    [{ usage: { total_tokens: 12, prompt_tokens: 11 } }, { input: 11 }],
    [{ usage: { total_tokens: 56 } }, { input: 56 }],
    [{ usage: { total_tokens: 1e300 } }, { input: 1e9, clamped: true }],
    [{ usage: 'many', meta: [] }, undefined],
  ])('reads the counts of %j', (counted, usage) => {
    expect(rerank.answer.decode({ results: [], ...counted }, decoding).usage).toEqual(usage)
    const tap = rerank.tap({ stream: false, model: 'm' })
    tap.push(new TextEncoder().encode(JSON.stringify({ results: [], ...counted })))
    expect(tap.end().usage).toEqual(usage)
  })
})

/** Requests and answers as the references of the vendors have them. */
const SKIN = 'Organic skincare products for sensitive skin'
const ALOE = { text: 'Organic skincare for sensitive skin with aloe vera and chamomile' }
const MAKEUP = { text: 'New makeup trends focus on bold colors and innovative techniques' }
const VENDORS = {
  'Jina, which returns documents': {
    request: { model: 'jina-reranker-v2-base-multilingual', query: SKIN, documents: [MAKEUP, ALOE], top_n: 1 },
    answer: {
      model: 'jina-reranker-v2-base-multilingual',
      object: 'list',
      usage: { total_tokens: 815 },
      results: [{ index: 1, relevance_score: 0.8783142566680908, document: ALOE }],
    },
    read: { usage: { input: 815 }, results: [{ index: 1, score: 0.8783142566680908, document: ALOE }] },
  },
  'Jina without documents': {
    request: {
      model: 'jina-reranker-m0',
      query: { text: SKIN },
      documents: [{ image: 'https://example.com/aloe.png' }, MAKEUP, ALOE.text],
      return_documents: false,
    },
    answer: {
      model: 'jina-reranker-m0',
      usage: { total_tokens: 2813, prompt_tokens: 2813 },
      results: [{ index: 2, relevance_score: 0.91 }],
    },
    read: { usage: { input: 2813 }, results: [{ index: 2, score: 0.91 }] },
  },
  'Cohere, version 2': {
    request: {
      model: 'rerank-v4.0-pro',
      query: 'What is the capital of the United States?',
      documents: ['Carson City is the capital city of the American state of Nevada.', 'Washington, D.C.'],
      top_n: 1,
      max_tokens_per_doc: 4096,
      priority: 0,
    },
    answer: {
      results: [{ index: 1, relevance_score: 0.999071 }],
      id: '07734bd2-2473-4f07-94e1-0d9f0e6843cf',
      meta: { api_version: { version: '2', is_experimental: false }, billed_units: { search_units: 1 } },
    },
    read: { usage: { searches: 1 }, results: [{ index: 1, score: 0.999071 }] },
  },
  vLLM: {
    request: {
      model: 'BAAI/bge-reranker-base',
      query: 'What is the capital of France?',
      documents: ['The capital of Brazil is Brasilia.', 'The capital of France is Paris.'],
      truncate_prompt_tokens: 512,
    },
    answer: {
      id: 'rerank-fae51b2b664d4ed38f5969b612edff77',
      model: 'BAAI/bge-reranker-base',
      usage: { prompt_tokens: 56, total_tokens: 56 },
      results: [
        {
          index: 1,
          document: { text: 'The capital of France is Paris.', multi_modal: null },
          relevance_score: 0.99853515625,
        },
        { index: 0, document: { text: 'The capital of Brazil is Brasilia.' }, relevance_score: 0.0005860328674316406 },
      ],
    },
    read: {
      usage: { input: 56 },
      results: [
        { index: 1, score: 0.99853515625, document: { text: 'The capital of France is Paris.', multi_modal: null } },
        { index: 0, score: 0.0005860328674316406, document: { text: 'The capital of Brazil is Brasilia.' } },
      ],
    },
  },
}

describe.each(Object.entries(VENDORS))('the documented bodies of %s', (_vendor, bodies) => {
  it('have a request that is sent as it is', () => {
    const context = encoding()
    const wire = rerank.check(sent(bodies.request), decoding)
    expect(sent(rerank.encode(rerank.decode(wire, decoding), context).body)).toEqual(bodies.request)
    expect(context.losses.entries()).toEqual([])
  })

  it('have an answer that is read, and written as it is', () => {
    const read = rerank.answer.decode(sent(bodies.answer), decoding)
    expect(read).toMatchObject(bodies.read)
    const context = { ...encoding(), toward: 'client' as const, operation: 'rerank', asked: { model: 'm' } }
    expect(rerank.answer.encode(read, context)).toEqual({ id: 'id', model: 'm', ...bodies.answer })
  })
})

describe('errors of reranking', () => {
  it('have their message at the top too, where clients of Cohere read it', () => {
    const error = new DragomanError('invalid-request', 'documents: must not be empty', { param: 'documents' })
    const { body } = chat.error.encode(error, 'request-1')
    expect(chat.error.encode(error, 'request-1', 'rerank')).toEqual({
      status: 400,
      body: { message: 'documents: must not be empty', ...body },
    })
    expect(chat.error.encode(error, 'request-1', 'generate')).toEqual({ status: 400, body })
  })

  it.each([
    ['Cohere', '{"id":"a","message":"invalid api token"}'],
    ['Jina', '{"detail":"invalid api token"}'],
    ['vLLM', '{"error":{"message":"invalid api token","type":"BadRequestError","param":null,"code":400}}'],
  ])('are read from %s', (_vendor, body) => {
    expect(chat.error.decode(400, body).message).toBe('invalid api token')
  })

  it('have no message of a detail that is not a text', () => {
    expect(chat.error.decode(422, '{"detail":[{"loc":["body"],"msg":"field required"}]}').message).toBe(
      'The upstream answered with status 422.',
    )
  })
})

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLosses } from '../../ir/loss.ts'
import type { JsonObject } from '../../lib/json.ts'
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

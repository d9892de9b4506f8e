import { createCohere } from '@ai-sdk/cohere'
import { rerank } from 'ai'
import { Cohere, CohereClient, CohereClientV2 } from 'cohere-ai'
import { describe, expect, it } from 'vitest'
import { useServer } from '../shared-server.ts'

const server = useServer()

const MODEL = 'sim/ranker'
const QUERY = 'Where does the cat sleep?'
const REVENUE = 'Quarterly revenue grew by 12%.'
const ROOF = 'The cat sleeps on a warm roof'
const BOATS = 'The boats are on the river'
const DOCUMENTS = [REVENUE, BOATS, ROOF]
const CALL = { model: MODEL, query: QUERY, documents: DOCUMENTS }

const options = (token = server().key) => ({ token, baseUrl: server().url, maxRetries: 0 })
const VERSIONS = {
  v1: (token?: string) => new CohereClient(options(token)),
  v2: (token?: string) => new CohereClientV2(options(token)),
}

describe.each(Object.entries(VERSIONS))('cohere-ai, %s', (_version, client) => {
  it('gets every document with its score, the best first, and what is billed', async () => {
    const { id, results, meta } = await client().rerank(CALL)
    expect(results.map(({ index }) => index)).toEqual([2, 1, 0])
    const scores = results.map(({ relevanceScore }) => relevanceScore)
    expect(scores).toEqual([...scores].sort((one, other) => other - one))
    for (const score of scores) expect(score >= 0 && score <= 1).toBe(true)
    expect(results.every((result) => !('document' in result))).toBe(true)
    expect(id).toEqual(expect.stringMatching(/./))
    expect(meta?.billedUnits).toEqual({ searchUnits: 1 })
  })

  it('gets as many as it asks for', async () => {
    const { results } = await client().rerank({ ...CALL, topN: 1 })
    expect(results).toEqual([{ index: 2, relevanceScore: expect.any(Number) as number }])
  })

  it('sends all of its members', async () => {
    const members = { maxTokensPerDoc: 512, priority: 1, maxChunksPerDoc: 10, rankFields: ['text'] }
    const { results } = await client().rerank({ ...CALL, ...members })
    expect(results).toHaveLength(3)
  })

  it.each([
    ['a wrong key', 401, Cohere.UnauthorizedError, () => client('wrong').rerank(CALL)],
    ['no document', 400, Cohere.BadRequestError, () => client().rerank({ ...CALL, documents: [] })],
    ['another model', 404, Cohere.NotFoundError, () => client().rerank({ ...CALL, model: 'sim/nothing' })],
    ['a limit', 429, Cohere.TooManyRequestsError, () => client().rerank({ ...CALL, query: '[[error 429]]' })],
  ])('gets an error of its own for %s, with the message where Cohere has it', async (_what, status, kind, call) => {
    const error: unknown = await call().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(kind)
    expect(error).toMatchObject({ statusCode: status, body: { message: expect.stringMatching(/./) as string } })
  })
})

describe('cohere-ai, v1, with return_documents', () => {
  it.each([
    ['texts', DOCUMENTS, { text: ROOF }],
    ['objects', DOCUMENTS.map((text) => ({ text, title: 'Notes' })), { text: ROOF, title: 'Notes' }],
  ])('gets documents as objects if they were %s', async (_form, documents, found) => {
    const { results } = await VERSIONS.v1().rerank({ ...CALL, documents, topN: 1, returnDocuments: true })
    expect(results).toEqual([{ index: 2, relevanceScore: expect.any(Number) as number, document: found }])
  })

  it('gets none if it does not want them', async () => {
    const { results } = await VERSIONS.v1().rerank({ ...CALL, returnDocuments: false })
    expect(results.map(({ document }) => document)).toEqual([undefined, undefined, undefined])
  })
})

describe('@ai-sdk/cohere', () => {
  const model = (name = MODEL, apiKey = server().key) =>
    createCohere({ apiKey, baseURL: `${server().url}/v2` }).reranking(name)

  it('ranks texts', async () => {
    const { ranking, rerankedDocuments } = await rerank({ model: model(), query: QUERY, documents: DOCUMENTS, topN: 2 })
    expect(rerankedDocuments).toEqual([ROOF, BOATS])
    expect(ranking.map(({ originalIndex }) => originalIndex)).toEqual([2, 1])
    expect(ranking[0]!.score).toBeGreaterThan(ranking[1]!.score)
  })

  it('ranks objects, with the options of Cohere', async () => {
    const documents = DOCUMENTS.map((text) => ({ text }))
    const providerOptions = { cohere: { maxTokensPerDoc: 512, priority: 1 } }
    const { rerankedDocuments } = await rerank({ model: model(), query: QUERY, documents, providerOptions })
    expect(rerankedDocuments[0]).toEqual({ text: ROOF })
  })

  it('reads the message of an error', async () => {
    const call = rerank({ model: model('sim/nothing'), query: QUERY, documents: DOCUMENTS, maxRetries: 0 })
    await expect(call).rejects.toMatchObject({
      name: 'AI_APICallError',
      statusCode: 404,
      message: 'The model "sim/nothing" does not exist.',
    })
  })
})

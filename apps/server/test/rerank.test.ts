import { describe, expect, it } from 'vitest'
import { useServer } from './shared-server.ts'

const server = useServer()

interface Ranking {
  readonly model: string
  readonly results: readonly { readonly index: number; readonly relevance_score: number; readonly document?: unknown }[]
  readonly meta: { readonly billed_units: { readonly search_units: number } }
}

const DOCUMENTS = ['Quarterly revenue grew by 12%.', { text: 'A cat sleeping on a warm roof' }, 'Boats on the river']

function ask(path: string, body: object): Promise<Response> {
  return fetch(`${server().url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server().key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sim/ranker', query: 'Where does the cat sleep?', documents: DOCUMENTS, ...body }),
  })
}

describe('reranking by the simulator', () => {
  it.each(['/api/v1/rerank', '/v1/rerank', '/v2/rerank'])('is served at %s, the best document first', async (path) => {
    const response = await ask(path, { top_n: 2, return_documents: true })
    expect(response.status).toBe(200)
    const { model, results, meta } = (await response.json()) as Ranking
    expect(model).toBe('sim/ranker')
    expect(results).toHaveLength(2)
    expect(results[0]).toMatchObject({ index: 1, document: DOCUMENTS[1] })
    expect(results[0]!.relevance_score).toBeGreaterThan(results[1]!.relevance_score)
    expect(meta.billed_units.search_units).toBe(1)
  })

  it('says in the words of the protocol what is wrong', async () => {
    const response = await ask('/v2/rerank', { documents: [] })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error', param: 'documents' } })
  })

  it('ranks documents that are nested deeply', async () => {
    const deep = `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`
    const response = await fetch(`${server().url}/v1/rerank`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server().key}`, 'content-type': 'application/json' },
      body: `{"model":"sim/ranker","query":"a cat","documents":[${deep},"a cat"]}`,
    })
    expect(response.status).toBe(200)
    expect(((await response.json()) as Ranking).results.map(({ index }) => index)).toEqual([1, 0])
  })

  it('lists its model', async () => {
    const response = await fetch(`${server().url}/v1/models/sim/ranker`)
    expect(await response.json()).toMatchObject({ id: 'sim/ranker', input_modalities: ['text'], output_modalities: [] })
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle, startWorker } from './workerd.ts'

describe('the worker', () => {
  let worker: Awaited<ReturnType<typeof startWorker>>
  beforeAll(async () => {
    worker = await startWorker({})
  })
  afterAll(() => worker.stop())

  it('refuses every call if it has no keys', async () => {
    const answer = await fetch(`${worker.url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer undefined', 'content-type': 'application/json' },
      body: '{}',
    })
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ error: { type: 'authentication_error' } })
  })

  it('does not accept keys that could be guessed, and slows down guesses of the others', async () => {
    const [short, long] = ['15-characters-!', 'sk-long-enough-0123456789']
    const guessed = await startWorker({ DRAGOMAN_KEYS: `${short},${long}`, DRAGOMAN_SIM: 'on' })
    const ask = async (secret: string, address: string): Promise<number> => {
      const answer = await fetch(`${guessed.url}/api/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', 'cf-connecting-ip': address },
        body: '{"model":"sim/chat-1","messages":[{"role":"user","content":"hi"}]}',
      })
      await answer.text()
      return answer.status
    }
    expect(await ask(short, '192.0.2.1')).toBe(401)
    expect(await ask(long, '192.0.2.2')).toBe(200)
    const guesses = await Promise.all(Array.from({ length: 40 }, (_, guess) => ask(`sk-guess-${guess}`, '192.0.2.1')))
    expect(new Set(guesses)).toEqual(new Set([401, 429]))
    await guessed.stop()
  })

  it('has the simulator only if it is asked for', async () => {
    const listed = async ({ url }: { readonly url: string }): Promise<unknown> =>
      ((await (await fetch(`${url}/api/v1/models`)).json()) as { data: { id: string }[] }).data.map(({ id }) => id)
    expect(await listed(worker)).toEqual([])
    const asked = await startWorker({ DRAGOMAN_SIM: 'on' })
    expect(await listed(asked)).toContain('sim/chat-1')
    await asked.stop()
  })

  it('has no admin API and no records if it has no accounts', async () => {
    for (const path of ['/admin/v1/keys', '/api/v1/generation?id=1'])
      expect([path, (await fetch(worker.url + path)).status]).toEqual([path, 404])
  })

  it('[chat.unsupported] refuses fields that the specification does not accept, if its binding is set', async () => {
    const strict = await startWorker({
      DRAGOMAN_KEYS: 'sk-strict-0123456789',
      DRAGOMAN_UNSUPPORTED_FIELDS: 'refuse',
      DRAGOMAN_SIM: 'on',
    })
    const answer = await fetch(`${strict.url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-strict-0123456789', 'content-type': 'application/json' },
      body: '{"model":"sim/chat-1","messages":[{"role":"user","content":"hi"}],"seed":7}',
    })
    const body = await answer.text()
    await strict.stop()
    expect(answer.status).toBe(400)
    expect(body).toContain('the binding DRAGOMAN_UNSUPPORTED_FIELDS')
  })

  it('[embed.pairs] [embed.sim] computes embeddings, as numbers and as base64', async () => {
    const gateway = await startWorker({ DRAGOMAN_KEYS: 'sk-vectors-0123456789', DRAGOMAN_SIM: 'on' })
    const post = async (path: string, body: object): Promise<unknown> => {
      const answer = await fetch(`${gateway.url}${path}`, {
        method: 'POST',
        headers: { authorization: 'Bearer sk-vectors-0123456789', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return answer.json()
    }
    const asked = { model: 'sim/vectors-genai', input: ['a', 'b'], dimensions: 2 }
    const base64 = await post('/api/v1/embeddings', { ...asked, encoding_format: 'base64' })
    const numbers = (await post('/api/v1/embeddings', asked)) as { data: { embedding: number[] }[] }
    const bytes = ({ embedding }: { embedding: number[] }) => Buffer.from(Float32Array.from(embedding).buffer)
    const data = numbers.data.map((entry, index) => ({ ...entry, index, embedding: bytes(entry).toString('base64') }))
    expect(base64).toMatchObject({ object: 'list', data })
    const content = { parts: [{ text: 'a' }] }
    const path = '/api/vertex-ai/v1beta/models/sim/vectors:embedContent'
    const values = numbers.data[0]?.embedding
    expect(await post(path, { content, outputDimensionality: 2 })).toMatchObject({ embedding: { values } })
    await gateway.stop()
  })

  it('does not use Node modules', async () => {
    expect(await bundle()).not.toMatch(/from ?"node:|require\("/)
  })
})

import { describe, expect, it } from 'vitest'
import { allRecords } from './check-books.ts'
import { createWorld, PRICE, settled } from './world.ts'

const COST = 10 * PRICE.input + 5 * PRICE.output

describe('limits of a key', () => {
  it('refuse requests above the number per minute, with the error of the protocol, until there is room again', async () => {
    const world = createWorld()
    const { secret } = await world.create({ limits: { requests: 2 } })
    const { chat } = world.instance()
    const [first, second, third] = [await chat(secret), await chat(secret), await chat(secret)]
    expect([first.status, second.status, third.status]).toEqual([200, 200, 429])
    expect(first.headers.get('x-ratelimit-remaining-requests')).toBe('1')
    expect(second.headers.get('x-ratelimit-remaining-requests')).toBe('0')
    expect(third.headers.get('x-ratelimit-limit-requests')).toBe('2')
    expect(third.headers.get('retry-after')).toBe('30')
    expect(await third.json()).toMatchObject({ error: { code: 'rate_limit_exceeded' } })
    world.clock.advance(29_999)
    expect((await chat(secret)).status).toBe(429)
    world.clock.advance(2)
    expect((await chat(secret)).status).toBe(200)
    expect(world.seen).toHaveLength(3)
  })

  it('are those of all instances together', async () => {
    const world = createWorld()
    const { secret } = await world.create({ limits: { requests: 3 } })
    const [one, two] = [world.instance(), world.instance()]
    const statuses = []
    for (const { chat } of [one, two, one, two]) statuses.push((await chat(secret)).status)
    expect(statuses).toEqual([200, 200, 200, 429])
  })

  it('do not ask the store again for a key that it has just refused', async () => {
    let commits = 0
    const world = createWorld((store) => ({ ...store, commit: (batch) => (commits++, store.commit(batch)) }))
    const { secret } = await world.create({ limits: { requests: 1 } })
    const { chat, accounts } = world.instance()
    await chat(secret)
    await chat(secret)
    await accounts.flush()
    const before = commits
    const answers = await Promise.all(Array.from({ length: 50 }, () => chat(secret)))
    expect(answers.every(({ status }) => status === 429)).toBe(true)
    expect(commits).toBe(before)
  })

  it('count the tokens that calls have really used', async () => {
    const world = createWorld()
    world.auto = { input: 900, output: 300 }
    const { secret } = await world.create({ limits: { tokens: 1000 } })
    const { chat, accounts } = world.instance()
    expect((await chat(secret)).status).toBe(200)
    await accounts.flush()
    const refused = await chat(secret)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('x-ratelimit-remaining-tokens')).toBe('0')
    // 1,200 of 1,000 are used, and the call needs a little more than 100: after 19 s there is room for it.
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(18)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThan(22)
    world.clock.advance(22_000)
    expect((await chat(secret)).status).toBe(200)
  })

  it('refuse calls above the number of concurrent calls, and admit one when another ends', async () => {
    const world = createWorld()
    world.auto = undefined
    const { secret } = await world.create({ limits: { concurrent: 1 } })
    const { chat, accounts } = world.instance()
    const running = chat(secret)
    const first = await world.call(0)
    const refused = await chat(secret)
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({ error: { code: 'too_many_concurrent_requests' } })
    first.chat(1, 1)
    expect((await running).status).toBe(200)
    await accounts.flush()
    const next = chat(secret)
    const call1 = await world.call(1)
    call1.chat(1, 1)
    expect((await next).status).toBe(200)
  })

  it('let a list of models pass, which shows what the key may use', async () => {
    const world = createWorld()
    const { secret } = await world.create({ limits: { requests: 1 }, providers: ['other'] })
    const { chat, fetch } = world.instance()
    await chat(secret, { model: 'other/m' })
    expect((await chat(secret, { model: 'other/m' })).status).toBe(429)
    const list = await fetch('/api/v1/models', { headers: { authorization: `Bearer ${secret}` } })
    const { data } = (await list.json()) as { data: { id: string }[] }
    expect(data.map(({ id }) => id).toSorted()).toEqual(['other/drawn', 'other/m', 'other/vectors', 'pool'])
  })

  it('have native headers and errors in messages and genai', async () => {
    const world = createWorld()
    const { secret } = await world.create({ limits: { requests: 1 } })
    const { chat, fetch } = world.instance()
    expect([(await chat(secret)).status, (await chat(secret)).status]).toEqual([200, 429])
    const headers = { 'x-api-key': secret, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }
    const messages = await fetch('/api/anthropic/v1/messages', { method: 'POST', headers, body: '{}' })
    expect(messages.status).toBe(429)
    expect(await messages.json()).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } })
    expect(messages.headers.get('anthropic-ratelimit-requests-remaining')).toBe('0')
    expect(messages.headers.get('retry-after')).toBe('60')
    const google = { 'x-goog-api-key': secret, 'content-type': 'application/json' }
    const path = '/api/vertex-ai/v1beta/models/acme/m:generateContent'
    const genai = await fetch(path, { method: 'POST', headers: google, body: '{}' })
    expect(genai.status).toBe(429)
    expect(await genai.json()).toMatchObject({
      error: {
        status: 'RESOURCE_EXHAUSTED',
        details: expect.arrayContaining([
          { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '60s' },
        ]) as unknown,
      },
    })
  })
})

describe('the record of a call', () => {
  it('is written with its tokens, its cost and the version of the prices', async () => {
    const world = createWorld()
    const { secret, key } = await world.create({ owner: 'team' })
    const { chat, accounts } = world.instance()
    const response = await chat(secret)
    await accounts.flush()
    const id = response.headers.get('x-request-id')?.slice(4) ?? ''
    expect(await world.store.record(id)).toEqual({
      id,
      at: world.clock.now(),
      key: key.id,
      owner: 'team',
      conversation: '',
      operation: 'generate',
      asked: 'acme/m',
      model: 'acme/m',
      provider: 'acme',
      protocol: 'chat',
      mode: 'relay',
      stream: false,
      outcome: 'complete',
      status: 200,
      attempts: 1,
      tokens: { input: 10, output: 5, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, reasoning: 0 },
      cost: COST,
      items: [
        { name: 'prompt', quantity: 10, nanos: 10_000 },
        { name: 'completion', quantity: 5, nanos: 50_000 },
      ],
      prices: 'v1',
      estimated: false,
      losses: [],
      firstByteMs: 0,
      ms: 0,
    })
  })

  it('exists once for a call that was tried again on another route', async () => {
    const world = createWorld()
    world.auto = undefined
    const { secret } = await world.create()
    const { chat, accounts } = world.instance()
    const answer = chat(secret, { model: 'pool' })
    const call0 = await world.call(0)
    call0.refuse(500)
    const call1 = await world.call(1)
    call1.chat(3, 2)
    expect((await answer).status).toBe(200)
    await accounts.flush()
    expect(await allRecords(world.store)).toMatchObject([
      { asked: 'pool', model: 'other/m', provider: 'other', attempts: 2, cost: 3 * PRICE.input + 2 * PRICE.output },
    ])
  })

  it('of a client that left in mid-stream has what the client received', async () => {
    const world = createWorld()
    world.auto = undefined
    const { secret } = await world.create({ budgets: { total: 1_000_000_000 } })
    const { chat, accounts } = world.instance()
    const aborter = new AbortController()
    const answer = chat(secret, { stream: true }, { signal: aborter.signal })
    const call0 = await world.call(0)
    call0.head(200)
    const delta = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' }
    const choices = [{ index: 0, delta: { content: 'x'.repeat(400) }, finish_reason: null }]
    call0.chunk(`data: ${JSON.stringify({ ...delta, choices })}\n\n`)
    await (await answer).body?.getReader().read()
    aborter.abort()
    await settled()
    // The gateway still waits for the usage of the call.
    expect(await allRecords(world.store)).toEqual([])
    await world.pass(5000)
    await accounts.flush()
    const [record] = await allRecords(world.store)
    expect(record).toMatchObject({ outcome: 'aborted', status: 499, estimated: true, stream: true })
    // Four characters are estimated as one token.
    expect(record?.tokens.output).toBe(100)
    expect(record?.cost).toBe((record?.tokens.input ?? 0) * PRICE.input + 100 * PRICE.output)
  })

  it('does not exist for a call that is refused, or that reaches no upstream', async () => {
    const world = createWorld()
    const { secret } = await world.create({ limits: { requests: 1 }, models: ['acme/m'] })
    const { chat, accounts } = world.instance()
    expect((await chat(secret, { model: 'other/m' })).status).toBe(403)
    await chat(secret)
    await chat(secret)
    await accounts.flush()
    expect(await allRecords(world.store)).toHaveLength(1)
  })

  it('exists for counts, embeddings and images', async () => {
    const world = createWorld()
    world.auto = undefined
    const { secret } = await world.create()
    const { fetch, accounts } = world.instance()
    const post = async (path: string, body: object, answer: object): Promise<number> => {
      const headers = { 'x-api-key': secret, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }
      const position = world.seen.length
      const response = fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
      const call = await world.call(position)
      call.answer(answer)
      return (await response).status
    }
    const messages = [{ role: 'user', content: 'Hello.' }]
    const count = { model: 'acme/m', messages }
    expect(await post('/api/anthropic/v1/messages/count_tokens', count, { input_tokens: 9 })).toBe(200)
    const embeddings = { model: 'acme/vectors', input: 'Hello.' }
    const data = [{ object: 'embedding', index: 0, embedding: [0.1] }]
    const usage = { prompt_tokens: 2, total_tokens: 2 }
    expect(await post('/api/v1/embeddings', embeddings, { object: 'list', data, model: 'vectors', usage })).toBe(200)
    const image = { created: 1, data: [{ b64_json: 'AAAA' }], usage: { input_tokens: 1, output_tokens: 100 } }
    expect(await post('/api/v1/images/generations', { model: 'acme/drawn', prompt: 'A cat.' }, image)).toBe(200)
    await accounts.flush()
    const records = await allRecords(world.store)
    expect(Object.fromEntries(records.map(({ operation, cost }) => [operation, cost]))).toEqual({
      count: 0,
      embedding: 2000,
      image: 4_000_000,
    })
  })
})

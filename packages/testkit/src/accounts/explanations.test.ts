import { describe, expect, it } from 'vitest'
import { allRecords } from './check-books.ts'
import { CHAT, createWorld, PRICE, type Instance } from './world.ts'

function explain({ fetch }: Instance, secret: string, path = '/explain/api/v1/chat/completions'): Promise<Response> {
  return fetch(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(CHAT),
  })
}

describe('an explanation', () => {
  it('counts toward the requests of a minute, together with calls', async () => {
    const world = createWorld()
    const { secret } = await world.create({ limits: { requests: 2 } })
    const instance = world.instance()
    const first = await explain(instance, secret)
    expect([first.status, first.headers.get('x-ratelimit-remaining-requests')]).toEqual([200, '1'])
    expect((await instance.chat(secret)).status).toBe(200)
    const refused = await explain(instance, secret)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30'])
    expect(await refused.json()).toMatchObject({ error: { code: 'rate_limit_exceeded' } })
    expect(world.seen).toHaveLength(1)
  })

  it('counts toward the calls at the same time, and leaves nothing but the request in the books', async () => {
    const world = createWorld()
    world.auto = undefined
    const { secret, key } = await world.create({
      limits: { concurrent: 1, tokens: 1000 },
      budgets: { day: 1_000_000_000 },
    })
    const instance = world.instance()
    const running = instance.chat(secret)
    const call = await world.call(0)
    const refused = await explain(instance, secret)
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      { error: { code: 'too_many_concurrent_requests' } },
    ])
    call.chat(600, 100)
    await running
    await instance.accounts.flush()
    const after = await explain(instance, secret)
    expect(after.status).toBe(200)
    // The tokens of the call before still count, and the explanation has none.
    expect(after.headers.get('x-ratelimit-remaining-tokens')).toBe('300')
    await instance.accounts.flush()
    expect((await allRecords(world.store)).map(({ operation }) => operation)).toEqual(['generate'])
    const [balance] = await world.store.balances(key.id)
    expect(balance?.spent).toBe(BigInt(600 * PRICE.input + 100 * PRICE.output))
  })

  it('is not refused for a budget', async () => {
    const world = createWorld()
    const { secret } = await world.create({ limits: { requests: 100 }, budgets: { total: 1 } })
    const instance = world.instance()
    expect((await instance.chat(secret)).status).toBe(402)
    expect((await explain(instance, secret)).status).toBe(200)
  })

  it('is refused without the store if calls are, and given if they are served', async () => {
    const world = createWorld()
    const { secret } = await world.create({ limits: { requests: 100 } })
    for (const [onLoss, status] of [
      ['refuse', 503],
      ['serve', 200],
    ] as const) {
      const instance = world.instance({ onLoss })
      expect((await explain(instance, secret)).status).toBe(200)
      instance.cut(true)
      await explain(instance, secret)
      expect((await explain(instance, secret)).status).toBe(status)
    }
  })
})

import { PERIODS, type ConfiguredKey } from '@dragoman/accounts'
import { usd, type Card } from '@dragoman/core/provider'
import type { Caller } from '@dragoman/gateway'
import { describe, expect, it } from 'vitest'
import { allRecords } from './check-books.ts'
import { createWorld, PRICE, settled, START, TESTER } from './world.ts'

const DOLLAR = 1_000_000_000
/** What a call with ten input and five output tokens costs. */
const COST = 10 * PRICE.input + 5 * PRICE.output

describe('the budget of a key', () => {
  it.each(PERIODS)('for a %s refuses calls with a native error when it is used up', async (period) => {
    const world = createWorld()
    world.auto = { input: 100, output: 100 }
    const { secret, key } = await world.create({ budgets: { [period]: 0.01 * DOLLAR } })
    const { chat, accounts } = world.instance()
    let admitted = 0
    for (; admitted < 20; admitted++) {
      const response = await chat(secret)
      await accounts.flush()
      world.clock.advance(300)
      if (response.status !== 200) break
    }
    // Each call costs 0.0011 dollars, and is admitted if its estimate is left of the budget.
    expect(admitted).toBe(9)
    const refused = await chat(secret)
    expect(refused.status).toBe(402)
    expect(refused.headers.get('x-should-retry')).toBe('false')
    expect(await refused.json()).toMatchObject({ error: { code: 'budget_exceeded' } })
    expect(await world.store.balances(key.id)).toMatchObject([{ period, spent: 9_900_000n }])
  })

  it('begins again with the next period, and a call belongs to the period of its start', async () => {
    const world = createWorld()
    world.auto = undefined
    const { secret, key } = await world.create({ budgets: { day: DOLLAR, month: DOLLAR } })
    const { chat, accounts } = world.instance()
    const answer = chat(secret)
    const call0 = await world.call(0)
    // The call began ten minutes before midnight, which is also the end of the month.
    world.clock.advance(15 * 60_000)
    call0.chat(10, 5)
    await answer
    world.auto = { input: 10, output: 5 }
    await chat(secret)
    await accounts.flush()
    const day = Date.UTC(2026, 0, 31)
    const next = Date.UTC(2026, 1, 1)
    const spent = BigInt(COST)
    expect((await world.store.balances(key.id)).map(({ held: _, ...balance }) => balance)).toEqual([
      { period: 'day', start: day, spent },
      { period: 'day', start: next, spent },
      { period: 'month', start: Date.UTC(2026, 0, 1), spent },
      { period: 'month', start: next, spent },
    ])
    expect(START).toBeLessThan(next)
  })

  it('is shared by all instances', async () => {
    const world = createWorld()
    world.auto = { input: 100, output: 100 }
    const { secret, key } = await world.create({ budgets: { total: 0.01 * DOLLAR } })
    const three = [world.instance(), world.instance(), world.instance()]
    let admitted = 0
    for (const { chat, accounts } of Array.from({ length: 10 }, () => three).flat()) {
      if ((await chat(secret)).status === 200) admitted++
      await accounts.flush()
      // An instance gives back what it does not use.
      world.clock.advance(11_000)
      await settled()
    }
    expect(admitted).toBe(9)
    expect((await world.store.balances(key.id))[0]?.spent).toBe(9_900_000n)
  })

  it('admits no more calls at the same time than it has estimates for', async () => {
    const world = createWorld()
    world.auto = undefined
    const { secret } = await world.create({ budgets: { day: 0.005 * DOLLAR } })
    const { chat } = world.instance()
    const answers = Array.from({ length: 20 }, () => chat(secret))
    await world.call(3)
    await settled()
    // An estimate is a thousandth of a dollar, for 100 tokens of the answer, and a little for the prompt.
    expect(world.seen).toHaveLength(4)
    for (const call of world.seen) call.chat(10, 5)
    const statuses = await Promise.all(answers.map(async (answer) => (await answer).status))
    expect(statuses.filter((status) => status === 402)).toHaveLength(16)
  })

  it('gets back at once what a call did not use of its estimate', async () => {
    const world = createWorld()
    const { secret, key } = await world.create({ budgets: { day: 0.0015 * DOLLAR } })
    const { chat, accounts } = world.instance()
    for (let call = 0; call < 5; call++) {
      expect((await chat(secret)).status).toBe(200)
      await accounts.flush()
    }
    expect((await world.store.balances(key.id))[0]?.spent).toBe(BigInt(5 * COST))
  })

  it('that is lowered takes effect within five seconds, whatever instances held of it', async () => {
    const world = createWorld()
    const { secret, key } = await world.create({ budgets: { day: DOLLAR } })
    const { chat, accounts } = world.instance()
    await chat(secret)
    await accounts.flush()
    await world.manager.change(key.id, { budgets: { day: 1000 } }, TESTER)
    world.clock.advance(4999)
    expect((await chat(secret)).status).toBe(402)
  })

  it('pays for what a dearer route costs', async () => {
    const world = createWorld()
    world.auto = undefined
    const { secret, key } = await world.create({ budgets: { total: DOLLAR } })
    const { chat, accounts } = world.instance()
    const answer = chat(secret, { model: 'pool' })
    const call0 = await world.call(0)
    call0.refuse(503)
    const call1 = await world.call(1)
    call1.chat(100_000, 50_000)
    await answer
    await accounts.flush()
    const spent = BigInt(100_000 * PRICE.input + 50_000 * PRICE.output)
    expect(await world.store.balances(key.id)).toMatchObject([{ spent }])
    expect(await allRecords(world.store)).toMatchObject([{ attempts: 2, cost: Number(spent) }])
  })

  it('has the estimate of a dearer route reserved while that route is tried', async () => {
    const world = createWorld()
    world.auto = undefined
    const { secret, key } = await world.create({ budgets: { total: 0.012 * DOLLAR } })
    const dear: Card = { name: 'm', input: ['text'], output: ['text'], prices: usd({ prompt: 10, completion: 100 }) }
    const providers = [world.provider('acme'), world.provider('other', [dear])]
    const { chat, accounts } = world.instance({}, { providers })
    const first = chat(secret, { model: 'pool' })
    const call0 = await world.call(0)
    call0.refuse(503)
    await world.call(1)
    // About 0.010 dollars are reserved for it. Of the other calls, which need 0.001 each, one has room.
    const others = Array.from({ length: 10 }, () => chat(secret))
    await settled()
    expect(world.seen).toHaveLength(3)
    for (const call of world.seen.slice(1)) call.chat(10, 5)
    expect((await first).status).toBe(200)
    const statuses = await Promise.all(others.map(async (other) => (await other).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    await accounts.close()
    const [balance] = await world.store.balances(key.id)
    expect(balance).toMatchObject({ spent: BigInt(COST + 10 * COST), held: 0n })
  })

  it('is asked again before a route is tried that costs more than is reserved', async () => {
    const world = createWorld()
    world.auto = undefined
    // A free route is admitted by any budget, and its upstream fails on command.
    const { secret, key } = await world.create({ budgets: { total: 0.0002 * DOLLAR } })
    const free: Card = { name: 'm', input: ['text'], output: ['text'], prices: usd({ prompt: 0, completion: 0 }) }
    const providers = [world.provider('acme', [free]), world.provider('other')]
    const { chat, accounts } = world.instance({}, { providers })
    const answer = chat(secret, { model: 'pool' })
    const call0 = await world.call(0)
    call0.refuse(503)
    const refused = await answer
    expect(refused.status).toBe(402)
    expect(world.seen).toHaveLength(1)
    await accounts.close()
    expect((await allRecords(world.store)).map(({ cost, status }) => [cost, status])).toEqual([[0, 402]])
    expect(await world.store.balances(key.id)).toMatchObject([{ spent: 0n, held: 0n }])
  })

  it('pays for the dearer route of a call whose instance is killed', async () => {
    const world = createWorld()
    world.auto = undefined
    const { secret, key } = await world.create({ budgets: { total: DOLLAR } })
    const free: Card = { name: 'm', input: ['text'], output: ['text'], prices: usd({ prompt: 0, completion: 0 }) }
    const providers = [world.provider('acme', [free]), world.provider('other')]
    const { chat, kill } = world.instance({}, { providers })
    void chat(secret, { model: 'pool' }).catch(() => undefined)
    const call0 = await world.call(0)
    call0.refuse(503)
    await world.call(1)
    kill()
    const second = world.instance()
    await world.pass(60_000)
    const [record] = await allRecords(world.store)
    expect(record).toMatchObject({ outcome: 'cut', model: 'other/m' })
    // The answer of at most 100 tokens, and the prompt.
    expect(record?.cost).toBeGreaterThan(100 * PRICE.output)
    expect(await world.store.balances(key.id)).toMatchObject([{ spent: BigInt(record?.cost ?? 0), held: 0n }])
    await second.accounts.close()
  })

  it('does not pay for a model without a price, and pays the ceiling of one that has it', async () => {
    const world = createWorld()
    const unpriced: Card = { name: 'm', input: ['text'], output: ['text'] }
    const capped: Card = { ...unpriced, ceiling: usd({ prompt: 1, completion: 10 }) }
    const providers = [world.provider('acme', [unpriced]), world.provider('other', [capped])]
    const { chat, accounts } = world.instance({}, { providers })
    const { secret, key } = await world.create({ budgets: { total: DOLLAR } })
    const refused = await chat(secret)
    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({ error: { code: 'price_unknown' } })
    expect((await chat(secret, { model: 'other/m' })).status).toBe(200)
    await accounts.flush()
    expect(await world.store.balances(key.id)).toMatchObject([{ spent: BigInt(COST) }])
    expect(await allRecords(world.store)).toMatchObject([{ cost: COST, prices: 'ceiling ', estimated: true }])
    const free = await world.create()
    expect((await chat(free.secret)).status).toBe(200)
  })

  it('reports its limit, spending, reservations, the estimate and the time of its reset when it has no room', async () => {
    const world = createWorld()
    world.auto = undefined
    const { secret } = await world.create({ budgets: { day: 0.0025 * DOLLAR } })
    const { chat, accounts } = world.instance()
    const first = chat(secret)
    const call0 = await world.call(0)
    call0.chat(100, 100)
    await first
    await accounts.flush()
    const running = chat(secret)
    await world.call(1)
    const message = async (): Promise<string> => {
      const refused = await chat(secret)
      expect(refused.status).toBe(402)
      const { error } = (await refused.json()) as { error: { message: string } }
      return error.message
    }
    // 100 input tokens and 100 output tokens have cost 0.0011 dollars.
    expect(await message()).toMatch(
      /^The budget of this key for this day has no room for this call: limit \$0\.0025, spent \$0\.0011, reserved for calls under way \$0\.001\d+, estimate of this call \$0\.001\d+\. It resets at 2026-02-01T00:00:00\.000Z\.$/,
    )
    const call1 = await world.call(1)
    call1.chat(100, 1000)
    await running
    await accounts.flush()
    world.clock.advance(300)
    expect(await message()).toMatch(
      /^The budget of this key for this day is used up: limit \$0\.0025, spent \$0\.0112, /,
    )
    await accounts.close()
  })

  it('has room for a smaller call right after it had none for a larger one', async () => {
    const world = createWorld()
    const { secret } = await world.create({ budgets: { total: 0.0015 * DOLLAR } })
    const { chat } = world.instance()
    expect((await chat(secret, { max_tokens: 900 })).status).toBe(402)
    expect((await chat(secret, { max_tokens: 900 })).status).toBe(402)
    expect((await chat(secret)).status).toBe(200)
  })

  it('does not stop calls that cost nothing, not even right after it has refused one', async () => {
    const world = createWorld()
    const { secret } = await world.create({ budgets: { total: 1 } })
    const { chat, fetch } = world.instance()
    expect((await chat(secret)).status).toBe(402)
    world.auto = undefined
    const headers = { 'x-api-key': secret, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }
    const body = JSON.stringify({ model: 'acme/m', messages: [{ role: 'user', content: 'Hello.' }] })
    const count = fetch('/api/anthropic/v1/messages/count_tokens', { method: 'POST', headers, body })
    const call0 = await world.call(0)
    call0.answer({ input_tokens: 9 })
    expect((await count).status).toBe(200)
  })
})

describe('a key of the configuration', () => {
  const find = (callers: { readonly [secret: string]: Caller }) => (secret: string) => callers[secret]

  it('goes on working, with limits if it has some, and its usage is recorded', async () => {
    const world = createWorld()
    const keys = { find: find({ file: { id: 'from-file' } }) }
    const configured = () => ({ owner: 'ops', limits: { requests: 1 } })
    const { chat, accounts } = world.instance({ keys, configured })
    expect((await chat('file')).status).toBe(200)
    expect((await chat('file')).status).toBe(429)
    expect((await chat('wrong')).status).toBe(401)
    await accounts.flush()
    expect(await allRecords(world.store)).toMatchObject([{ key: 'from-file', owner: 'ops', cost: COST }])
  })

  it('has other limits and budgets at once when the configuration changes, over all instances', async () => {
    const world = createWorld()
    let current: { readonly caller: Caller; readonly terms: ConfiguredKey } = {
      caller: { id: 'from-file' },
      terms: { limits: { requests: 1 }, budgets: { day: DOLLAR } },
    }
    const keys = { find: (secret: string) => (secret === 'file' ? current.caller : undefined) }
    const options = { keys, configured: () => current.terms }
    const [one, other] = [world.instance(options), world.instance(options)]
    const change = async (terms: ConfiguredKey): Promise<void> => {
      current = { caller: { id: 'from-file' }, terms }
      for (const { accounts } of [one, other]) {
        accounts.release(['from-file'])
        await accounts.flush()
      }
    }
    expect((await one.chat('file')).status).toBe(200)
    expect((await other.chat('file')).status).toBe(429)
    await change({ budgets: { day: DOLLAR } })
    expect((await other.chat('file')).status).toBe(200)
    await change({ budgets: { day: 2 * COST } })
    // The slice of the larger budget that the instance held is not used.
    expect((await one.chat('file')).status).toBe(402)
    await change({})
    expect((await one.chat('file')).status).toBe(200)
    for (const { accounts } of [one, other]) await accounts.close()
    expect((await world.store.balances('from-file')).map(({ spent, held }) => [spent, held])).toEqual([
      [BigInt(2 * COST), 0n],
    ])
  })
})

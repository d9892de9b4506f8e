import type { Batch, Store } from '@dragoman/accounts'
import { describe, expect, it } from 'vitest'
import { allRecords, checkBooks } from './check-books.ts'
import { createWorld, settled } from './world.ts'

type State = 'up' | 'down' | 'deaf' | 'late'

/**
 * A store that fails on demand: before it does something, or after it, when the answer is lost. Batches that are sent while it is `late`
 * arrive after a later batch was committed, in reverse order.
 */
function failing(): { readonly wrap: (store: Store) => Store; state: State; arrived: number } {
  const late: Batch[] = []
  const control = {
    state: 'up' as State,
    arrived: 0,
    wrap: (store: Store): Store => {
      const guard =
        <Given extends readonly unknown[], Value>(run: (...given: Given) => Value) =>
        async (...given: Given): Promise<Awaited<Value>> => {
          await Promise.resolve()
          if (control.state === 'down' || control.state === 'late') throw new Error('The store is down.')
          const value = await run(...given)
          if (control.state === 'deaf') throw new Error('The answer was lost.')
          return value
        }
      const commit = guard((batch: Batch) => store.commit(batch))
      return {
        ...store,
        async commit(batch) {
          if (control.state === 'late') late.push(batch)
          const result = await commit(batch)
          for (const overtaken of late.splice(0).toReversed()) {
            control.arrived++
            await (async () => store.commit(overtaken))().catch(() => undefined)
          }
          return result
        },
        findKey: guard((digest: string) => store.findKey(digest)),
        keysSince: guard((revision: number, limit: number) => store.keysSince(revision, limit)),
        buryLost: guard(() => store.buryLost()),
      }
    },
  }
  return control
}

const BUDGET = { total: 1_000_000_000 }

describe.each(['down', 'deaf', 'late'] as const)('a store that is %s', (state) => {
  it('refuses calls natively, and nothing that was settled is lost', async () => {
    const control = failing()
    const world = createWorld(control.wrap)
    world.auto = undefined
    const { secret, key } = await world.create({ budgets: BUDGET })
    let restored = 0
    const { chat, accounts } = world.instance({ onRestored: () => restored++ })
    const running = [chat(secret), chat(secret)]
    await world.call(1)
    control.state = state
    for (const call of world.seen) call.chat(10, 5)
    await Promise.all(running)
    const refused = await chat(secret)
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({ error: { code: 'store_unavailable' } })
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(world.seen).toHaveLength(2)
    await expect(accounts.flush()).rejects.toThrow(/store is down|answer was lost/)
    expect(world.failures.length).toBeGreaterThan(0)
    expect([accounts.isRefusing, restored]).toEqual([true, 0])
    control.state = 'up'
    await world.pass(3000)
    expect([accounts.isRefusing, restored]).toEqual([false, 1])
    await accounts.flush()
    await world.pass(30_000)
    const seen = world.seen.map(({ id }) => id)
    expect(await checkBooks({ store: world.store, seen, budgets: { [key.id]: BUDGET }, overspend: 0n })).toEqual([])
    expect(await allRecords(world.store)).toHaveLength(2)
    expect(accounts.waiting).toBe(0)
    expect(control.arrived > 0).toBe(state === 'late')
    // Nothing is open, not even what was refused after the store had opened it, or what it got late.
    await accounts.close()
    world.clock.advance(31_000)
    expect(await world.store.buryLost()).toBe(0)
  })

  it('serves calls if it is configured so, and catches up', async () => {
    const control = failing()
    const world = createWorld(control.wrap)
    const { secret, key } = await world.create({ budgets: BUDGET })
    const { chat, accounts } = world.instance({ onLoss: 'serve' })
    await chat(secret)
    await accounts.flush()
    control.state = state
    for (let call = 0; call < 5; call++) expect((await chat(secret)).status).toBe(200)
    await world.pass(20_000)
    expect((await chat(secret)).status).toBe(200)
    expect(accounts.waiting).toBeGreaterThan(0)
    control.state = 'up'
    await world.pass(3000)
    // The instance catches up by itself, without another call.
    expect(accounts.waiting).toBe(0)
    await accounts.flush()
    await world.pass(30_000)
    const seen = world.seen.map(({ id }) => id)
    expect(seen).toHaveLength(7)
    expect(await checkBooks({ store: world.store, seen, budgets: { [key.id]: BUDGET }, overspend: 0n })).toEqual([])
    expect((await allRecords(world.store)).every(({ outcome }) => outcome === 'complete')).toBe(true)
  })
})

describe('a store that is down', () => {
  it('refuses calls when too many records wait', async () => {
    const control = failing()
    const world = createWorld(control.wrap)
    const { secret } = await world.create()
    const { chat } = world.instance({ onLoss: 'serve', mostWaiting: 3 })
    await chat(secret)
    control.state = 'down'
    const statuses = []
    for (let call = 0; call < 5; call++) statuses.push((await chat(secret)).status)
    expect(statuses.slice(0, 2)).toEqual([200, 200])
    expect(statuses.at(-1)).toBe(503)
  })

  it('does not let a key be used longer than five seconds without a lookup, unless it is configured so', async () => {
    const control = failing()
    const world = createWorld(control.wrap)
    const { secret } = await world.create()
    const { chat } = world.instance()
    await chat(secret)
    control.state = 'down'
    world.clock.advance(5000)
    expect((await chat(secret)).status).toBe(503)
  })
})

describe('an instance', () => {
  it.each([30_000, 3000])('keeps a long call open as long as it runs, with a lease of %i ms', async (ttlMs) => {
    const world = createWorld()
    world.auto = undefined
    const { secret } = await world.create({ budgets: BUDGET })
    const { chat, accounts } = world.instance({ ttlMs })
    world.instance({ ttlMs })
    const answer = chat(secret)
    const call = await world.call(0)
    await world.pass(120_000)
    expect(await allRecords(world.store)).toEqual([])
    call.chat(10, 5)
    await answer
    await accounts.flush()
    expect(await allRecords(world.store)).toMatchObject([{ outcome: 'complete' }])
  })

  it('closes a call whose client left while the store was asked', async () => {
    const asked = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    const world = createWorld((store) => ({
      ...store,
      async commit(batch) {
        if (batch.openings.length > 0) asked.resolve()
        await answered.promise
        return store.commit(batch)
      },
    }))
    const { secret, key } = await world.create({ budgets: BUDGET })
    const { chat, accounts } = world.instance()
    const aborter = new AbortController()
    void chat(secret, {}, { signal: aborter.signal })
    await asked.promise
    aborter.abort()
    answered.resolve()
    await settled()
    await accounts.flush()
    await accounts.close()
    expect(world.seen).toEqual([])
    expect(await allRecords(world.store)).toEqual([])
    world.clock.advance(31_000)
    expect(await world.store.buryLost()).toBe(0)
    expect((await world.store.balances(key.id)).every(({ held }) => held === 0n)).toBe(true)
  })

  it('that ends abruptly is buried by another: its calls are charged their estimates, and marked', async () => {
    const world = createWorld()
    world.auto = undefined
    const { secret, key } = await world.create({ budgets: BUDGET })
    const lost = world.instance()
    void lost.chat(secret)
    await world.call(0)
    // Its timers stop with it.
    lost.kill()
    world.instance()
    await world.pass(41_000)
    const [record] = await allRecords(world.store)
    expect(record).toMatchObject({ outcome: 'cut', estimated: true, status: 0, key: key.id })
    expect(record?.cost).toBeGreaterThan(1_000_000)
    const seen = world.seen.map(({ id }) => id)
    expect(await checkBooks({ store: world.store, seen, budgets: { [key.id]: BUDGET }, overspend: 0n })).toEqual([])
  })

  it('that was taken for lost settles what it had', async () => {
    const control = failing()
    const world = createWorld(control.wrap)
    world.auto = undefined
    const { secret, key } = await world.create({ budgets: BUDGET })
    const { chat, accounts } = world.instance()
    const answer = chat(secret)
    const call = await world.call(0)
    control.state = 'down'
    await world.pass(60_000)
    expect(await world.store.buryLost()).toBe(1)
    control.state = 'up'
    call.chat(10, 5)
    await answer
    await world.pass(3000)
    await accounts.flush()
    expect(await allRecords(world.store)).toMatchObject([{ outcome: 'complete', cost: 60_000 }])
    await world.pass(30_000)
    const seen = world.seen.map(({ id }) => id)
    expect(await checkBooks({ store: world.store, seen, budgets: { [key.id]: BUDGET }, overspend: 0n })).toEqual([])
  })

  it('that closes leaves nothing behind', async () => {
    const world = createWorld()
    const { secret, key } = await world.create({ budgets: BUDGET })
    const { chat, accounts } = world.instance()
    await chat(secret)
    await accounts.close()
    expect(await world.store.balances(key.id)).toEqual([{ period: 'total', start: 0, spent: 60_000n, held: 0n }])
  })
})

describe('a store that never answers', () => {
  it('counts as failed after `patienceMs`, and what it does later has no effect', async () => {
    const late: (() => Promise<unknown>)[] = []
    let isLate = false
    const world = createWorld((store) => ({
      ...store,
      commit: (batch) =>
        isLate ? new Promise(() => late.push(async () => store.commit(batch))) : Promise.resolve(store.commit(batch)),
    }))
    const { secret } = await world.create({ budgets: BUDGET })
    const { chat, accounts } = world.instance({ patienceMs: 12_000 })
    expect((await chat(secret)).status).toBe(200)
    await accounts.flush()
    isLate = true
    const waiting = chat(secret)
    await world.pass(11_000)
    expect(world.failures).toEqual([])
    isLate = false
    await world.pass(12_000)
    expect((await waiting).status).toBe(503)
    expect(world.failures).toMatchObject([{ message: 'The store has not answered for 12000 ms.' }])
    await world.pass(3000)
    expect((await chat(secret)).status).toBe(200)
    await accounts.flush()
    expect(await allRecords(world.store)).toHaveLength(2)
    expect(late).toHaveLength(1)
    for (const arrive of late) await expect(arrive()).rejects.toThrow('has come after a later one')
    expect(await allRecords(world.store)).toHaveLength(2)
    expect((await chat(secret)).status).toBe(200)
    await accounts.close()
    world.clock.advance(31_000)
    expect(await world.store.buryLost()).toBe(0)
  })
})

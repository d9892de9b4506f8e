import type { Batch } from '@dragoman/accounts'
import { describe, expect, it } from 'vitest'
import { createWorld, settled, type World } from './world.ts'

/** A world that notes what is committed. */
function createWatched(): { readonly world: World; readonly batches: Batch[] } {
  const batches: Batch[] = []
  const world = createWorld((store) => ({
    ...store,
    commit(batch) {
      batches.push(batch)
      return store.commit(batch)
    },
  }))
  return { world, batches }
}

describe('settlements', () => {
  it('wait for each other while other calls are opened, but not for long', async () => {
    const { world, batches } = createWatched()
    const { secret } = await world.create()
    const { chat } = world.instance()
    for (let call = 0; call < 10; call++) expect((await chat(secret)).status).toBe(200)
    expect(batches.map(({ openings }) => openings.length)).toEqual(Array.from({ length: 10 }, () => 1))
    expect(batches.flatMap(({ settlements }) => settlements)).toEqual([])
    // The calls that are opened all the time do not keep them from being written.
    world.clock.advance(20)
    expect((await chat(secret)).status).toBe(200)
    await settled()
    expect(batches.flatMap(({ settlements }) => settlements)).toHaveLength(10)
    world.clock.advance(20)
    await settled()
    expect(await world.store.records('', 100)).toHaveLength(11)
  })

  it('do not wait if there are many of them', async () => {
    const { world, batches } = createWatched()
    const { secret } = await world.create()
    const { chat } = world.instance()
    for (let call = 0; call < 100; call++) expect((await chat(secret)).status).toBe(200)
    const sizes = batches.map(({ settlements }) => settlements.length).filter((size) => size > 0)
    expect(sizes).toEqual([64])
  })

  it('do not wait if a limit depends on them: the next call finds the room of the one before', async () => {
    const { world } = createWatched()
    const concurrent = await world.create({ limits: { concurrent: 1 } })
    const tokens = await world.create({ limits: { tokens: 160 } })
    const { chat } = world.instance()
    for (let call = 0; call < 3; call++) expect((await chat(concurrent.secret)).status).toBe(200)
    // Each call is expected to use more than half of the limit, and uses 15.
    for (let call = 0; call < 3; call++) expect((await chat(tokens.secret)).status).toBe(200)
  })

  it('that wait are part of what a budget has paid', async () => {
    const { world, batches } = createWatched()
    // Each call costs 60,000 nano-dollars.
    world.auto = { input: 10, output: 5 }
    const { secret, key } = await world.create({ budgets: { total: 2_000_000 } })
    const { chat, accounts } = world.instance()
    let served = 0
    while ((await chat(secret)).status === 200) served++
    expect(served).toBeGreaterThan(10)
    expect(served).toBeLessThanOrEqual(33)
    expect(batches.some(({ settlements, openings }) => settlements.length === 0 && openings.length > 0)).toBe(true)
    await accounts.flush()
    const [balance] = await world.store.balances(key.id)
    expect(balance?.spent).toBe(BigInt(served) * 60_000n)
  })

  it('are all written when the instance closes', async () => {
    const { world } = createWatched()
    const { secret } = await world.create()
    const { chat, accounts } = world.instance()
    for (let call = 0; call < 5; call++) expect((await chat(secret)).status).toBe(200)
    await accounts.close()
    expect(await world.store.records('', 100)).toHaveLength(5)
  })
})

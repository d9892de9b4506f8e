import { closeRefused, type Batch, type RefusedCalls, type Store } from '@dragoman/accounts'
import { describe, expect, it } from 'vitest'
import { allRecords } from './check-books.ts'
import { createWorld } from './world.ts'

const BUDGET = { total: 1_000_000_000 }

/** A store that gets everything, and whose answers are lost on demand. */
function deaf() {
  const control = {
    isDeaf: false,
    batches: [] as Batch[],
    wrap: (store: Store): Store => ({
      ...store,
      async commit(batch) {
        control.batches.push(batch)
        const result = await store.commit(batch)
        if (control.isDeaf) throw new Error('The answer was lost.')
        return result
      },
    }),
  }
  return control
}

/** Keeps refused calls, as a file does. */
function memory() {
  const kept: RefusedCalls[] = []
  const refused = {
    keep: (calls: RefusedCalls) => void kept.push(structuredClone(calls)),
    clear: () => void (kept.length = 0),
  }
  return { kept, refused }
}

async function refuseOne() {
  const control = deaf()
  const world = createWorld(control.wrap)
  const { kept, refused } = memory()
  const { secret, key } = await world.create({ budgets: BUDGET, limits: { concurrent: 5 } })
  const instance = world.instance({ refused })
  expect((await instance.chat(secret)).status).toBe(200)
  await instance.accounts.flush()
  // Records of one millisecond are in no order.
  world.clock.advance(1)
  control.isDeaf = true
  expect((await instance.chat(secret)).status).toBe(503)
  expect(kept).toMatchObject([{ settlements: [{ key: key.id }] }])
  return { control, world, kept, key, instance }
}

describe('a call that was refused because the answer of the store was lost', () => {
  it('is charged if its instance ends and the refusal was not kept in a file', async () => {
    const { control, world, instance } = await refuseOne()
    instance.kill()
    control.isDeaf = false
    world.clock.advance(31_000)
    expect(await world.store.buryLost()).toBe(1)
    expect(await allRecords(world.store)).toMatchObject([{ outcome: 'complete' }, { outcome: 'cut' }])
  })

  it.each([
    ['before', 0, 0],
    ['after', 31_000, 1],
  ])('costs nothing if it is closed %s its instance is taken for lost', async (_, waitMs, buried) => {
    const { control, world, kept, key, instance } = await refuseOne()
    instance.kill()
    control.isDeaf = false
    world.clock.advance(waitMs)
    expect(await world.store.buryLost()).toBe(buried)
    for (const refused of kept) await closeRefused(world.store, refused)
    // It is closed twice, because the file is deleted last and may be read again.
    for (const refused of kept) await closeRefused(world.store, refused)
    world.clock.advance(31_000)
    expect(await world.store.buryLost()).toBe(0)
    expect(await allRecords(world.store)).toMatchObject([{ outcome: 'complete', cost: 60_000 }])
    expect(await world.store.balances(key.id)).toEqual([{ period: 'total', start: 0, spent: 60_000n, held: 0n }])
  })

  it('is not opened again by a batch that arrives after it was closed', async () => {
    const { control, world, kept, instance } = await refuseOne()
    instance.kill()
    for (const refused of kept) await closeRefused(world.store, refused)
    const opening = control.batches.findLast(({ openings }) => openings.length > 0)!
    await expect((async () => world.store.commit(opening))()).rejects.toThrow('has come after a later one')
    world.clock.advance(31_000)
    expect(await world.store.buryLost()).toBe(0)
  })

  it('is closed by its own instance if that lives on, which then forgets it and goes on', async () => {
    const { control, world, kept, instance } = await refuseOne()
    const copy = [...kept]
    control.isDeaf = false
    await world.pass(3000)
    expect(kept).toEqual([])
    // Another process with the same folder may have read the file before.
    for (const refused of copy) await closeRefused(world.store, refused)
    await instance.accounts.close()
    world.clock.advance(31_000)
    expect(await world.store.buryLost()).toBe(0)
    expect(await allRecords(world.store)).toMatchObject([{ outcome: 'complete' }])
  })

  it('is refused all the same if it cannot be kept, and that is reported', async () => {
    const control = deaf()
    const world = createWorld(control.wrap)
    const { secret } = await world.create({ budgets: BUDGET })
    const keep = (): never => {
      throw new Error('The disk is full.')
    }
    const { chat } = world.instance({ refused: { keep, clear() {} } })
    control.isDeaf = true
    expect((await chat(secret)).status).toBe(503)
    expect(world.failures.map(String)).toContain('Error: The disk is full.')
  })
})

import { UnstorableError, type Batch, type CallRecord, type Store } from '@dragoman/accounts'
import { describe, expect, it } from 'vitest'
import { allRecords, checkBooks } from './check-books.ts'
import { createWorld, settled, type World } from './world.ts'

const BUDGET = { total: 1_000_000_000_000 }
const CALLS = 70

/** A store that refuses batches with certain entries, as a database refuses a value. */
function refusing(refuses: { record: (record: CallRecord) => boolean; opening: (asked: string) => boolean }) {
  const batches: Batch[] = []
  const wrap = (store: Store): Store => ({
    ...store,
    commit(batch) {
      batches.push(batch)
      const hasRecord = batch.settlements.some(({ record }) => record !== undefined && refuses.record(record))
      if (hasRecord || batch.openings.some(({ call }) => refuses.opening(call.asked)))
        throw new UnstorableError('Wrong value.')
      return store.commit(batch)
    },
  })
  return { wrap, batches }
}

async function answerAll(world: World, positions: readonly number[] = []): Promise<void> {
  for (const [position, call] of world.seen.entries()) call.chat(10, positions.includes(position) ? 77 : 5)
  await settled()
}

describe('an entry that the store refuses', () => {
  it.each([[[0]], [[CALLS - 1]], [[3, 4, 40]]])('does not stop the others of its group: %j', async (poison) => {
    const store = refusing({ record: ({ tokens }) => tokens.output === 77, opening: () => false })
    const world = createWorld(store.wrap)
    world.auto = undefined
    const { secret, key } = await world.create({ budgets: BUDGET })
    const { chat, accounts } = world.instance()
    const answers = Array.from({ length: CALLS }, () => chat(secret))
    await world.call(CALLS - 1)
    const opened = store.batches.length
    await answerAll(world, poison)
    for (const answer of answers) expect((await answer).status).toBe(200)
    await accounts.flush()
    expect(accounts.waiting).toBe(0)
    const ids = poison.map((position) => world.seen[position]?.id)
    const records = await allRecords(world.store)
    expect(records).toHaveLength(CALLS)
    // Charges are exact: every call is charged its cost.
    for (const { id, cost, attempts, estimated, asked } of records) {
      const isPoison = ids.includes(id)
      const expected = isPoison
        ? { cost: 10_000 + 770_000, attempts: 0, estimated: true, asked: '' }
        : { cost: 10_000 + 50_000, attempts: 1, estimated: false, asked: 'acme/m' }
      expect({ cost, attempts, estimated, asked }).toEqual(expected)
    }
    const named = world.failures.map((failure) => /it refuses call req_(\w+)/.exec(String(failure))?.[1])
    expect(new Set(named)).toEqual(new Set(ids))
    expect(named).toHaveLength(ids.length)
    // Groups are halved, not sent one by one.
    expect(store.batches.length - opened).toBeLessThan(CALLS / 2)
    await accounts.close()
    const seen = world.seen.map(({ id }) => id)
    expect(await checkBooks({ store: world.store, seen, budgets: { [key.id]: BUDGET }, overspend: 0n })).toEqual([])
  })

  it('even without its details is charged its estimate when the instance ends', async () => {
    const refusedId: { id?: string | undefined } = {}
    const store = refusing({ record: ({ id }) => id === refusedId.id, opening: () => false })
    const world = createWorld(store.wrap)
    world.auto = undefined
    const { secret, key } = await world.create({ budgets: BUDGET })
    const { chat, accounts } = world.instance()
    const answers = [chat(secret), chat(secret), chat(secret)]
    await world.call(2)
    refusedId.id = world.seen[1]?.id
    await answerAll(world)
    await Promise.all(answers)
    await accounts.flush()
    expect((await allRecords(world.store)).map(({ id }) => id)).not.toContain(refusedId.id)
    expect(await allRecords(world.store)).toHaveLength(2)
    expect(world.failures.map(String).join()).toContain('it stays open, and is charged its estimate')
    await accounts.close()
    expect(await world.store.buryLost()).toBe(1)
    const cut = await world.store.record(refusedId.id ?? '')
    expect(cut).toMatchObject({ outcome: 'cut', estimated: true })
    const seen = world.seen.map(({ id }) => id)
    expect(await checkBooks({ store: world.store, seen, budgets: { [key.id]: BUDGET }, overspend: 0n })).toEqual([])
  })

  it('of a call that begins refuses that call only', async () => {
    const store = refusing({ record: () => false, opening: (asked) => asked === 'pool' })
    const world = createWorld(store.wrap)
    const { secret, key } = await world.create({ budgets: BUDGET })
    const { chat, accounts } = world.instance()
    const models = ['acme/m', 'pool', 'acme/m', 'other/m', 'pool']
    const answers = await Promise.all(models.map((model) => chat(secret, { model })))
    expect(answers.map(({ status }) => status)).toEqual([200, 503, 200, 200, 503])
    await accounts.close()
    const seen = world.seen.map(({ id }) => id)
    expect(seen).toHaveLength(3)
    expect(await checkBooks({ store: world.store, seen, budgets: { [key.id]: BUDGET }, overspend: 0n })).toEqual([])
    expect(world.failures).toHaveLength(2)
  })
})

describe('names of models', () => {
  it('are storable in records, whatever an operator has called them', async () => {
    const world = createWorld()
    const { secret } = await world.create()
    const name = `a\0b\ud83d${'長'.repeat(5000)}`
    const card = { name, input: ['text'], output: ['text'] } as const
    const { chat, accounts } = world.instance({}, { providers: [world.provider('own', [card])], aliases: {} })
    expect((await chat(secret, { model: `own/${name}` })).status).toBe(200)
    await accounts.flush()
    const [record] = await allRecords(world.store)
    for (const recorded of [record?.asked, record?.model]) {
      expect(recorded).toMatch(/^own\/a\uFFFDb\uFFFD長+…$/u)
      expect(recorded?.length).toBeLessThan(300)
    }
  })

  it('that callers invent cannot make a store grow without end', async () => {
    const world = createWorld()
    const { secret } = await world.create()
    const any = { name: '*', input: ['text'], output: ['text'] } as const
    const providers = [world.provider('acme'), world.provider('open', [any])]
    const { chat, accounts } = world.instance({ mostNames: 3 }, { providers, aliases: {} })
    const models = ['open/a', 'acme/m', 'open/b', 'open/c', 'open/d', 'open/a', 'acme/none', 'none']
    const statuses = []
    for (const model of models) statuses.push((await chat(secret, { model })).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 404, 404])
    await accounts.flush()
    // Models that do not exist are in no record at all.
    const records = await allRecords(world.store)
    const asked = records.map((record) => record.asked).toSorted((one, other) => one.localeCompare(other))
    expect(asked).toEqual(['acme/m', 'open/*', 'open/*', 'open/a', 'open/a', 'open/b'])
    expect(new Set(records.flatMap((record) => [record.asked, record.model])).size).toBe(4)
  })
})

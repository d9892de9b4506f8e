import type { Batch, Store } from '@dragoman/accounts/store'
import { findRedis, startRedis, type RunningRedis } from '@dragoman/testkit/engines'
import { batch, TOTAL } from '@dragoman/testkit/stores'
import { Redis } from 'ioredis'
import { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openPostgresStore, type PostgresStoreOptions } from '../src/index.ts'
import { answersOf, callOf, openingOf, settlementOf, sliceRequestOf } from './calls.ts'
import { reopen, shut, useDatabase } from './engine.ts'

const SECRET = 'hunter2-secret'
const TABLES = ['instances', 'slices', 'balances', 'buckets', 'open_calls', 'records', 'hours']
const WAIT = { timeout: 60_000, interval: 20 }
const program = findRedis('what happens to limits when Redis is lost')

describe.skipIf(program.isSkipped)('limits in Redis', () => {
  const connection = useDatabase('redis')
  let redis: RunningRedis
  let pool: Pool
  let client: Redis
  let stores: Store[] = []
  let errors: Error[] = []

  beforeAll(async () => {
    redis = await startRedis(program)
    pool = new Pool({ ...connection, options: '-c search_path=dragoman' })
    pool.on('error', () => {}) // the database is shut on purpose
    client = new Redis(redis.socket)
    client.on('error', () => {})
    await (await openPostgresStore({ connection })).close()
  })
  afterAll(async () => {
    client.disconnect()
    await pool.end()
    await redis.stop()
  })
  beforeEach(async () => {
    await pool.query(TABLES.map((table) => `delete from ${table}`).join('; '))
    await client.flushall()
    errors = []
  })
  afterEach(async () => {
    for (const store of stores) await store.close()
    stores = []
  })

  const open = async (options: Partial<PostgresStoreOptions> = {}): Promise<Store> => {
    const store = await openPostgresStore({
      connection,
      redis: { path: redis.socket, commandTimeout: 60_000 },
      onError: (error) => void errors.push(error),
      ...options,
    })
    stores.push(store)
    return store
  }
  const ask = async (store: Store, number: number, limits: object, changes: Partial<Batch> = {}): Promise<string> => {
    const { verdicts } = await store.commit(batch({ openings: [openingOf(callOf(number), { limits })], ...changes }))
    return answersOf(verdicts)[0]!
  }
  const openCalls = async (): Promise<number> =>
    Number((await pool.query<{ count: string }>('select count(*) from open_calls')).rows[0]?.count)
  const bucket = (): Promise<string | null> => client.get('{dragoman:dragoman}:bucket:key_1')

  it('are decided by Redis, in its time, with one command for a batch', async () => {
    const store = await open()
    await ask(store, 1, { requests: 2 })
    await client.config('RESETSTAT')
    expect(await ask(store, 2, { requests: 2 })).toBe('granted')
    expect(await client.info('commandstats')).toMatch(/cmdstat_evalsha:calls=1,/)
    expect(await ask(store, 3, { requests: 2 })).toBe('requests')
    expect((await pool.query('select from buckets')).rowCount).toBe(0)
    expect(await openCalls()).toBe(2)
    const [requests, , at] = (await bucket())!.split(' ').map(Number)
    expect(requests).toBeGreaterThan(1)
    const [seconds] = await client.time()
    expect(Math.abs(Number(seconds) * 1000 - at!)).toBeLessThan(60_000)
    expect(errors).toEqual([])
  })

  it('do not delay the database, and the database does not delay them', async () => {
    const store = await open()
    await ask(store, 1, { requests: 9 })
    redis.freeze()
    const first = ask(store, 2, { requests: 9 })
    await expect.poll(() => openCalls()).toBe(2)
    redis.thaw()
    expect(await first).toBe('granted')
    const before = await bucket()
    const locking = await pool.connect()
    await locking.query('begin; lock table open_calls')
    const second = ask(store, 3, { requests: 9 })
    await expect.poll(() => bucket()).not.toBe(before)
    await locking.query('commit')
    locking.release()
    expect(await second).toBe('granted')
  })

  it('need no lock of the key in PostgreSQL, which other instances may hold', async () => {
    const store = await open()
    const locking = await pool.connect()
    try {
      await locking.query("begin; select lock_keys(array['key_1'])")
      expect(await ask(store, 1, { requests: 9, tokens: 100, concurrent: 3 })).toBe('granted')
    } finally {
      await locking.query('commit')
      locking.release()
    }
  })

  it('are decided by PostgreSQL while Redis is down, and calls of that time count when it is back', async () => {
    const store = await open()
    const other = await open()
    expect(await ask(store, 1, { concurrent: 3 })).toBe('granted')
    await redis.kill()
    expect(await ask(store, 2, { concurrent: 3, requests: 1 })).toBe('granted')
    expect(await ask(store, 3, { requests: 1 })).toBe('requests')
    expect(await ask(store, 4, { concurrent: 2 })).toBe('concurrent')
    expect(await openCalls()).toBe(2)
    expect(errors.map(String).join()).toMatch(/Redis: /)
    await redis.restart()
    await vi.waitFor(async () => {
      await store.commit(batch({}))
      expect(await client.hget('{dragoman:dragoman}:instance:a', 'n:key_1')).toBe('2')
    }, WAIT)
    await vi.waitFor(async () => {
      await other.commit(batch({ instance: 'b' }))
      expect(await client.exists('{dragoman:dragoman}:instance:b')).toBe(1)
    }, WAIT)
    expect(await ask(other, 5, { concurrent: 2 }, { instance: 'b' })).toBe('concurrent')
    await store.commit(batch({ settlements: [settlementOf(callOf(2))] }))
    expect(await ask(other, 5, { concurrent: 2 }, { instance: 'b' })).toBe('granted')
    expect(await client.hget('{dragoman:dragoman}:instance:b', 'n:key_1')).toBe('1')
  })

  it('are decided by PostgreSQL when Redis takes too long, and nothing is granted twice', async () => {
    const store = await open({ redis: { path: redis.socket, commandTimeout: 200 } })
    await ask(store, 1, {})
    redis.freeze()
    const limits = { concurrent: 2 }
    const openings = [2, 3].map((number) =>
      openingOf(callOf(number), { limits, sliceRequests: [sliceRequestOf(1000, 100)] }),
    )
    const { verdicts } = await store.commit(batch({ openings }))
    redis.thaw()
    expect(answersOf(verdicts)).toEqual(['granted', 'concurrent'])
    expect(await openCalls()).toBe(2)
    expect(await store.balances('key_1')).toEqual([{ ...TOTAL, spent: 0n, held: 100n }])
  })

  it('are restored when Redis has lost its data', async () => {
    const store = await open()
    const limits = { concurrent: 1 }
    expect(await ask(store, 1, limits)).toBe('granted')
    await client.flushall()
    expect(await ask(store, 2, limits)).toBe('concurrent')
    expect(errors.map(String)).toEqual([expect.stringMatching(/lost its data/)])
    await vi.waitFor(async () => {
      await store.commit(batch({}))
      expect(await client.hget('{dragoman:dragoman}:instance:a', 'n:key_1')).toBe('1')
    }, WAIT)
    expect(await ask(store, 2, limits)).toBe('concurrent')
  })

  it('forget the calls of a crashed instance, without anybody who buries it', async () => {
    const [crashed, other] = [await open(), await open()]
    const limits = { concurrent: 1 }
    expect(await ask(crashed, 1, limits, { ttlMs: 2000 })).toBe('granted')
    expect(await ask(other, 2, limits, { instance: 'b' })).toBe('concurrent')
    await expect.poll(() => ask(other, 2, limits, { instance: 'b' })).toBe('granted')
  })

  it('get back what a batch has taken that PostgreSQL did not write', async () => {
    const store = await open()
    await ask(store, 1, { requests: 5, tokens: 500 })
    const before = await bucket()
    await shut(connection)
    const openings = [openingOf(callOf(2), { limits: { requests: 5, tokens: 500 }, tokens: 77 })]
    await expect(store.commit(batch({ openings }))).rejects.toThrow(/^PostgreSQL: /)
    expect(await bucket()).toBe(before)
    expect(await client.hexists('{dragoman:dragoman}:instance:a', `c:${callOf(2).id}`)).toBe(0)
    await reopen(connection)
    expect(answersOf((await store.commit(batch({ openings }))).verdicts)).toEqual(['granted'])
  })

  it('are the same for instances that commit at the same time', async () => {
    const all = await Promise.all([open(), open(), open()])
    const limits = { concurrent: 4, requests: 1000 }
    const run = async (store: Store, index: number): Promise<void> => {
      for (let round = 0; round < 10; round++) {
        const calls = ['key_1', 'key_2', 'key_3'].map((key, number) => callOf(index * 1000 + round * 10 + number, key))
        const sorted = index === 1 ? calls.toReversed() : calls
        const sliceRequests = round % 3 === 0 ? [sliceRequestOf(100_000_000, 100)] : []
        const openings = sorted.map((call) => openingOf(call, { limits, sliceRequests }))
        const { verdicts } = await store.commit(batch({ instance: `i${index}`, openings }))
        const granted = sorted.filter((_, number) => 'granted' in verdicts[number]!)
        const settlements = granted.slice(0, 2).map((call) => settlementOf(call, { limits }))
        await store.commit(batch({ instance: `i${index}`, settlements }))
      }
    }
    await Promise.all(all.map(run))
    for (const key of ['key_1', 'key_2', 'key_3']) {
      const { rows } = await pool.query('select count(*)::int as count from open_calls where key = $1', [key])
      const counts = await Promise.all(
        all.map((_, index) => client.hget(`{dragoman:dragoman}:instance:i${index}`, `n:${key}`)),
      )
      const counted = counts.reduce((sum, count) => sum + Number(count ?? 0), 0)
      expect(rows).toEqual([{ count: counted }])
      expect(counted).toBeLessThanOrEqual(4)
    }
    expect(errors).toEqual([])
  })

  it('hold for calls that PostgreSQL does not have yet', async () => {
    const [one, other] = [await open(), await open()]
    const limits = { concurrent: 1 }
    await other.commit(batch({ instance: 'b' }))
    const holder = await pool.connect()
    await holder.query(`begin; select from batch_numbers where instance = 'b' for update`)
    const openings = [openingOf(callOf(2), { limits })]
    const slow = other.commit(batch({ instance: 'b', openings }))
    await expect.poll(() => client.hget('{dragoman:dragoman}:instance:b', 'n:key_1'), WAIT).toBe('1')
    const disputed = openingOf(callOf(1), { limits, sliceRequests: [sliceRequestOf(100_000_000, 100)] })
    const { verdicts } = await one.commit(batch({ openings: [disputed] }))
    await holder.query('rollback')
    holder.release()
    expect(answersOf((await slow).verdicts)).toEqual(['granted'])
    expect(answersOf(verdicts)).toEqual(['concurrent'])
    expect(await openCalls()).toBe(1)
    expect(await client.hexists('{dragoman:dragoman}:instance:a', 'n:key_1')).toBe(0)
    expect(await one.balances('key_1')).toEqual([])
  })

  it('do not need Redis at the start, and no error contains its password', async () => {
    const store = await open({ redis: { path: redis.socket, username: 'nobody', password: SECRET } })
    expect(await ask(store, 1, { requests: 1 })).toBe('granted')
    expect(await ask(store, 2, { requests: 1 })).toBe('requests')
    expect(errors.length).toBeGreaterThan(0)
    for (const error of errors) {
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(SECRET)
    }
    expect(store.title).toBe('PostgreSQL and Redis, schema dragoman')
    const wrong = openPostgresStore({ connection, redis: `redis://user:${SECRET}@[wrong` })
    const error: unknown = await wrong.catch((reason: unknown) => reason)
    expect(String(error)).toMatch(/^Error: Redis: /)
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(SECRET)
  })
})

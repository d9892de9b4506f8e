import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { DIMENSIONS, type Store } from '@dragoman/accounts/store'
import { startPostgres } from '@dragoman/testkit/engines'
import { batch, TOTAL } from '@dragoman/testkit/stores'
import { Pool } from 'pg'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { openPostgresStore } from '../src/index.ts'
import { migrate, readMigrations } from '../src/migrate.ts'
import { answersOf, callOf, openingOf, settlementOf, sliceRequestOf } from './calls.ts'
import { useDatabase } from './engine.ts'

const SECRET = 'hunter2-secret'
const MIGRATIONS = readMigrations()

const connection = useDatabase('database')
const pool = new Pool(connection)
let schemas = 0
afterAll(() => pool.end())

const newSchema = (): string => `test_${++schemas}`
const open = (schema: string) => openPostgresStore({ connection: { ...connection, password: SECRET }, schema })
const versionOf = async (schema: string): Promise<unknown> =>
  (await pool.query(`select max(version) as version from ${schema}.migrations`)).rows[0]?.version

const errorOf = async (doing: unknown): Promise<unknown> => {
  try {
    return await doing
  } catch (error) {
    return error
  }
}

describe('migrations', () => {
  it('run once when several stores open an empty database at the same time', async () => {
    const schema = newSchema()
    const stores = await Promise.all([1, 2, 3, 4].map(() => open(schema)))
    expect(await versionOf(schema)).toBe(MIGRATIONS.length)
    for (const [index, store] of stores.entries()) {
      const result = await store.commit(batch({ instance: `i${index}`, openings: [openingOf(callOf(index))] }))
      expect(answersOf(result.verdicts)).toEqual(['granted'])
    }
    for (const store of stores) await store.close()
  })

  it('refuse a schema of a newer version', async () => {
    const schema = newSchema()
    await migrate(pool, schema, [...MIGRATIONS, 'create table later ()'])
    await expect(open(schema)).rejects.toThrow(
      `has version ${MIGRATIONS.length + 1}, and this dragoman knows ${MIGRATIONS.length}: it was used by a newer dragoman`,
    )
    expect(await versionOf(schema)).toBe(MIGRATIONS.length + 1)
  })

  it('leave nothing behind when they fail', async () => {
    const schema = newSchema()
    await expect(migrate(pool, schema, [...MIGRATIONS, 'create table half (); select wrong'])).rejects.toThrow(/wrong/)
    expect((await pool.query('select from pg_namespace where nspname = $1', [schema])).rowCount).toBe(0)
    await migrate(pool, schema)
    await expect(migrate(pool, schema, [...MIGRATIONS, 'create table half (); select wrong'])).rejects.toThrow(/wrong/)
    expect(await versionOf(schema)).toBe(MIGRATIONS.length)
    expect((await pool.query(`select to_regclass('${schema}.half') as half`)).rows).toEqual([{ half: null }])
  })

  it('fail without the end of the process when their connection is lost', async () => {
    const lost = 'select pg_terminate_backend(pg_backend_pid())'
    const own = new Pool({ ...connection, max: 1 })
    await expect(migrate(own, newSchema(), [lost])).rejects.toThrow(/terminat/)
    await migrate(own, newSchema())
    await own.end()
  })

  it('keep the data', async () => {
    const schema = newSchema()
    const store = await open(schema)
    const settlement = settlementOf(callOf(1))
    await store.commit(batch({ settlements: [settlement] }))
    const second = 'alter table records add column note text; update records set note = asked::text'
    await migrate(pool, schema, [...MIGRATIONS, second])
    await migrate(pool, schema, [...MIGRATIONS, second])
    expect(await versionOf(schema)).toBe(MIGRATIONS.length + 1)
    expect(await store.record(settlement.id)).toEqual(settlement.record)
    expect(await store.balances('key_1')).toEqual([{ ...TOTAL, spent: 6_615_000n, held: 0n }])
    await store.close()
  })

  it('need no right to create schemas if the schema exists', async () => {
    const schema = newSchema()
    await pool.query(`create role guest_${schema} login; create schema ${schema} authorization guest_${schema}`)
    const guest = { ...connection, user: `guest_${schema}` }
    await expect(openPostgresStore({ connection: guest, schema: newSchema() })).rejects.toThrow(/permission denied/)
    const store = await openPostgresStore({ connection: guest, schema })
    expect(await store.buryLost()).toBe(0)
    await store.close()
  })
})

describe('a lost connection', () => {
  it('whose batch arrives late, after it was given up, opens nothing', async () => {
    const schema = newSchema()
    const alone = { ...connection, application_name: schema, max: 1, query_timeout: 500 }
    const slow = await openPostgresStore({ connection: alone, schema })
    const asked = 'select pid from pg_stat_activity where application_name = $1'
    const { rows } = await pool.query<{ pid: number }>(asked, [schema])
    const [backend] = rows
    const limits = { concurrent: 1 }
    // The process of the connection stands still: it has the batch, and has not read it.
    process.kill(backend!.pid, 'SIGSTOP')
    const overtaken = batch({
      number: 1,
      openings: [openingOf(callOf(1), { limits, sliceRequests: [sliceRequestOf(1e9, 1000)] })],
    })
    await expect(slow.commit(overtaken)).rejects.toThrow(/timeout/)
    const store = await open(schema)
    const nothing = { ...settlementOf(callOf(1)), record: undefined }
    await store.commit(batch({ number: 2, settlements: [nothing] }))
    process.kill(backend!.pid, 'SIGCONT')
    await expect.poll(async () => (await pool.query(asked, [schema])).rows).not.toContainEqual(backend)
    const next = batch({ number: 3, openings: [openingOf(callOf(2), { limits })] })
    expect(answersOf((await store.commit(next)).verdicts)).toEqual(['granted'])
    expect(await store.balances('key_1')).toEqual([])
    await slow.close()
    await store.close()
  })

  it('fails with a clear error, and a batch that is sent again has no second effect', async () => {
    const postgres = await startPostgres(import.meta.url)
    onTestFinished(postgres.stop)
    const store = await openPostgresStore({ connection: { ...postgres.connection, password: SECRET } })
    const sent = batch({
      settlements: [settlementOf(callOf(1))],
      openings: [openingOf(callOf(2), { limits: { requests: 1 }, sliceRequests: [sliceRequestOf(1e9, 1000)] })],
    })
    const committing = Promise.allSettled([store.commit(sent), store.commit(batch({ instance: 'b' }))])
    await postgres.kill()
    await committing
    const error = await errorOf(store.commit(sent))
    expect(error).toBeInstanceOf(Error)
    expect(String(error)).toMatch(/^Error: PostgreSQL: .*(connect|terminat)/)
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(SECRET)
    await postgres.restart()
    await store.commit(sent)
    expect(answersOf((await store.commit(sent)).verdicts)).toEqual(['granted'])
    expect(await store.balances('key_1')).toEqual([{ ...TOTAL, spent: 6_615_000n, held: 1000n }])
    expect(await store.records('', 10)).toHaveLength(1)
    await store.close()
  })

  it('to a wrong address does not reveal the password', async () => {
    for (const connection of [
      `postgres://user:${SECRET}@[wrong/database`,
      `postgres://user:${SECRET}@127.0.0.1:1/database`,
      `postgres://user:${SECRET}@localhost:1/database`,
    ]) {
      const error = await errorOf(openPostgresStore({ connection }))
      expect(String(error)).toMatch(/^Error: PostgreSQL: .*(URL|ECONNREFUSED)/)
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(SECRET)
    }
  })
})

describe('a URL', () => {
  it('can demand TLS, as in pg, and a server without it gets no password', async () => {
    const received: Buffer[] = []
    const server = createServer((socket) => {
      socket.on('data', (chunk) => {
        received.push(chunk)
        socket.write('N') // no TLS here
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo // it listens on a port
    const connection = `postgres://user:${SECRET}@127.0.0.1:${port}/database?sslmode=require`
    await expect(openPostgresStore({ connection })).rejects.toThrow(/PostgreSQL: .*does not support SSL/)
    // The code of a request for TLS, from the protocol of PostgreSQL.
    expect(Buffer.concat(received)).toEqual(Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]))
    server.close()
  })
})

describe('instances that commit at the same time', () => {
  it('wait for each other and never fail, whatever the order of their keys', async () => {
    const schema = newSchema()
    const stores = await Promise.all([1, 2, 3].map(() => open(schema)))
    const keys = ['key_1', 'key_2', 'key_3', 'key_4']
    const run = async (index: number): Promise<number> => {
      const own = index % 2 === 0 ? keys : keys.toReversed()
      for (let round = 0; round < 12; round++) {
        const calls = own.map((key, number) => callOf(index * 1000 + round * 10 + number, key))
        const openings = calls.map((call) =>
          openingOf(call, { limits: { concurrent: 100 }, sliceRequests: [sliceRequestOf(1e9, 10)] }),
        )
        const store = stores[index]!
        await store.commit(batch({ instance: `i${index}`, openings }))
        await store.commit(batch({ instance: `i${index}`, settlements: calls.map((call) => settlementOf(call)) }))
        if (round % 4 === 3) await store.buryLost()
      }
      return 12 * keys.length
    }
    const counts = await Promise.all([0, 1, 2].map(run))
    const [sum] = (await stores[0]!.usage({ from: 0, to: Date.UTC(2100, 0), by: [], where: {} })).rows
    expect(sum?.calls).toBe(counts.reduce((all, count) => all + count))
    expect(await stores[0]!.balances('key_3')).toEqual([
      { ...TOTAL, spent: 3n * 12n * 6_615_000n, held: 3n * 12n * 10n },
    ])
    const deadlocks = await pool.query<{ deadlocks: string }>(
      "select sum(deadlocks) as deadlocks from pg_stat_database where datname = 'database'",
    )
    expect(deadlocks.rows).toEqual([{ deadlocks: '0' }])
    for (const store of stores) await store.close()
  })
})

describe('records', () => {
  it('need less than 200 bytes each, with their indexes', async () => {
    const schema = newSchema()
    const store = await open(schema)
    await writeRecords(store, 0, 10_000)
    const { rows } = await pool.query<{ size: string }>(`select pg_total_relation_size('${schema}.records') as size`)
    expect(Number(rows[0]?.size) / 10_000).toBeLessThan(200)
    await store.close()
  })
})

describe('usage', () => {
  it('is read by any plan of the database, whose choice depends on its statistics', async () => {
    const schema = newSchema()
    const store = await open(schema)
    await writeRecords(store, 0, 2500)
    const where = { key: 'key_1', owner: 'ann', provider: 'acme', model: 'acme/one' }
    const query = { from: 0, to: Date.UTC(2100, 0), by: DIMENSIONS, where }
    const before = await store.usage(query)
    expect(before.rows).toHaveLength(42)
    await pool.query(`analyze ${schema}.names, ${schema}.hours`)
    expect(await store.usage(query)).toEqual(before)
    await store.close()
  })
})

async function writeRecords(store: Store, from: number, count: number): Promise<void> {
  for (let number = from; number < from + count; number += 2500) {
    const settlements = Array.from({ length: 2500 }, (_, index) => {
      const at = Date.UTC(2026, 10, 1) + (number + index) * 60_000
      return settlementOf(callOf(number + index, `key_${index % 20}`, at))
    })
    await store.commit(batch({ settlements }))
  }
}

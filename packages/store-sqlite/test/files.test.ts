import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { batch, callOf, numbers, settlementOf, START, TOTAL } from '@dragoman/testkit/stores'
import { describe, expect, it } from 'vitest'
import { openSqliteStore } from '../src/index.ts'
import { MIGRATIONS } from '../src/sql/schema.ts'
import { createFolder } from './folder.ts'

const folder = createFolder()
const clock = { now: () => START }

describe('a file', () => {
  it('is created for its owner only, and keeps everything', async () => {
    const file = folder.file('kept.db')
    const first = openSqliteStore({ file, clock })
    expect(first.title).toBe(`SQLite at ${file}`)
    await first.commit(batch({ settlements: [settlementOf(1)] }))
    await first.close()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const second = openSqliteStore({ file, clock })
    expect(await second.record(callOf(1).id)).toEqual(settlementOf(1).record)
    expect(await second.commit(batch({}))).toEqual({ isNew: false, verdicts: [] })
    await second.close()
  })

  it('of an older version is migrated, with what it has', async () => {
    const file = folder.file('old.db')
    const first = openSqliteStore({ file, clock })
    await first.commit(batch({ settlements: [settlementOf(1)] }))
    await first.close()
    const database = new DatabaseSync(file)
    const { migrate } = await import('../src/sql/migrate.ts')
    const sql = sqlOf(database)
    const next = [...MIGRATIONS, [`ALTER TABLE records ADD COLUMN region INTEGER NOT NULL DEFAULT 0`]]
    expect(migrate(sql, next)).toBe(MIGRATIONS.length)
    expect(migrate(sql, next)).toBe(MIGRATIONS.length + 1)
    expect(database.prepare(`SELECT cost, region FROM records`).all()).toMatchObject([{ cost: 7, region: 0 }])
    expect(() => migrate(sql, [...next, [`CREATE TABLE fine (a)`, `CREATE TABLE records (a)`]])).toThrow(
      /already exists/,
    )
    expect(database.prepare(`SELECT name FROM sqlite_master WHERE name = 'fine'`).all()).toEqual([])
    expect(database.prepare(`SELECT version FROM dragoman`).all()).toMatchObject([{ version: MIGRATIONS.length + 1 }])
    database.close()
    expect(() => openSqliteStore({ file })).toThrow(
      `SQLite at ${file}: the database has version ${MIGRATIONS.length + 1} of the schema, and this version of dragoman knows ${MIGRATIONS.length} at most`,
    )
  })

  it('of another program is refused and left alone', () => {
    const file = folder.file('foreign.db')
    const database = new DatabaseSync(file)
    database.exec('CREATE TABLE songs (a)')
    database.close()
    expect(() => openSqliteStore({ file })).toThrow('the database belongs to another program')
  })

  it('that is not a database, or damaged, is refused', () => {
    const text = folder.file('text.db')
    writeFileSync(text, 'Not a database, but long enough to be read as one.'.repeat(50))
    expect(() => openSqliteStore({ file: text })).toThrow(`SQLite at ${text}: the file is not an SQLite database`)
    const damaged = folder.file('damaged.db')
    const database = new DatabaseSync(damaged)
    database.exec('CREATE TABLE dragoman (version INTEGER NOT NULL)')
    database.close()
    const bytes = readFileSync(damaged)
    bytes.fill(0xff, 100, 4096)
    writeFileSync(damaged, bytes)
    expect(() => openSqliteStore({ file: damaged })).toThrow(
      `SQLite at ${damaged}: the file is damaged: restore a backup`,
    )
  })

  it('in a folder that does not exist, or is a folder, is refused', () => {
    const file = folder.file('none/x.db')
    expect(() => openSqliteStore({ file })).toThrow(
      `SQLite at ${file}: the folder ${folder.file('none')} does not exist`,
    )
    expect(() => openSqliteStore({ file: folder.path })).toThrow('this is a folder')
  })

  it('that cannot be written is refused', () => {
    // Root can write to every folder except those of the kernel.
    const locked = process.getuid?.() === 0 ? '/proc' : folder.file('locked')
    if (locked !== '/proc') mkdirSync(locked, 0o500)
    expect(() => openSqliteStore({ file: `${locked}/x.db` })).toThrow('check the permissions')
  })
})

describe('a full disk', () => {
  it('does not have to be opened again: what was refused is committed when there is room, in both connections', async () => {
    const store = openSqliteStore({ file: folder.file('room.db'), clock, maxBytes: 400_000 })
    let written = 0
    const groupAt = (from: number, size: number) =>
      batch({ settlements: numbers(from, size).map((number) => settlementOf(number)) })
    const fill = async (size: number): Promise<void> => {
      for (; ; written += size) await store.commit(groupAt(written, size))
    }
    // Large groups are written by the thread, with its own connection.
    await expect(fill(600)).rejects.toThrow('there is no room left on the disk')
    await expect(fill(10)).rejects.toThrow('there is no room left on the disk')
    expect(await store.balances('key_1')).toEqual([{ ...TOTAL, spent: BigInt(written * 7), held: 0n }])
    // Old records are deleted: the file has room again.
    expect(await store.prune({ records: START + 1, hours: 0, audit: 0 }, 1500)).toBe(1500)
    await store.commit(groupAt(written, 600))
    await store.commit(groupAt(written + 600, 40))
    expect(await store.balances('key_1')).toEqual([{ ...TOTAL, spent: BigInt((written + 640) * 7), held: 0n }])
    expect(await store.records('', 100_000)).toHaveLength(written + 640 - 1500)
    await store.close()
  })

  it('refuses commits as a whole, keeps what is settled, and works again when there is room', async () => {
    const file = folder.file('full.db')
    const store = openSqliteStore({ file, clock, maxBytes: 300_000 })
    let written = 0
    const fill = async (): Promise<void> => {
      for (;;) {
        await store.commit(batch({ settlements: numbers(written, 50).map((number) => settlementOf(number)) }))
        written += 50
      }
    }
    await expect(fill()).rejects.toThrow(
      `SQLite at ${file}: there is no room left on the disk, or in the limit maxBytes. Nothing was changed`,
    )
    expect(written).toBeGreaterThan(100)
    expect(await store.balances('key_1')).toEqual([{ ...TOTAL, spent: BigInt(written * 7), held: 0n }])
    expect(await store.records('', 100_000)).toHaveLength(written)
    expect(await store.record(callOf(written).id)).toBeUndefined()
    await store.close()
    const larger = openSqliteStore({ file, clock })
    await larger.commit(batch({ settlements: [settlementOf(written)] }))
    expect(await larger.balances('key_1')).toEqual([{ ...TOTAL, spent: BigInt((written + 1) * 7), held: 0n }])
    await larger.close()
  })
})

function sqlOf(database: DatabaseSync): import('../src/sql.ts').Sql {
  return {
    run: (text, ...values) => database.prepare(text).run(...values).changes !== 0,
    all: (text, ...values) => database.prepare(text).all(...values) as ReturnType<import('../src/sql.ts').Sql['all']>,
    transaction(run) {
      database.exec('BEGIN IMMEDIATE')
      try {
        const result = run()
        database.exec('COMMIT')
        return result
      } catch (error) {
        database.exec('ROLLBACK')
        throw error
      }
    },
  }
}

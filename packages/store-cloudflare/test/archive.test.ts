import { setTimeout as pause } from 'node:timers/promises'
import { batch, callOf, settlementOf, TOTAL } from '@dragoman/testkit/stores'
import { describe, expect, it } from 'vitest'
import { openStore, query } from './open-store.ts'

const settle = (...numbers: readonly number[]) =>
  batch({ ttlMs: 600_000, settlements: numbers.map((number) => settlementOf(number)) })
const idsIn = (records: readonly { readonly id: string }[]): readonly string[] => records.map(({ id }) => id)
const ids = (...numbers: readonly number[]): readonly string[] => numbers.map((number) => callOf(number).id)
const archived = (...numbers: readonly number[]): Promise<unknown[]> => {
  const list = ids(...numbers).map((id) => `'${id}'`)
  return query(`SELECT id, key, model, cost_nanos FROM dragoman_records WHERE id IN (${list.join(', ')})`)
}
const row = { key: 'key_1', model: 'acme/one', cost_nanos: 7 }

describe('an archive in D1', () => {
  it('gets the records by itself, for the SQL of people, and the store still has them', async () => {
    const store = openStore('moved', 'MOVING')
    await store.commit(settle(1, 2))
    const rows = async (): Promise<unknown[]> => archived(1, 2).catch(() => [])
    while ((await rows()).length < 2) await pause(100)
    expect(await rows()).toEqual(ids(1, 2).map((id) => ({ id, ...row })))
    expect(await store.record(callOf(1).id)).toEqual(settlementOf(1).record)
    expect(idsIn(await store.records('', 10))).toEqual(ids(1, 2))
    // The batch is sent again, although the object has no records any more.
    await store.commit(settle(2, 3))
    expect(await store.balances('key_1')).toEqual([{ ...TOTAL, spent: 21n, held: 0n }])
    expect(idsIn(await store.records('', 10))).toEqual(ids(1, 2, 3))
  })

  it('that is down leaves the records in the object, and decides nothing', async () => {
    const down = openStore('flaky', 'FLAKY', { d1: 'down' })
    await down.commit(settle(6))
    expect(await down.record(callOf(6).id)).toEqual(settlementOf(6).record)
    expect(await down.balances('key_1')).toEqual([{ ...TOTAL, spent: 7n, held: 0n }])
    await expect(down.record(callOf(9).id)).rejects.toThrow('D1 is down')
    await expect(down.records('', 10)).rejects.toThrow('D1 is down')
    const up = openStore('flaky', 'FLAKY')
    expect(idsIn(await up.records('', 10))).toEqual(ids(6))
    await expect(down.record(callOf(6).id)).rejects.toThrow('D1 is down')
    expect(await up.record(callOf(6).id)).toEqual(settlementOf(6).record)
  })

  it('whose answer is lost has records that the object has too, and they count once', async () => {
    const deaf = openStore('deaf', 'FLAKY', { d1: 'deaf' })
    await openStore('deaf', 'FLAKY').records('', 1)
    await deaf.commit(settle(4, 5))
    await deaf.balances('key_1')
    expect(await archived(4, 5)).toEqual(ids(4, 5).map((id) => ({ id, ...row })))
    const up = openStore('deaf', 'FLAKY')
    expect(await deaf.record(callOf(4).id)).toEqual(settlementOf(4).record)
    expect(idsIn(await up.records('', 10))).toEqual(ids(4, 5))
    await up.commit(settle(4, 5))
    expect(idsIn(await up.records('', 10))).toEqual(ids(4, 5))
    expect(await up.balances('key_1')).toEqual([{ ...TOTAL, spent: 14n, held: 0n }])
    expect(await up.usage({ from: 0, to: Date.now() * 2, by: [], where: {} })).toMatchObject({
      rows: [{ calls: 2, cost: 14n }],
    })
  })

  it('with tables of a newer version is not touched', async () => {
    await query('CREATE TABLE dragoman_archive (version INTEGER NOT NULL)', 'NEWER_D1')
    await query('INSERT INTO dragoman_archive VALUES (1000)', 'NEWER_D1')
    const store = openStore('newer', 'NEWER_ARCHIVE')
    await store.commit(settle(1))
    expect(await store.record(callOf(1).id)).toEqual(settlementOf(1).record)
    await expect(store.records('', 1)).rejects.toThrow('the tables in D1 have version 1000')
    const tables = await query(`SELECT name FROM sqlite_master WHERE name LIKE 'dragoman%'`, 'NEWER_D1')
    expect(tables).toEqual([{ name: 'dragoman_archive' }])
  })
})

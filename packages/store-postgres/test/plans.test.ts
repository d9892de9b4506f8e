import { auditEntry, batch, callOf, numbers, settlementOf, START, storedKey } from '@dragoman/testkit/stores'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createStore } from '../src/create-store.ts'
import { migrate } from '../src/migrate.ts'
import { useDatabase } from './engine.ts'

const connection = useDatabase('plans')
const pool = new Pool({ ...connection, max: 1 })
afterAll(() => pool.end())
beforeAll(() => migrate(pool, 'dragoman'))

/** Tables that grow with calls. */
const GROWING = /Seq Scan on (records|hours|audit|bodies|open_calls|names|keys)/
/** Reports group and sort a part of the sums. */
const REPORT = 'with summed as'

it('no statement has to sort, or to read a table that grows from its begin to its end', async () => {
  const asked: [string, unknown[]][] = []
  const recording = Object.create(pool, {
    query: {
      value: (text: string, values: unknown[]) => {
        asked.push([text, values])
        return pool.query(text, values)
      },
    },
  }) as Pool // the same, with a note of each statement
  const store = createStore({
    pool: recording,
    schema: 'dragoman',
    clock: undefined,
    counters: undefined,
    onError() {},
  })
  await store.commit(batch({ settlements: numbers(0, 20).map((number) => settlementOf(number)) }))
  const key = storedKey()
  await store.saveKey(key, 0, auditEntry(1))
  await store.findKey(key.digest)
  await store.key(key.id)
  await store.keysSince(0, 10)
  await store.balances('key_1')
  await store.usage({ from: 0, to: START * 2, by: ['hour', 'model'], where: { owner: 'ann' }, limit: 1 })
  await store.usage({ from: 0, to: START * 2, by: ['model'], where: {}, after: ['a'] })
  await store.record(callOf(1).id)
  await store.records('', 10)
  await store.audits(undefined, 10)
  await store.audits(auditEntry(9).id, 10)
  await store.saveBodies({ id: callOf(1).id, key: 'key_1', until: START, request: 'a', answer: 'b' })
  await store.bodies(callOf(1).id)
  await store.prune({ records: START, hours: START, audit: START }, 10)
  // Small tables are read as a whole even if they have an index, unless that is forbidden.
  await pool.query('set enable_seqscan = off')
  await pool.query('set enable_sort = off')
  const bad: unknown[] = []
  for (const [text, values] of asked.filter(
    ([each]) => !each.includes('commit_in_order') && !each.includes('save_key'),
  )) {
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    const isSorted = /\bSort\b/.test(plan) && !text.startsWith(REPORT)
    if (GROWING.test(plan) || isSorted) bad.push([text, plan])
  }
  expect(bad).toEqual([])
  expect(asked.length).toBeGreaterThan(15)
})

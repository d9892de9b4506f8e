import { expect, it } from 'vitest'
import { batch, settlementOf } from '@dragoman/testkit/stores'
import { ARCHIVE_STATEMENTS } from '../src/archive/archive.ts'
import { openStore, query } from './open-store.ts'

it('no statement of the archive sorts, or reads all of its records', async () => {
  // The first use creates the tables.
  const store = openStore('plans', 'FLAKY')
  await store.commit(batch({ ttlMs: 600_000, settlements: [settlementOf(77)] }))
  await store.records('', 1)
  for (const statement of Object.values(ARCHIVE_STATEMENTS)) {
    const plan = await query(`EXPLAIN QUERY PLAN ${statement.replaceAll('?', '1')}`)
    const steps = plan.map((step) => String((step as { detail: unknown }).detail)) // as SQLite names it
    expect(steps.length).toBeGreaterThan(0)
    expect(steps.filter((step) => /\bSCAN |USE TEMP B-TREE/.test(step))).toEqual([])
  }
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryStore } from '@dragoman/accounts'
import { afterAll, expect, it } from 'vitest'
import { measureAdded } from './added.ts'
import { measureBooks } from './books.ts'
import { createGroups } from './calls.ts'
import { measureCall, measureSize } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'dragoman-accounts-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('gives figures for calls and for records, which fit in the bar for size', async () => {
  expect(await measureCall(folder, 100, 1000)).toBeGreaterThan(0)
  const bytes = await measureSize(folder, 20_000)
  expect(bytes).toBeGreaterThan(50)
  expect(bytes).toBeLessThan(200)
})

it('gives figures for calls through the gateway, without and with accounts', async () => {
  const { without, withAccounts } = await measureAdded(folder, 8, 2)
  expect(without).toBeGreaterThan(0)
  expect(withAccounts).toBeGreaterThan(0)
})

it('gives figures for calls beside pruning and reports', async () => {
  const { quiet, busy, pruned, pages } = await measureBooks(folder, 5000, 1, 300)
  for (const { median, p99 } of [quiet, busy]) {
    expect(Number.isFinite(median)).toBe(true)
    expect(p99).toBeGreaterThanOrEqual(median)
  }
  expect(pruned).toBeGreaterThan(0)
  expect(pages).toBeGreaterThan(0)
})

it('measures calls that are all admitted and settled', async () => {
  const store = createMemoryStore()
  const groups = createGroups(0)
  for (const size of [10, 10, 0]) {
    const { verdicts } = await store.commit(groups.next(size))
    expect(verdicts.filter((verdict) => 'granted' in verdict)).toHaveLength(size)
  }
  expect(await store.records('', 100)).toHaveLength(20)
})

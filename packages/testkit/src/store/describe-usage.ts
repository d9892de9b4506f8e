import type { CallRecord, Store, UsageQuery } from '@dragoman/accounts'
import { describe, expect, it } from 'vitest'
import { START, withStore, type StoreSubject } from './subject.ts'
import { allUsage, auditEntry, batch, callRecord, HARD_TEXT, idAt, openCall } from './values.ts'

const HOUR_MS = 3_600_000
const ALL = { from: 0, to: START * 2, by: [], where: {} } satisfies UsageQuery

export function describeRecords(subject: StoreSubject): void {
  describe('records', () => {
    it('come back with all of their members', () =>
      withStore(subject, async (store) => {
        const records = variedRecords()
        await write(store, records)
        for (const record of records) expect(await store.record(record.id)).toEqual(record)
        expect(await store.record(idAt(START, 99))).toBeUndefined()
        for (const id of ['', 'x', HARD_TEXT, 'zz'.repeat(16), 'ab'.repeat(15)]) {
          expect(await store.record(id)).toBeUndefined()
        }
      }))

    it('come page by page in the order of their ids', () =>
      withStore(subject, async (store) => {
        const records = [5, 3, 9, 1, 7].map((number) => callRecord(openCall(number)))
        await write(store, records)
        const [first, third, fifth, seventh, ninth] = records.toSorted((one, other) => (one.id < other.id ? -1 : 1))
        expect(await store.records('', 2)).toEqual([first, third])
        expect(await store.records(third!.id, 2)).toEqual([fifth, seventh])
        expect(await store.records(seventh!.id, 2)).toEqual([ninth])
        expect(await store.records(ninth!.id, 2)).toEqual([])
      }))

    it('are deleted in steps, oldest first, with old sums and audit entries, and spending stays', () =>
      withStore(subject, async (store) => {
        const records = Array.from({ length: 9 }, (_, hour) =>
          callRecord(openCall(hour, { at: START + hour * HOUR_MS })),
        )
        await write(store, records)
        for (const number of [1, 2, 3]) await store.writeAudit(auditEntry(number))
        const balances = await store.balances('key_1')
        const before = { records: START + 5 * HOUR_MS, hours: START + 2.5 * HOUR_MS, audit: auditEntry(3).at }
        expect(await store.prune(before, 3)).toBe(3)
        expect(await store.records('', 10)).toEqual(records.slice(3))
        const steps: number[] = []
        do steps.push(await store.prune(before, 2))
        while (steps.at(-1) !== 0)
        expect(Math.max(...steps)).toBe(2)
        expect(steps.reduce((all, step) => all + step, 3)).toBe(5 + 3 + 2)
        expect(await store.records('', 10)).toEqual(records.slice(5))
        expect(await allUsage(store, ALL)).toMatchObject([{ calls: 6 }])
        expect(await store.audits(undefined, 10)).toEqual([auditEntry(3)])
        expect(await store.balances('key_1')).toEqual(balances)
      }))
  })
}

export function describeUsage(subject: StoreSubject): void {
  describe('usage', () => {
    it('is exact beyond what a number can hold', () =>
      withStore(subject, async (store) => {
        const most = Number.MAX_SAFE_INTEGER
        const tokens = {
          input: most,
          output: most,
          cacheRead: 1,
          cacheWrite5m: most,
          cacheWrite1h: 0,
          reasoning: most - 1,
        }
        const records = [1, 2, 3].map((number) => callRecord(openCall(number), { tokens, cost: most, ms: most }))
        await store.commit(batch({ settlements: records.map((record) => settled(record)) }))
        const three = 3n * BigInt(most)
        expect(await allUsage(store, ALL)).toEqual([
          {
            dimensions: {},
            calls: 3,
            failed: 0,
            estimated: 0,
            tokens: {
              input: three,
              output: three,
              cacheRead: 3n,
              cacheWrite5m: three,
              cacheWrite1h: 0n,
              reasoning: three - 3n,
            },
            cost: three,
            ms: three,
          },
        ])
        expect(await store.balances('key_1')).toEqual([{ period: 'total', start: 0, spent: three, held: 0n }])
        expect((await store.records('', 9)).map(({ cost }) => cost)).toEqual([most, most, most])
      }))

    it('is summed by every dimension, in order', () =>
      withStore(subject, async (store) => {
        await write(store, usedRecords())
        const rowsBy = async (...by: UsageQuery['by']): Promise<readonly unknown[]> =>
          (await allUsage(store, { ...ALL, by })).map(({ dimensions, calls, cost }) => [
            ...by.map((name) => dimensions[name]),
            calls,
            cost,
          ])
        const [first, second] = [10, 14].map((hour) => String(Date.UTC(2026, 10, 18, hour)))
        expect(await rowsBy('hour')).toEqual([
          [first, 3, 111n],
          [second, 1, 1000n],
        ])
        expect(await rowsBy('day')).toEqual([[String(Date.UTC(2026, 10, 18)), 4, 1111n]])
        expect(await rowsBy('key')).toEqual(
          [
            ['key_1', 2, 11n],
            [HARD_TEXT, 2, 1100n],
          ].toSorted(byFirst),
        )
        expect(await rowsBy('owner')).toEqual([
          ['', 1, 1n],
          ['ann', 3, 1110n],
        ])
        expect(await rowsBy('model')).toEqual([
          ['acme/one', 3, 1011n],
          ['other/two', 1, 100n],
        ])
        expect(await rowsBy('provider')).toEqual([
          ['acme', 3, 1011n],
          ['other', 1, 100n],
        ])
        expect(await rowsBy('model', 'hour')).toEqual([
          ['acme/one', first, 2, 11n],
          ['acme/one', second, 1, 1000n],
          ['other/two', first, 1, 100n],
        ])
        expect(await rowsBy()).toEqual([[4, 1111n]])
      }))
  })
}

/** In the order of code points. UTF-16 has the last one, which takes two units, before the one before it. */
const NAMES = ['', 'A', 'B', 'a', 'a b', 'aa', 'é', 'ﬀ', '🔑']

export function describeUsagePages(subject: StoreSubject): void {
  describe('usage pages', () => {
    it.each([1, 2, 3, 7, 1000])('of %i rows are the whole report, in one order', (limit) =>
      withStore(subject, async (store) => {
        const calls = NAMES.flatMap((model, index) => [
          openCall(index, { model, key: `key_${index % 2}` }),
          openCall(index + 100, { model, key: 'key_1', at: START + HOUR_MS }),
          openCall(index + 200, { model, key: 'key_2', at: START + 30 * HOUR_MS }),
        ])
        await store.commit(batch({ settlements: calls.map((call) => settled(callRecord(call))) }))
        const pagesBy = async (...by: UsageQuery['by']): Promise<readonly unknown[]> => {
          const rows = await allUsage(store, { ...ALL, by, limit })
          return rows.map(({ dimensions, calls: count }) => [...by.map((name) => dimensions[name]), count])
        }
        expect(await pagesBy('model')).toEqual(NAMES.map((model) => [model, 3]))
        const days = [18, 19].map((day) => String(Date.UTC(2026, 10, day)))
        expect(await pagesBy('day', 'model')).toEqual(
          days.flatMap((day, index) => NAMES.map((model) => [day, model, index === 0 ? 2 : 1])),
        )
        expect(await pagesBy('model', 'day')).toEqual(
          NAMES.flatMap((model) => days.map((day, index) => [model, day, 2 - index])),
        )
        expect(await pagesBy('key', 'hour')).toHaveLength(4)
        expect(await pagesBy()).toEqual([[3 * NAMES.length]])
      }),
    )

    it('have at most 1,000 rows, whatever is asked for, and name the row to go on after', () =>
      withStore(subject, async (store) => {
        const records = Array.from({ length: 1001 }, (_, index) =>
          callRecord(openCall(index, { model: `m${String(index).padStart(4, '0')}` })),
        )
        for (let from = 0; from < records.length; from += 400)
          await store.commit(batch({ settlements: records.slice(from, from + 400).map((record) => settled(record)) }))
        for (const limit of [undefined, 1000, 1_000_000]) {
          const { rows, next } = await store.usage({ ...ALL, by: ['provider', 'model'], limit })
          expect([rows.length, next]).toEqual([1000, ['acme', 'm0999']])
        }
        const last = await store.usage({ ...ALL, by: ['provider', 'model'], after: ['acme', 'm0999'] })
        expect([last.rows.length, last.rows[0]?.dimensions['model'], last.next]).toEqual([1, 'm1000', undefined])
        const none = await store.usage({ ...ALL, by: ['provider', 'model'], after: ['acme', 'm1000'] })
        expect([none.rows, none.next]).toEqual([[], undefined])
      }))
  })
}

export function describeUsageQueries(subject: StoreSubject): void {
  describe('usage queries', () => {
    it('are limited to hours and to names', () =>
      withStore(subject, async (store) => {
        await write(store, usedRecords())
        const cost = async (query: Partial<UsageQuery>): Promise<bigint | undefined> =>
          (await allUsage(store, { ...ALL, ...query }))[0]?.cost
        expect(await cost({ from: START, to: START + HOUR_MS })).toBe(111n)
        expect(await cost({ from: START + HOUR_MS })).toBe(1000n)
        expect(await cost({ to: START })).toBeUndefined()
        expect(await cost({ where: { key: HARD_TEXT } })).toBe(1100n)
        expect(await cost({ where: { owner: '' } })).toBe(1n)
        expect(await cost({ where: { model: 'acme/one', key: 'key_1' } })).toBe(11n)
        expect(await cost({ where: { provider: 'nobody' } })).toBeUndefined()
      }))

    it('count failed and estimated calls', () =>
      withStore(subject, async (store) => {
        const outcomes = ['complete', 'failed', 'interrupted', 'aborted', 'cut'] as const
        await write(
          store,
          outcomes.map((outcome, index) => callRecord(openCall(index), { outcome, estimated: index > 1 })),
        )
        expect(await allUsage(store, ALL)).toMatchObject([{ calls: 5, failed: 3, estimated: 3 }])
      }))
  })
}

const byFirst = (one: readonly unknown[], other: readonly unknown[]): number =>
  String(one[0]) < String(other[0]) ? -1 : 1

const settled = (record: CallRecord) => ({
  id: record.id,
  key: record.key,
  record,
  budgets: [{ period: 'total', start: 0 } as const],
  limits: {},
  tokens: 0,
})

async function write(store: Store, records: readonly CallRecord[]): Promise<void> {
  for (const record of records) await store.commit(batch({ settlements: [settled(record)] }))
}

function usedRecords(): readonly CallRecord[] {
  return [
    callRecord(openCall(1, { owner: '' }), { cost: 1 }),
    callRecord(openCall(2), { cost: 10 }),
    callRecord(openCall(3, { key: HARD_TEXT, model: 'other/two', provider: 'other' }), { cost: 100 }),
    callRecord(openCall(4, { key: HARD_TEXT, at: START + 4 * HOUR_MS }), { cost: 1000 }),
  ]
}

function variedRecords(): readonly CallRecord[] {
  const texts = { key: HARD_TEXT, owner: HARD_TEXT, asked: HARD_TEXT, model: HARD_TEXT, provider: HARD_TEXT }
  const tokens = { input: 1, output: 2 ** 31, cacheRead: 3, cacheWrite5m: 4, cacheWrite1h: 2 ** 40, reasoning: 6 }
  const items = [
    { name: 'searches', quantity: 1, nanos: 3 },
    { name: 'megapixels', quantity: 1.048_576, nanos: 2 ** 40 },
    { name: 'video-seconds', quantity: 0.1, nanos: 0 },
  ] as const
  const changes = {
    outcome: 'interrupted',
    status: 599,
    attempts: 7,
    tokens,
    cost: 2 ** 50,
    items,
    prices: HARD_TEXT,
  } as const
  return [
    callRecord(
      openCall(1, {
        ...texts,
        conversation: '',
        operation: 'embed',
        protocol: 'genai',
        mode: 'translate',
        stream: false,
      }),
      {
        ...changes,
        estimated: true,
        losses: ['a', HARD_TEXT],
        firstByteMs: 0,
        ms: 0,
      },
    ),
    callRecord(openCall(2, { conversation: 'ffffffffffffffff' }), {
      outcome: 'aborted',
      status: 499,
      firstByteMs: undefined,
      losses: ['b'],
    }),
    callRecord(openCall(3), { outcome: 'failed', status: 0, cost: 0 }),
  ]
}

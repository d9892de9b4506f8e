import { DatabaseSync } from 'node:sqlite'
import { auditEntry, batch, callOf, openingOf, settlementOf, START, storedKey, TOTAL } from '@dragoman/testkit/stores'
import { expect, it } from 'vitest'
import { createSqlStore, migrate, type Row, type Sql, type SqlStore } from '../src/sql.ts'

const EVER = { from: 0, to: START * 2, where: {} } as const
const OLD = { records: START * 2, hours: START * 2, audit: START * 2 }

/**
 * Statements that may read a whole table or sort, because what they read is small: each is named by its beginning, with what bounds it. The
 * tables that grow with calls are records, hours, names, audits and bodies.
 */
const BOUNDED: readonly (readonly [statement: string, bound: string])[] = [
  ['SELECT hour / 24 AS by_day', 'one step of a report'],
  ['SELECT model AS by_model, hour / 24 AS by_day', 'one step of a report'],
  ['SELECT id, name, changes FROM instances WHERE until <= ?', 'the running instances'],
  ['DELETE FROM past_instances WHERE until <= ?', 'the instances of a day'],
  ['SELECT period, start, CAST(sum(spent)', 'the budgets of one key'],
  [
    'SELECT *, lower(hex(id)) AS id_text, lower(hex(conversation)) AS conversation_text FROM records WHERE flags',
    'passes cut records only, and ends at the limit',
  ],
]

it('no statement sorts, or reads a table that grows from its begin to its end', async () => {
  const database = new DatabaseSync(':memory:')
  const texts = new Set<string>()
  const sql = recording(database, texts)
  migrate(sql)
  texts.clear()
  exercise(createSqlStore(sql))
  const plans = [...texts].flatMap((text) => badSteps(database, text).map((step) => [oneLine(text), step] as const))
  const unbounded = plans.filter(([text]) => !BOUNDED.some(([start]) => text.startsWith(start)))
  expect(unbounded).toEqual([])
  // An exception that is not needed any more goes.
  const unused = BOUNDED.filter(([start]) => !plans.some(([text]) => text.startsWith(start)))
  expect(unused).toEqual([])
  expect(texts.size).toBeGreaterThan(40)
  database.close()
})

/** Every method of the store, so that every statement is run. */
function exercise(store: SqlStore): void {
  const limits = { requests: 10, tokens: 1000, concurrent: 10 }
  const opening = { ...openingOf(1), limits, sliceRequests: [{ ...TOTAL, limit: 1000, least: 10, wanted: 20 }] }
  const late = { ...settlementOf(2), limits, tokens: 5 }
  const key = storedKey()
  const bodies = { id: callOf(1).id, key: 'key_1', until: START, request: 'a', answer: 'b' }
  const run: { readonly [Name in keyof SqlStore]: () => unknown } = {
    commit() {
      store.commit(batch({ openings: [opening], slices: [{ ...TOTAL, key: 'key_1', amount: 5 }] }), START)
      store.commit(batch({ openings: [openingOf(2)], settlements: [{ ...settlementOf(1), limits }], ttlMs: 1 }), START)
      store.commit(batch({ instance: 'b', slices: [{ ...TOTAL, key: 'key_1', amount: 0 }] }), START)
      store.commit(batch({ instance: 'b', last: true }), START)
    },
    buryLost() {
      store.buryLost(START + 10, 10)
      // Replaces the cut record.
      store.commit(batch({ number: 2, settlements: [late] }), START + 11)
    },
    saveKey: () => store.saveKey({ ...key, previous: { digest: 'a', until: 1 } }, 0, auditEntry(1)),
    findKey: () => store.findKey(key.digest),
    key: () => store.key(key.id),
    keysSince: () => store.keysSince(0, 10),
    balances: () => store.balances('key_1'),
    usage: () => store.usage({ ...EVER, by: ['day', 'model'], where: { owner: 'ann' } }),
    isLargeReport: () => store.isLargeReport({ ...EVER, by: [] }),
    usageStep: () => [
      store.usageStep({ ...EVER, by: ['hour'] }, [1, 1, 1, 1, 1], [String(START)]),
      store.usageStep({ ...EVER, by: ['model', 'day'], after: ['a', '0'] }, undefined, ['z', '0']),
    ],
    record: () => store.record(callOf(1).id),
    records: () => store.records('', 10),
    finalRecords: () => store.finalRecords(10),
    removeRecords: () => store.removeRecords([callOf(99).id], () => {}),
    writeAudit: () => store.writeAudit(auditEntry(2)),
    audits: () => [store.audits(undefined, 10), store.audits(auditEntry(9).id, 10)],
    saveBodies: () => store.saveBodies(bodies),
    bodies: () => store.bodies(bodies.id),
    hasOld: () => store.hasOld({ records: 0, hours: 0, audit: 0 }, 0),
    prune: () => store.prune(OLD, 100, START * 2),
  }
  for (const method of Object.values(run)) method()
}

function recording(database: DatabaseSync, texts: Set<string>): Sql {
  return {
    run(text, ...values) {
      texts.add(text)
      return database.prepare(text).run(...values).changes !== 0
    },
    all(text, ...values) {
      texts.add(text)
      return database.prepare(text).all(...values) as readonly Row[] // without big integers
    },
    transaction: (run) => run(),
  }
}

/** What is read in the order of the primary key up to a limit, without a condition, ends there. */
const FIRST_ROWS = /FROM \w+ ORDER BY id( DESC)? LIMIT/

function badSteps(database: DatabaseSync, text: string): readonly string[] {
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all()
  const steps = plan.map(({ detail }) => String(detail))
  const sorting = steps.filter((step) => step.includes('USE TEMP B-TREE'))
  // What a subquery gives is what its own steps have read, and these are in the plan too.
  const scanning = steps.filter((step) => /\bSCAN (?!CONSTANT|\()/.test(step))
  return sorting.length === 0 && FIRST_ROWS.test(text) ? [] : [...sorting, ...scanning]
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

import { DatabaseSync } from 'node:sqlite'
import { batch, callOf, numbers, openingOf, settlementOf, START, TOTAL } from '@dragoman/testkit/stores'
import { expect, it } from 'vitest'
import { createThreadMethods, type ThreadMethods } from '../src/node/thread-methods.ts'
import { createSqlStore, migrate, type Row, type Sql } from '../src/sql.ts'
import { MIGRATIONS } from '../src/sql/schema.ts'
import { createFolder } from './folder.ts'

const folder = createFolder()
const LATER = START + 100_000

function connect(file: string): ThreadMethods {
  return createThreadMethods({ file, synchronous: 'normal', maxBytes: undefined })
}

function spentIn(store: ThreadMethods): bigint | undefined {
  return store.balances('key_1').find(({ period }) => period === TOTAL.period)?.spent
}

function rowsIn(file: string): number {
  const database = new DatabaseSync(file)
  const [row] = database.prepare('SELECT count(*) AS rows FROM open_lists').all()
  database.close()
  return Number(row?.['rows'])
}

it('many calls share a row, and none is left when they are over', () => {
  const file = folder.file('rows.db')
  const store = connect(file)
  store.commit(batch({ openings: numbers(0, 100).map(openingOf) }), START)
  expect(rowsIn(file)).toBeLessThan(10)
  const half = numbers(0, 50).map((number) => settlementOf(number * 2))
  store.commit(batch({ number: 2, settlements: half, openings: numbers(100, 50).map(openingOf) }), START)
  expect(rowsIn(file)).toBeLessThan(10)
  const others = [...numbers(0, 50).map((number) => number * 2 + 1), ...numbers(100, 50)]
  store.commit(batch({ number: 3, settlements: others.map((number) => settlementOf(number)) }), START)
  expect(rowsIn(file)).toBe(0)
  expect(store.buryLost(LATER, 1000)).toEqual({ closed: 0, isDone: true })
  expect(spentIn(store)).toBe(150n * 7n)
  store.close()
})

it('an instance that uses two connections in turn has one set of open calls', () => {
  const file = folder.file('turns.db')
  const [one, other] = [connect(file), connect(file)]
  one.commit(batch({ number: 1, openings: numbers(0, 30).map(openingOf) }), START)
  other.commit(batch({ number: 2, settlements: [settlementOf(3)], openings: [openingOf(40)] }), START)
  one.commit(batch({ number: 3, settlements: [settlementOf(40), settlementOf(4)], openings: [openingOf(41)] }), START)
  other.commit(batch({ number: 4, settlements: [settlementOf(41), settlementOf(5)] }), START)
  // 27 of the first thirty are still open, and cost their estimates.
  expect(one.buryLost(LATER, 1000)).toEqual({ closed: 27, isDone: true })
  expect(spentIn(other)).toBe(27n * 5n + 5n * 7n)
  one.close()
  other.close()
})

it('calls that another connection has closed in part do not come back when their instance does', () => {
  const file = folder.file('part.db')
  const [one, other] = [connect(file), connect(file)]
  one.commit(batch({ openings: numbers(0, 30).map(openingOf) }), START)
  expect(other.buryLost(LATER, 10)).toEqual({ closed: 10, isDone: false })
  // The instance was only slow. It settles one call that is closed and one that is open, and opens another one.
  const settlements = [settlementOf(0), settlementOf(29)]
  expect(one.commit(batch({ number: 2, settlements, openings: [openingOf(50)] }), LATER)).toMatchObject({
    isNew: false,
  })
  expect(other.buryLost(LATER + 100_000, 1000)).toEqual({ closed: 20, isDone: true })
  expect(spentIn(one)).toBe(2n * 7n + 29n * 5n)
  expect(rowsIn(file)).toBe(0)
  one.close()
  other.close()
})

it('calls of a batch that was undone are not open', () => {
  const file = folder.file('undone.db')
  const store = connect(file)
  store.commit(batch({ openings: [openingOf(1)] }), START)
  const { record, ...rest } = settlementOf(1)
  const wrong = { ...rest, record: { ...record!, cost: 0.5 } }
  const openings = [openingOf(2), openingOf(3)]
  expect(() => store.commit(batch({ number: 2, settlements: [wrong], openings }), START)).toThrow(/cannot store REAL/)
  store.commit(batch({ number: 3, openings: [openingOf(3)] }), START)
  expect(store.buryLost(LATER, 1000)).toEqual({ closed: 2, isDone: true })
  expect(store.record(callOf(2).id)).toBeUndefined()
  expect(spentIn(store)).toBe(10n)
  store.close()
})

it('calls that an earlier version has opened are open', () => {
  const file = folder.file('earlier.db')
  const database = new DatabaseSync(file)
  database.exec('CREATE TABLE dragoman (version INTEGER NOT NULL, checkpoints INTEGER NOT NULL) STRICT')
  database.exec('INSERT INTO dragoman VALUES (2, 0)')
  for (const statement of MIGRATIONS.slice(0, 2).flat()) database.exec(statement)
  // As that version wrote them: time, numbers of names, conversation, flags, estimate, budgets.
  const names = ['key_1', 'ann', 'generate', 'smart', 'acme/one', 'acme', 'chat']
  names.forEach((name, index) => database.prepare('INSERT INTO names VALUES (?, ?)').run(index + 1, name))
  database.exec(`INSERT INTO instances VALUES (4, 'a', ${START}, 9), (5, 'b', ${START}, 2)`)
  const insert = database.prepare(`INSERT INTO open_calls VALUES (?, unhex(?), ?)`)
  const call = JSON.stringify([START, [1, 2, 3, 4, 5, 6, 7], '00ff00ff00ff00ff', 2, 5, [3, 0]])
  for (const [instance, number] of [
    [4, 1],
    [4, 2],
    [5, 3],
  ] as const)
    insert.run(instance, callOf(number).id, call)
  database.exec(`INSERT INTO meters VALUES (1, 0, 0, 0, 3)`)
  database.close()
  const store = connect(file)
  store.commit(batch({ number: 10, settlements: [settlementOf(1)] }), START)
  expect(store.buryLost(LATER, 1000)).toEqual({ closed: 2, isDone: true })
  const { estimate: cost, ...known } = callOf(2)
  expect(store.record(callOf(2).id)).toMatchObject({ ...known, cost, outcome: 'cut' })
  expect(store.record(callOf(3).id)).toMatchObject({ id: callOf(3).id, cost, outcome: 'cut' })
  expect(store.record(callOf(1).id)).toEqual(settlementOf(1).record)
  store.close()
})

it('a store that could not begin, because another one was writing, reads nothing again', () => {
  const database = new DatabaseSync(':memory:')
  const read: string[] = []
  let isBusy = false
  const sql: Sql = {
    run: (text, ...values) => database.prepare(text).run(...values).changes !== 0,
    all(text, ...values) {
      read.push(text)
      return database.prepare(text).all(...values) as readonly Row[] // without big integers
    },
    transaction(run) {
      if (isBusy) throw new Error('database is locked')
      return run()
    },
  }
  migrate(sql)
  const store = createSqlStore(sql)
  store.commit(batch({ openings: [openingOf(1)] }), START)
  read.length = 0
  isBusy = true
  const next = batch({ number: 2, settlements: [settlementOf(1)], openings: [openingOf(2)] })
  expect(() => store.commit(next, START)).toThrow('locked')
  isBusy = false
  store.commit(next, START)
  expect(read.filter((text) => /open_lists|instances/.test(text))).toEqual([])
  expect(store.buryLost(LATER, 10)).toEqual({ closed: 1, isDone: true })
  database.close()
})

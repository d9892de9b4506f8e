import { lateBatch, type Batch } from '@dragoman/accounts/store'
import type { Names } from './names.ts'
import { readOpenCalls, type OpenCalls } from './open-calls.ts'
import { numberIn, textIn, type Row, type Sql } from './sql.ts'

/** The instances that send batches. */
export interface Instances {
  /** Notes that an instance is alive. Throws if it has sent a later batch. */
  enter(batch: Batch, now: number): Entered
  /** Those that have not sent a batch in time. Each is read when it is asked for. */
  lost(now: number): Iterable<Instance>
  /** Nothing more will come from an instance, or it is lost. */
  forget(instance: number, now: number): void
  /** Forgets what it remembers: the transaction that has changed it was undone. */
  reset(): void
}

export interface Instance {
  readonly id: number
  readonly calls: OpenCalls
}

export interface Entered extends Instance {
  /** Whether the instance was not known before. */
  readonly isNew: boolean
}

/** What is remembered of an instance. It holds as long as the row of the instance has this number of changes. */
interface Known extends Entered {
  changes: number
}

/** How long the numbers of forgotten instances are kept. No platform holds a batch back for longer. */
const PAST_MS = 86_400_000
/** A Durable Object has an instance for each isolate; a file of one process has one. */
const MOST_KNOWN = 100

export function createInstances(sql: Sql, names: Names): Instances {
  /** By name. The row of one may be gone by now, so its name is part of the condition. */
  const known = new Map<string, Known>()
  const remember = (name: string, row: Row): Known => {
    const [id, changes] = [numberIn(row, 'id'), numberIn(row, 'changes')]
    if (known.size >= MOST_KNOWN) known.clear()
    const instance = { id, changes, isNew: false, calls: readOpenCalls(sql, names, id) }
    known.set(name, instance)
    return instance
  }
  const find = (batch: Batch): Known | undefined => {
    const { instance: name, number } = batch
    const [row] = sql.all(`SELECT id, number, changes FROM instances WHERE name = ?`, name)
    if (row === undefined) return undefined
    if (numberIn(row, 'number') > number) throw lateBatch(batch)
    return remember(name, row)
  }
  const stay = (instance: Known, { instance: name, number }: Batch, until: number): boolean => {
    // Not with RETURNING, for which SQLite creates a table in memory each time.
    if (!sql.run(STAY, until, number, instance.id, instance.changes, name, number)) return false
    instance.changes++
    return true
  }
  return {
    enter(batch, now) {
      const { instance: name, ttlMs } = batch
      // Calls that the last batch leaves open are closed like those of a lost instance.
      const until = batch.last === true ? now : now + ttlMs
      const before = known.get(name)
      if (before !== undefined && stay(before, batch, until)) return before
      const found = find(batch)
      if (found === undefined) return { ...remember(name, add(sql, batch, until)), isNew: true }
      stay(found, batch, until)
      return found
    },
    *lost(now) {
      for (const row of sql.all(`SELECT id, name, changes FROM instances WHERE until <= ?`, now)) {
        yield changed(row)
      }
    },
    forget(instance, now) {
      sql.run(`DELETE FROM past_instances WHERE until <= ?`, now)
      sql.run(
        `INSERT OR REPLACE INTO past_instances SELECT name, number, ? FROM instances WHERE id = ?`,
        now + PAST_MS,
        instance,
      )
      sql.run(`DELETE FROM slices WHERE instance = ?`, instance)
      sql.run(`DELETE FROM instances WHERE id = ?`, instance)
      for (const [name, { id }] of known) if (id === instance) known.delete(name)
    },
    reset: () => known.clear(),
  }

  /** Some of its calls are about to be closed: other connections must not rely on what they remember. */
  function changed(row: Row): Instance {
    const [name, id, changes] = [textIn(row, 'name'), numberIn(row, 'id'), numberIn(row, 'changes')]
    const before = known.get(name)
    const instance = before?.id === id && before.changes === changes ? before : remember(name, row)
    sql.run(`UPDATE instances SET changes = changes + 1 WHERE id = ?`, id)
    instance.changes++
    return instance
  }
}

const STAY = `UPDATE instances SET until = ?, number = ?, changes = changes + 1
  WHERE id = ? AND changes = ? AND name = ? AND number <= ?`

/** A row that was deleted and added again must not be taken for the one before, so the number of changes begins anywhere. */
function add(sql: Sql, batch: Batch, until: number): Row {
  const { instance: name, number } = batch
  const later = `SELECT 1 FROM past_instances WHERE name = ? AND number > ?`
  if (sql.all(later, name, number).length > 0) throw lateBatch(batch)
  const [added] = sql.all(
    `INSERT INTO instances (name, until, number, changes) VALUES (?, ?, ?, abs(random() % ${2 ** 52})) RETURNING id, changes`,
    name,
    until,
    number,
  )
  if (added === undefined) throw new Error('An instance was not stored')
  return added
}

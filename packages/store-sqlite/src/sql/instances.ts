import { lateBatch, type Batch } from '@dragoman/accounts/store'
import { numberIn, type Sql } from './sql.ts'

/** The instances that send batches. */
export interface Instances {
  /** Notes that an instance is alive. Throws if it has sent a later batch. */
  enter(batch: Batch, now: number): Entered
  /** Nothing more will come from an instance, or it is lost. */
  forget(instance: number, now: number): void
}

export interface Entered {
  readonly instance: number
  /** Whether the instance was not known before. */
  readonly isNew: boolean
}

/** How long the numbers of forgotten instances are kept. No platform holds a batch back for longer. */
const PAST_MS = 86_400_000

export function createInstances(sql: Sql): Instances {
  /** Most batches of a store come from one instance. Its row may be gone by now, so its name is part of the condition. */
  let last: { readonly name: string; readonly id: number } | undefined
  const find = (batch: Batch): Entered | undefined => {
    const { instance: name, number } = batch
    const [known] = sql.all(`SELECT id, number FROM instances WHERE name = ?`, name)
    if (known === undefined) return undefined
    if (numberIn(known, 'number') > number) throw lateBatch(batch)
    return { instance: numberIn(known, 'id'), isNew: false }
  }
  return {
    enter(batch, now) {
      const { instance: name, number, ttlMs } = batch
      // Calls that the last batch leaves open are closed like those of a lost instance.
      const until = batch.last === true ? now : now + ttlMs
      // Not with RETURNING, for which SQLite creates a table in memory each time.
      if (last?.name === name && sql.run(STAY, until, number, last.id, name, number)) {
        return { instance: last.id, isNew: false }
      }
      const known = find(batch)
      const entered = known ?? { instance: add(sql, batch, until), isNew: true }
      if (known !== undefined) sql.run(STAY, until, number, known.instance, name, number)
      last = { name, id: entered.instance }
      return entered
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
    },
  }
}

const STAY = `UPDATE instances SET until = ?, number = ? WHERE id = ? AND name = ? AND number <= ?`

function add(sql: Sql, batch: Batch, until: number): number {
  const { instance: name, number } = batch
  const later = `SELECT 1 FROM past_instances WHERE name = ? AND number > ?`
  if (sql.all(later, name, number).length > 0) throw lateBatch(batch)
  const [added] = sql.all(
    `INSERT INTO instances (name, until, number) VALUES (?, ?, ?) RETURNING id`,
    name,
    until,
    number,
  )
  if (added === undefined) throw new Error('An instance was not stored')
  return numberIn(added, 'id')
}

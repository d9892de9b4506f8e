import { DatabaseSync } from 'node:sqlite'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Rows that one statement adds. */
const STEP = 50_000

export interface Filling {
  /** Copies of the record that is there, each older than the one before it: all of them older than the days that records are kept. */
  readonly records: number
  /** Rows of sums, each of a model of its own. */
  readonly sums: number
}

/** Adds rows to the database of a server that does not run, as that server would have written them: copies of its own. */
export function fillRecords(file: string, { records, sums }: Filling, now: number): void {
  const database = new DatabaseSync(file)
  try {
    const columns = namesOf(database, 'records', 'id')
    // An id begins with its time, in milliseconds.
    const oldest = now - 40 * DAY_MS
    for (let from = 0; from < records; from += STEP)
      database
        .prepare(
          `WITH RECURSIVE n(i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)
           INSERT INTO records (id, ${columns})
           SELECT unhex(printf('%012x%020x', ? + i, i)), ${columns} FROM n, (SELECT ${columns} FROM records LIMIT 1)`,
        )
        .run(from, Math.min(records, from + STEP), oldest)
    const others = namesOf(database, 'hours', 'hour', 'model')
    const hour = Math.floor(now / HOUR_MS)
    for (let from = 0; from < sums; from += STEP) {
      const to = Math.min(sums, from + STEP)
      const range = 'WITH RECURSIVE n(i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)'
      database.prepare(`${range} INSERT INTO names (name) SELECT 'house/m-filled-' || i FROM n`).run(from, to)
      database
        .prepare(
          `INSERT INTO hours (hour, model, ${others})
           SELECT ? - (names.id % 200), names.id, ${others} FROM names, (SELECT ${others} FROM hours LIMIT 1)
           WHERE names.name LIKE 'house/m-filled-%' AND names.id NOT IN (SELECT model FROM hours)`,
        )
        .run(hour)
    }
  } finally {
    database.close()
  }
}

/** The columns of a table but for those that differ, quoted and separated by commas. */
function namesOf(database: DatabaseSync, table: string, ...without: readonly string[]): string {
  return database
    .prepare(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !without.includes(name))
    .map((name) => `"${name}"`)
    .join(', ')
}

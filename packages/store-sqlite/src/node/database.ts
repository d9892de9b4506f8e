import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { migrate } from '../sql/migrate.ts'
import type { Row, Sql } from '../sql/sql.ts'
import { explain } from './errors.ts'

export interface DatabaseOptions {
  readonly file: string
  /** `full` survives a power failure, `normal` only the end of the process. */
  readonly synchronous: 'normal' | 'full'
  readonly maxBytes: number | undefined
}

/** One connection to the file. */
export interface Database {
  readonly sql: Sql
  /** Runs a statement that is not portable. */
  pragma(this: void, statement: string): readonly Row[]
  close(this: void): void
}

const PAGE_BYTES = 4096
/** Another process that starts or migrates is waited for. */
const START_WAIT_MS = 10_000

/** Opens the file, creates or migrates it. `waitMs` is how long its statements wait for other writers. */
export function openDatabase(options: DatabaseOptions, waitMs: number): Database {
  const { file, synchronous, maxBytes } = options
  try {
    mustBeUsable(file)
    const database = new DatabaseSync(file, { timeout: START_WAIT_MS })
    try {
      database.exec(
        `PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -8000`,
      )
      if (maxBytes !== undefined)
        database.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(maxBytes / PAGE_BYTES))}`)
      const sql = createSql(database)
      migrate(sql)
      database.exec(`PRAGMA busy_timeout = ${waitMs}`)
      return {
        sql,
        pragma: (statement) => database.prepare(statement).all() as readonly Row[], // without big integers
        close: () => database.close(),
      }
    } catch (error) {
      database.close()
      throw error
    }
  } catch (error) {
    throw explain(`SQLite at ${file}`, error)
  }
}

/** A connection that can only read, to a file that another connection has opened and migrated. */
export function openReader({ file }: DatabaseOptions, waitMs: number): Pick<Database, 'sql' | 'close'> {
  const database = new DatabaseSync(file, { readOnly: true, timeout: waitMs })
  database.exec('PRAGMA cache_size = -8000')
  return { sql: createSql(database), close: () => database.close() }
}

/**
 * Finds the reason, because SQLite has one message for all of them. Only its owner can read a new file, because it shows who uses which
 * models.
 */
function mustBeUsable(file: string): void {
  const folder = dirname(resolve(file))
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new Error(`the folder ${folder} does not exist`)
  }
  const found = statSync(file, { throwIfNoEntry: false })
  if (found?.isDirectory() === true) throw new Error('this is a folder')
  try {
    if (found === undefined) closeSync(openSync(file, 'a', 0o600))
    // The log beside the file is created and deleted.
    accessSync(folder, constants.W_OK)
    accessSync(file, constants.R_OK | constants.W_OK)
  } catch (cause) {
    throw new Error('the file or its folder cannot be written: check the permissions', { cause })
  }
}

function createSql(database: DatabaseSync): Sql {
  const statements = new Map<string, StatementSync>()
  const prepare = (text: string): StatementSync => {
    const known = statements.get(text)
    if (known !== undefined) return known
    const statement = database.prepare(text)
    statements.set(text, statement)
    return statement
  }
  return {
    run: (text, ...values) => prepare(text).run(...values).changes !== 0,
    all: (text, ...values) => prepare(text).all(...values) as readonly Row[], // without big integers
    transaction(run) {
      prepare('BEGIN IMMEDIATE').run()
      try {
        const result = run()
        prepare('COMMIT').run()
        return result
      } catch (error) {
        // SQLite has undone some transactions by itself, for example on a full disk.
        if (database.isTransaction) database.exec('ROLLBACK')
        throw error
      }
    },
  }
}

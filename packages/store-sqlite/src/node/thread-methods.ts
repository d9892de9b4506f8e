import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { createSqlStore, type SqlStore } from '../sql/sql-store.ts'
import { numberIn } from '../sql/sql.ts'
import { openDatabase, type DatabaseOptions } from './database.ts'

/** What a thread does with a connection of its own: everything that may wait for the disk. */
export interface ThreadMethods extends SqlStore {
  /** Moves what is in the log to the file. Returns the pages in the log. */
  checkpoint(): number
  backup(file: string): void
  close(): void
}

/** In its own thread, a connection can wait for others. */
const WAIT_MS = 5000
/** Above this, the log begins anew: 16 MB. */
const MOST_PAGES = 4096
/** Writers wait while the log begins anew, so that is given up soon if there are readers of the log. */
const RESTART_WAIT_MS = 50

export function createThreadMethods(options: DatabaseOptions): ThreadMethods {
  const { sql, pragma, close } = openDatabase(options, WAIT_MS)
  return {
    ...createSqlStore(sql),
    checkpoint() {
      const [state] = pragma('PRAGMA wal_checkpoint(PASSIVE)')
      const pages = state === undefined ? 0 : numberIn(state, 'log')
      if (pages <= MOST_PAGES) return pages
      pragma(`PRAGMA busy_timeout = ${RESTART_WAIT_MS}`)
      const [restarted] = pragma('PRAGMA wal_checkpoint(RESTART)')
      pragma(`PRAGMA busy_timeout = ${WAIT_MS}`)
      // The first to write in a new log waits for the disk, which should not be the event loop.
      if (restarted !== undefined && numberIn(restarted, 'busy') === 0) {
        sql.transaction(() => sql.run(`UPDATE dragoman SET checkpoints = checkpoints + 1`))
      }
      return pages
    },
    backup(file) {
      if (existsSync(file)) throw new Error(`the backup ${file} exists already`)
      const part = `${file}.part`
      rmSync(part, { force: true })
      // SQLite would create it for everybody to read.
      closeSync(openSync(part, 'wx', 0o600))
      // A snapshot: calls go on being written to the log meanwhile.
      sql.run(`VACUUM INTO ?`, part)
      const descriptor = openSync(part, 'r+')
      fsyncSync(descriptor)
      closeSync(descriptor)
      renameSync(part, file)
    },
    close,
  }
}

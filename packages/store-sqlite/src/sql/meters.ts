import { EMPTY_BUCKET, type Bucket } from '@dragoman/accounts/store'
import { numberIn, type Sql } from './sql.ts'

/** What is counted for one key: its bucket, and its open calls. */
export interface Meter {
  bucket: Bucket
  readonly open: number
}

/** The meters that a transaction uses: written once, and read at most once. */
export interface Meters {
  /** Reads the meter of a key. */
  of(key: number): Meter
  /** Counts a call that is opened or closed. Does not read the meter: keys without limits need no more than this. */
  count(key: number, change: 1 | -1): void
  flush(): void
}

interface Entry {
  bucket: Bucket
  /** Only the change if the meter was not read. */
  open: number
  /** The change of the number of open calls, in this transaction. */
  change: number
  /** The meter as it was read; undefined if it was not read. */
  before: Bucket | undefined
}

export function createMeters(sql: Sql): Meters {
  const used = new Map<number, Entry>()
  const entryOf = (key: number): Entry => {
    const known = used.get(key)
    if (known !== undefined) return known
    const entry = { bucket: EMPTY_BUCKET, open: 0, change: 0, before: undefined }
    used.set(key, entry)
    return entry
  }
  return {
    of(key) {
      const entry = entryOf(key)
      if (entry.before === undefined) read(sql, key, entry)
      return entry
    },
    count(key, change) {
      const entry = entryOf(key)
      entry.open += change
      entry.change += change
    },
    flush() {
      for (const [key, { bucket, open, change, before }] of used) {
        if (change === 0 && (before === undefined || bucket === before)) continue
        if (before === undefined) sql.run(COUNT, key, change)
        else sql.run(REPLACE, key, bucket.requests, bucket.tokens, bucket.at, open)
      }
      used.clear()
    },
  }
}

const COUNT = `INSERT INTO meters VALUES (?, 0, 0, 0, ?) ON CONFLICT (key) DO UPDATE SET open = open + excluded.open`
const REPLACE = `INSERT OR REPLACE INTO meters VALUES (?, ?, ?, ?, ?)`

function read(sql: Sql, key: number, entry: Entry): void {
  const [row] = sql.all(`SELECT requests, tokens, at, open FROM meters WHERE key = ?`, key)
  if (row !== undefined) {
    entry.bucket = { requests: numberIn(row, 'requests'), tokens: numberIn(row, 'tokens'), at: numberIn(row, 'at') }
    entry.open += numberIn(row, 'open')
  }
  entry.before = entry.bucket
}

import { EMPTY_BUCKET, type Bucket } from '@dragoman/accounts/store'
import { numberIn, type Sql } from './sql.ts'

/** What is counted for one key: its bucket, and its open calls. */
export interface Meter {
  bucket: Bucket
  open: number
}

/** The meters that a transaction uses: read once, and written once. */
export interface Meters {
  of(key: number): Meter
  flush(): void
}

export function createMeters(sql: Sql): Meters {
  const used = new Map<number, { readonly meter: Meter; readonly before: Meter }>()
  const read = (key: number): Meter => {
    const [row] = sql.all(`SELECT requests, tokens, at, open FROM meters WHERE key = ?`, key)
    if (row === undefined) return { bucket: EMPTY_BUCKET, open: 0 }
    const bucket = { requests: numberIn(row, 'requests'), tokens: numberIn(row, 'tokens'), at: numberIn(row, 'at') }
    return { bucket, open: numberIn(row, 'open') }
  }
  return {
    of(key) {
      const known = used.get(key)
      if (known !== undefined) return known.meter
      const meter = read(key)
      used.set(key, { meter, before: { ...meter } })
      return meter
    },
    flush() {
      for (const [key, { meter, before }] of used) {
        const { bucket, open } = meter
        if (bucket === before.bucket && open === before.open) continue
        sql.run(
          `INSERT OR REPLACE INTO meters VALUES (?, ?, ?, ?, ?)`,
          key,
          bucket.requests,
          bucket.tokens,
          bucket.at,
          open,
        )
      }
      used.clear()
    },
  }
}

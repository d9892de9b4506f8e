import type { KeyStore, StoredKey } from '@dragoman/accounts/store'
import type { All, First } from './statements.ts'

interface KeyRow {
  readonly body: Omit<StoredKey, 'revision'>
  readonly revision: string
}

export function createKeys(schema: string, all: All, first: First): KeyStore {
  const select = `select body, revision from ${schema}.keys`
  return {
    async findKey(digest) {
      const row = await first<KeyRow>(`${select} where digest = $1 or previous = $1`, [digest])
      return row === undefined ? undefined : readKey(row)
    },
    async key(id) {
      const row = await first<KeyRow>(`${select} where id = $1`, [id])
      return row === undefined ? undefined : readKey(row)
    },
    async keysSince(revision, limit) {
      const rows = await all<KeyRow>(`${select} where revision > $1 order by revision limit $2`, [revision, limit])
      return rows.map(readKey)
    },
    async saveKey(key, before, audit) {
      const row = await first<{ revision: string | null }>(`select ${schema}.save_key($1, $2, $3) as revision`, [
        JSON.stringify(key),
        before,
        JSON.stringify(audit),
      ])
      return row?.revision == null ? undefined : { ...key, revision: Number(row.revision) }
    },
  }
}

function readKey({ body, revision }: KeyRow): StoredKey {
  return { ...body, revision: Number(revision) }
}

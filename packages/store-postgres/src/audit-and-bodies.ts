import type { AuditEntry, AuditStore, BodyStore, StoredBodies } from '@dragoman/accounts/store'
import { isId } from './ids.ts'
import type { All, First } from './statements.ts'

/** The audit log and stored bodies. */
export function createAuditAndBodies(schema: string, all: All, first: First): AuditStore & BodyStore {
  return {
    async writeAudit(entry) {
      const { id, at } = entry
      await all(`insert into ${schema}.audit values ($1, $2, $3)`, [id, at, JSON.stringify(entry)])
    },
    async audits(before, limit) {
      const [condition, values] = before === undefined ? ['', [limit]] : ['where id < $2', [limit, before]]
      const text = `select body from ${schema}.audit ${condition} order by id desc limit $1`
      return (await all<{ body: AuditEntry }>(text, values)).map(({ body }) => body)
    },
    async saveBodies({ id, key, until, request, answer }) {
      await all(
        `insert into ${schema}.bodies values ($1, $2, $3, $4, $5) on conflict (id) do update
         set key = excluded.key, until = excluded.until, request = excluded.request, answer = excluded.answer`,
        [id, key, until, request, answer],
      )
    },
    async bodies(id) {
      if (!isId(id)) return undefined
      const text = `select key, until, request, answer from ${schema}.bodies where id = $1`
      const row = await first<Omit<StoredBodies, 'id' | 'until'> & { until: string }>(text, [id])
      return row === undefined ? undefined : { ...row, id, until: Number(row.until) }
    },
  }
}

import type { UsageStore } from '../store/store.ts'
import { MOST_USAGE_ROWS } from '../store/usage-fold.ts'
import { areValues } from '../store/usage-order.ts'
import { DIMENSIONS, type Dimension, type UsageQuery } from '../store/usage-query.ts'
import { AdminError, wrongParameter } from './admin-error.ts'
import { csvLinesOf, csvOf } from './csv.ts'
import type { AdminAnswer, AdminRoute } from './route.ts'
import { showAll } from './show-all.ts'
import { showAudit, showRecord, showUsage } from './show.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const LARGEST_PAGE = MOST_USAGE_ROWS
const FILTERS = ['key', 'owner', 'model', 'provider'] as const

export const USAGE_ROUTES: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/usage',
    policy: 'admin',
    action: 'usage.read',
    async run({ store, clock, query }) {
      const asked = usageQuery(query, clock.now())
      if (formatOf(query, ['json', 'csv']) === 'csv') return csvAnswer(store, asked)
      const { rows, next } = await store.usage(asked)
      const [from, to] = [asked.from, asked.to].map((time) => new Date(time).toISOString())
      const cursor = next === undefined ? null : JSON.stringify(next)
      return { status: 200, body: { from, to, by: asked.by, rows: await showAll(rows, showUsage), next: cursor } }
    },
  },
  {
    method: 'GET',
    path: '/records',
    policy: 'admin',
    action: 'records.export',
    async run({ store, query }) {
      const after = idOf(query.get('after') ?? '0'.repeat(32))
      const records = await showAll(await store.records(after, limitOf(query)), showRecord)
      if (formatOf(query, ['json', 'jsonl']) === 'json') return { status: 200, body: { records } }
      const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('')
      return { status: 200, body: lines, type: 'application/x-ndjson' }
    },
  },
  {
    method: 'GET',
    path: '/records/{id}',
    policy: 'admin',
    action: 'records.read',
    async run({ store, id }) {
      const record = await store.record(idOf(id))
      if (record === undefined) throw unknownRecord()
      return { status: 200, body: { record: showRecord(record) } }
    },
  },
  {
    method: 'GET',
    path: '/records/{id}/bodies',
    policy: 'admin',
    action: 'bodies.read',
    async run({ store, id }) {
      const bodies = await store.bodies(idOf(id))
      if (bodies === undefined) throw new AdminError(404, 'no_bodies', 'The bodies of this call are not stored.')
      return { status: 200, body: { id: `req_${bodies.id}`, request: bodies.request, answer: bodies.answer } }
    },
  },
  {
    method: 'GET',
    path: '/audit',
    policy: 'admin',
    action: 'audit.read',
    async run({ store, query }) {
      const before = query.get('before')
      const entries = await store.audits(before === null ? undefined : idOf(before), limitOf(query))
      return { status: 200, body: { entries: entries.map(showAudit) } }
    },
  },
]

/** What a query string asks for: by default the last 30 days by day. */
export function usageQuery(query: URLSearchParams, now: number): UsageQuery {
  const to = timeOf(query, 'to') ?? Math.floor(now / HOUR_MS) * HOUR_MS + HOUR_MS
  const from = timeOf(query, 'from') ?? Math.floor(to / DAY_MS) * DAY_MS - 30 * DAY_MS
  if (from >= to) throw wrongParameter('from', 'must be before "to"')
  const where = Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? undefined]))
  const by = dimensionsOf(query.get('by') ?? 'day')
  return { from, to, by, where, limit: limitOf(query, MOST_USAGE_ROWS), after: afterOf(query, by) }
}

/** All pages, one after the other: a table is read by programs that know nothing of pages. */
async function csvAnswer(store: UsageStore, asked: UsageQuery): Promise<AdminAnswer> {
  const first = await store.usage({ ...asked, limit: undefined })
  let { next } = first
  let text = csvOf(await showAll(first.rows, showUsage))
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      controller.enqueue(encoder.encode(text))
      if (next === undefined) return controller.close()
      const page = await store.usage({ ...asked, limit: undefined, after: next })
      next = page.next
      text = csvLinesOf(await showAll(page.rows, showUsage))
    },
  })
  return { status: 200, body, type: 'text/csv' }
}

/** The `next` of the page before. */
function afterOf(query: URLSearchParams, by: readonly Dimension[]): readonly string[] | undefined {
  const text = query.get('after')
  if (text === null) return undefined
  const values = parseList(text)
  if (areValues(values, by)) return values
  throw wrongParameter('after', 'must be "next" of a page with the same "by"')
}

function parseList(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function dimensionsOf(by: string): readonly Dimension[] {
  const names = by.split(',').filter((name) => name !== '')
  const isDimension = (name: string): name is Dimension => DIMENSIONS.some((known) => known === name)
  const wrong = names.find((name) => !isDimension(name))
  if (wrong !== undefined)
    throw wrongParameter('by', `has "${wrong.slice(0, 30)}", which is not one of ${DIMENSIONS.join(', ')}`)
  return [...new Set(names.filter(isDimension))]
}

function timeOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const time = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time))
    throw wrongParameter(name, 'must be a date in UTC (2026-11-16) or a time (2026-11-16T10:00:00Z)')
  return time
}

/** Ids of records, with or without the prefix that callers see. */
function idOf(text: string): string {
  const id = text.replace(/^req_/, '').toLowerCase()
  if (/^[0-9a-f]{32}$/.test(id)) return id
  throw new AdminError(
    400,
    'wrong_id',
    'The id must be that of the header "x-request-id": req_ and 32 hexadecimal digits.',
  )
}

function limitOf(query: URLSearchParams, usual = 100): number {
  const limit = Number(query.get('limit') ?? usual)
  if (Number.isInteger(limit) && limit >= 1 && limit <= LARGEST_PAGE) return limit
  throw wrongParameter('limit', `must be a number from 1 to ${LARGEST_PAGE}`)
}

function formatOf(query: URLSearchParams, known: readonly string[]): string {
  const format = query.get('format') ?? known[0] ?? ''
  if (known.includes(format)) return format
  throw wrongParameter('format', `must be ${known.join(' or ')}`)
}

function unknownRecord(): AdminError {
  return new AdminError(
    404,
    'unknown_record',
    'There is no record of this call: it is unknown, still running, or was pruned.',
  )
}

import { join } from 'node:path'
import { fillRecords } from '../books/fill-records.ts'
import type { Scenario } from '../scenario.ts'
import { ask } from '../server/ask.ts'
import { settled } from '../server/settled.ts'
import type { Server } from '../server/start-server.ts'

const FULL = { records: 1_000_000, sums: 480_000 }
const SHORT = { records: 20_000, sums: 10_000 }
/** By how much the p99 of calls may rise. The suite shares its machine with other tests: there it is the stall of a report alone that counts. */
const MOST_MS = { full: 10, short: 2000 }

export const millionRecords: Scenario = {
  name: 'million-records',
  attack: 'A million records are pruned and 480,000 rows of sums are reported while calls are made.',
  rule: 'Neither raises the p99 of calls by more than 10 ms; a report has at most 1,000 rows, and names the next page.',
  before:
    'calls were ten times slower while records were pruned, and one report stopped everyone for 12 s and took 2 GB',
  async run({ size, start, folder, upstream, check }) {
    upstream.plan({ bills: { input: 10, output: 10 } })
    const data = folder()
    const config = { accounts: { keep: { records: 1 } } }
    const first = await start({ data, config })
    const { secret } = await first.admin.createKey({ name: 'caller', budgets: { total: '1000' } })
    await ask(first.url, secret, 'chat', { model: 'house/m-0' })
    await settled(first, 1)
    const quiet = await callsFor(first, secret, size === 'full' ? 10_000 : 800)
    await first.stop()
    fillRecords(join(data, 'dragoman.db'), size === 'full' ? FULL : SHORT, Date.now())
    const server = await start({ data, config })
    const reports = reportFor(server, size === 'full' ? 20_000 : 1500)
    const busy = await callsFor(server, secret, size === 'full' ? 20_000 : 1500)
    const { status, longest, pages } = await reports
    const rise = p99(busy) - p99(quiet)
    const figures = `p99 ${p99(quiet).toFixed(1)} ms before, ${p99(busy).toFixed(1)} ms with reports and pruning, longest ${Math.max(...busy).toFixed(0)} ms, ${busy.length} calls, ${pages} pages`
    check(`the p99 of calls rises by at most ${MOST_MS[size]} ms`, rise <= MOST_MS[size], figures)
    check(
      'reports are answered in pages of at most 1,000 rows',
      status === 200 && longest <= 1000,
      `${status}, ${longest} rows`,
    )
  },
}

/** Makes one call after the other for a time. Returns how long each took, in milliseconds. */
async function callsFor(server: Server, secret: string, ms: number): Promise<readonly number[]> {
  const times: number[] = []
  for (const end = performance.now() + ms; performance.now() < end;) {
    const began = performance.now()
    await ask(server.url, secret, 'chat', { model: 'house/m-0' })
    times.push(performance.now() - began)
  }
  // The first ones load code.
  return times.slice(Math.min(20, times.length - 1))
}

/** Reads reports of all models for a time, page after page. */
async function reportFor(server: Server, ms: number): Promise<{ status: number; longest: number; pages: number }> {
  const seen = { status: 200, longest: 0, pages: 0 }
  let after = ''
  for (const end = performance.now() + ms; performance.now() < end; seen.pages++) {
    const { status, body } = await server.admin.ask('GET', `/usage?by=hour,model${after}`)
    seen.status = Math.max(seen.status, status)
    seen.longest = Math.max(seen.longest, Array.isArray(body['rows']) ? body['rows'].length : 0)
    after = typeof body['next'] === 'string' ? `&after=${encodeURIComponent(body['next'])}` : ''
  }
  return seen
}

function p99(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? 0
}

import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ADMIN_BASE, createAccounts } from '@dragoman/accounts'
import { createAdmin, type AdminHandler } from '@dragoman/accounts/admin'
import { chat } from '@dragoman/core/protocols'
import { openSqliteStore, type SqliteStore } from '@dragoman/store-sqlite'
import { createExchange, type Operation } from '../heap/exchange.ts'
import { quickOf } from '../table.ts'
import { createGroups } from './calls.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Older than records are kept, and spread over so many hours that the sums have about half as many rows as there are records. */
const AGE_MS = 215 * DAY_MS
const SPAN_MS = 125 * DAY_MS
const KEEP_MS = 90 * DAY_MS
/** Calls at a steady rate, whether those before are over or not. */
const EVERY_MS = 5
/** As the housekeeping of accounts does. */
const PRUNE = { step: 200, everyMs: 50 }
/** One whose pages are read in the order of the sums, and one that reads all of them for each page. */
const REPORTS = ['hour,key,owner,model,provider', 'model,key,hour']

/**
 * Milliseconds from the time when a call was due to the end of its answer: of each window, and of all windows the upper end of the quickest
 * quarter, because other guests of the host delay some of them by more than what is measured.
 */
export interface Latency {
  readonly median: number
  readonly p99: number
}

export interface Books {
  /** Without anything else, and with pruning and reports. */
  readonly quiet: Latency
  readonly busy: Latency
  readonly pruned: number
  readonly pages: number
  /** Milliseconds of CPU time of the event loop for one page, with its share of pruning. */
  readonly turn: number
  /** Megabytes that the process has grown by, at most, while reports were made. */
  readonly memory: number
}

/** What calls take while old records are deleted and reports are made, in turn with windows without both. */
export async function measureBooks(folder: string, records: number, windows: number, ms: number): Promise<Books> {
  const store = openSqliteStore({ file: join(folder, 'books.db') })
  await fillOld(store, records)
  const accounts = createAccounts({ store, schedule: setImmediate, retention: { records: 36_500 } })
  const call = createExchange(chat, chat, 0, accounts.stages)
  const admin = createAdmin({ store, keys: { find: () => ({ id: 'bench', admin: true }) } })
  const quiet: Window[] = []
  const busy: Window[] = []
  const done: Done = { pruned: 0, pages: 0, most: 0 }
  await callFor(ms, call)
  const before = megabytes()
  for (let window = 0; window < windows; window++) {
    quiet.push(await callFor(ms, call))
    const work = { isOver: false }
    const working = [prune(store, work, done), ...REPORTS.map((by) => report(admin, by, work, done))]
    busy.push(await callFor(ms, call))
    work.isOver = true
    await Promise.all(working)
  }
  await accounts.close()
  await store.close()
  const { pruned, pages, most } = done
  const turn = (cpuOf(busy) - cpuOf(quiet)) / pages
  return { quiet: latencyOf(quiet), busy: latencyOf(busy), pruned, pages, turn, memory: most - before }
}

interface Window {
  /** In order. */
  readonly times: readonly number[]
  /** Milliseconds of CPU time of the event loop. */
  readonly cpu: number
}

interface Done {
  pruned: number
  pages: number
  /** Megabytes of the process. */
  most: number
}

async function fillOld(store: SqliteStore, records: number): Promise<void> {
  const groups = createGroups(Date.now() - AGE_MS, Math.ceil((2 * SPAN_MS) / records))
  for (let done = 0; done <= records; done += 250) await store.commit(groups.next(250))
}

async function callFor(ms: number, call: Operation): Promise<Window> {
  const used = process.threadCpuUsage()
  const start = performance.now()
  const times: number[] = []
  const calls: unknown[] = []
  for (let due = start; due < start + ms; due += EVERY_MS) {
    await pause(Math.max(0, due - performance.now()))
    calls.push(Promise.resolve(call()).then(() => times.push(performance.now() - due)))
  }
  await Promise.all(calls)
  const { user, system } = process.threadCpuUsage(used)
  return { times: times.toSorted((one, other) => one - other), cpu: (user + system) / 1000 }
}

interface Work {
  isOver: boolean
}

async function prune(store: SqliteStore, work: Work, done: Done): Promise<void> {
  while (!work.isOver) {
    const before = { records: Date.now() - KEEP_MS, hours: 0, audit: 0 }
    done.pruned += await store.prune(before, PRUNE.step)
    await pause(PRUNE.everyMs)
  }
}

/** Reads page after page, as the command and other clients do. */
async function report(admin: AdminHandler, by: string, work: Work, done: Done): Promise<void> {
  const [from, to] = [Date.now() - AGE_MS - DAY_MS, Date.now()].map((time) => new Date(time).toISOString())
  let after: string | null = null
  while (!work.isOver) {
    const query = new URLSearchParams({ by, from: from ?? '', to: to ?? '', ...(after === null ? {} : { after }) })
    const headers = { authorization: 'Bearer bench' }
    const answer = await admin(new Request(`http://bench${ADMIN_BASE}/usage?${query}`, { headers }))
    after = nextIn(await answer.text())
    done.pages++
    done.most = Math.max(done.most, megabytes())
  }
}

/** The client is elsewhere: reading all of the answer is not the work of this process. */
function nextIn(text: string): string | null {
  const { next } = JSON.parse(`{${text.slice(text.lastIndexOf('"next":'))}`) as { next: string | null } // of the API
  return next
}

function latencyOf(windows: readonly Window[]): Latency {
  const at = (share: number): number =>
    quickOf(windows.map(({ times }) => times[Math.floor((times.length - 1) * share)] ?? Number.NaN))
  return { median: at(0.5), p99: at(0.99) }
}

function cpuOf(windows: readonly Window[]): number {
  return windows.reduce((sum, { cpu }) => sum + cpu, 0)
}

function megabytes(): number {
  return process.memoryUsage.rss() / 2 ** 20
}

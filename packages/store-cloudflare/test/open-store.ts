import type { Store, UsagePage } from '@dragoman/accounts/store'
import { inject } from 'vitest'
import { readResult, readBalances, readUsage } from '../src/wire.ts'
import type { Bindings } from './store-worker.ts'

export interface OpenOptions {
  /** The time of the store, if its class has none of its own. */
  readonly clock?: { now(): number }
  /** D1 fails: before it does something, or after it. */
  readonly d1?: 'down' | 'deaf'
  /** The store gives up soon, and what it has sent arrives when the record of this call is stored. */
  readonly lateAfter?: string
}

/** The store with a name, in an object of a class, which a worker in workerd calls. */
export function openStore(
  name: string,
  binding: keyof Bindings = 'REAL',
  { clock = Date, d1, lateAfter }: OpenOptions = {},
): Store {
  const call = async <T>(method: string, ...values: readonly unknown[]): Promise<T> => {
    const query = new URLSearchParams({ now: String(clock.now()), d1: d1 ?? 'up', lateAfter: lateAfter ?? '' })
    return (await post(`/${binding}/${name}/${method}?${query}`, values)) as T // by its method
  }
  return {
    title: 'in workerd',
    findKey: (...values) => call('findKey', ...values),
    key: (...values) => call('key', ...values),
    keysSince: (...values) => call('keysSince', ...values),
    saveKey: (...values) => call('saveKey', ...values),
    commit: (...values) => call('commit', ...values),
    buryLost: () => call('buryLost'),
    balances: async (...values) => readBalances(await call('balances', ...values)),
    async usage(...values) {
      const page = await call<UsagePage>('usage', ...values)
      return { ...page, rows: readUsage(page.rows) }
    },
    record: (...values) => call('record', ...values),
    records: (...values) => call('records', ...values),
    prune: (...values) => call('prune', ...values),
    writeAudit: (...values) => call('writeAudit', ...values),
    audits: (...values) => call('audits', ...values),
    saveBodies: (...values) => call('saveBodies', ...values),
    bodies: (...values) => call('bodies', ...values),
    close() {},
  }
}

/** Runs a statement in a database of D1. */
export async function query(statement: string, d1: 'D1' | 'NEWER_D1' = 'D1'): Promise<unknown[]> {
  return (await post(`/query/${d1}`, [statement])) as unknown[] // rows
}

/** Ends the object, as the platform does when it likes to. The next call starts it again. */
export async function restart(name: string): Promise<void> {
  await post(`/restart/${name}`, [])
}

async function post(path: string, values: readonly unknown[]): Promise<unknown> {
  const answer = await fetch(inject('workerd') + path, { method: 'POST', body: JSON.stringify(values) })
  return readResult(await answer.text())
}

import { join } from 'node:path'
import type { Store } from '@dragoman/accounts/store'
import { build } from 'esbuild'
import { Log, LogLevel, Miniflare } from 'miniflare'
import { readAnswer, readBalances, readUsage } from '../src/wire.ts'
import type { Environment } from './store-worker.ts'

/** A worker in the real runtime of the platform, with stores in it. */
export interface Workerd {
  /** The store with a name, in an object of a class, with the time of a clock if the class has none of its own. */
  open(name: string, binding?: keyof Environment, clock?: { now(): number }, d1?: 'down' | 'deaf'): Store
  /** Runs a statement in the database of D1. */
  query(statement: string): Promise<unknown[]>
  stop(): Promise<void>
}

/** Objects are kept in the folder, and their archive in a database of D1, if it has a name. */
export async function startWorkerd(folder: string, d1?: string): Promise<Workerd> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'store-worker.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
  })
  const modules = { 'index.mjs': { type: 'esm' as const, contents: outputFiles[0]?.text ?? '' } }
  const runtime = new Miniflare({
    workers: [
      {
        config: {
          name: 'store',
          compatibilityDate: '2026-10-01',
          manifest: { mainModule: 'index.mjs', modules },
          env: {
            TEST: { type: 'durable-object', worker: 'store', exportName: 'TestObject' },
            REAL: { type: 'durable-object', worker: 'store', exportName: 'AccountsObject' },
            ARCHIVED: { type: 'durable-object', worker: 'store', exportName: 'ArchivedObject' },
            ...(d1 === undefined ? {} : { RECORDS: { type: 'd1', id: d1 } }),
            FLAKY: { type: 'durable-object', worker: 'store', exportName: 'FlakyObject' },
            NEWER: { type: 'durable-object', worker: 'store', exportName: 'NewerObject' },
          },
          exports: {
            TestObject: { type: 'durable-object', storage: 'sqlite' },
            AccountsObject: { type: 'durable-object', storage: 'sqlite' },
            ArchivedObject: { type: 'durable-object', storage: 'sqlite' },
            FlakyObject: { type: 'durable-object', storage: 'sqlite' },
            NewerObject: { type: 'durable-object', storage: 'sqlite' },
          },
        },
        dev: {},
      },
    ],
    host: '127.0.0.1',
    port: 0,
    cf: false,
    telemetry: { enabled: false },
    log: new Log(LogLevel.ERROR),
    handleStructuredLogs() {},
    resourcePersistencePath: folder,
  })
  const { origin } = await runtime.ready
  const open: Workerd['open'] = (name, binding = 'REAL', clock = Date, state) => {
    const call = async <T>(method: string, ...values: readonly unknown[]): Promise<T> => {
      const url = `${origin}/${binding}/${name}/${method}?now=${clock.now()}&d1=${state ?? 'up'}`
      const answer = await fetch(url, { method: 'POST', body: JSON.stringify(values) })
      return readAnswer(await answer.text()) as T // by its method
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
      usage: async (...values) => readUsage(await call('usage', ...values)),
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
  const query = async (statement: string): Promise<unknown[]> => {
    const database = await runtime.getD1Database('RECORDS')
    const { results } = await database.prepare(statement).all()
    return results
  }
  return { open, query, stop: () => runtime.dispose() }
}

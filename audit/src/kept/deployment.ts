import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { PostgresConnection } from '@dragoman/testkit/engines'
import { startServer } from '../server/start-server.ts'
import { CONFIGURED_SECRET, providerVariables, WORKER_ADMIN, WORKER_SEALING_KEY } from './expected.ts'

/** A gateway with accounts, and a way to start it again with the same state. */
export interface Deployment {
  readonly kind: 'server' | 'worker'
  /** `configured`: with a key of the configuration. Otherwise a server has a local key. */
  start(keys: 'local' | 'configured'): Promise<RunningDeployment>
}

export interface RunningDeployment {
  readonly url: string
  /** Of the first start; a later one has it no more if the file is gone. */
  adminSecret(): string
  readonly lines: readonly string[]
  stop(): Promise<unknown>
  /** As a crash would end it. */
  kill(): Promise<void>
}

/** Nothing is deleted because of its age, whenever this runs. */
const KEEP = { records: 36_500, hours: 36_500, audit: 36_500 }

export interface ServerDeploymentOptions {
  /** The checkout whose server it is; this one when absent. */
  readonly root?: string
  readonly upstream: string
  readonly data: string
  /** With a PostgreSQL instead of a file. */
  readonly postgres?: PostgresConnection
}

export function serverDeployment({ root, upstream, data, postgres }: ServerDeploymentOptions): Deployment {
  mkdirSync(data, { recursive: true })
  const database = postgres === undefined ? {} : { DRAGOMAN_DATABASE_URL: postgresUrl(postgres) }
  return {
    kind: 'server',
    start(keys) {
      return startServer({
        ...(root === undefined ? {} : { root }),
        data,
        config: {
          accounts: { keep: KEEP },
          ...(keys === 'local'
            ? {}
            : {
                keys: [
                  { name: 'ci', secret: '${CI_KEY}', owner: 'ops', budgets: { total: 5 }, limits: { concurrent: 9 } },
                ],
              }),
        },
        environment: { ...providerVariables(upstream), ...database, CI_KEY: CONFIGURED_SECRET },
      })
    },
  }
}

/** As a URL, which is the form that the server reads. */
export function postgresUrl({ host, port, user, database }: PostgresConnection): string {
  return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
}

/** The helper that starts the worker of a checkout in workerd. */
interface WorkerModule {
  readonly startWorker: (
    bindings: { readonly [name: string]: string },
    outside: undefined,
    accounts: { readonly folder: string },
  ) => Promise<{ readonly url: string; stop(): Promise<void> }>
}

export function workerDeployment({
  root,
  upstream,
  folder,
}: {
  root: string
  upstream: string
  folder: string
}): Deployment {
  return {
    kind: 'worker',
    async start() {
      const { startWorker } = (await import(join(root, 'apps/worker/test/workerd.ts'))) as WorkerModule // its exports
      const bindings = {
        ...providerVariables(upstream),
        DRAGOMAN_KEYS: CONFIGURED_SECRET,
        DRAGOMAN_ADMIN_KEY: WORKER_ADMIN,
        DRAGOMAN_SEALING_KEYS: WORKER_SEALING_KEY,
        ...Object.fromEntries(
          Object.entries(KEEP).map(([name, days]) => [`DRAGOMAN_KEEP_${name.toUpperCase()}`, String(days)]),
        ),
      }
      const worker = await startWorker(bindings, undefined, { folder })
      const stop = () => worker.stop()
      return { url: worker.url, adminSecret: () => WORKER_ADMIN, lines: [], stop, kill: stop }
    },
  }
}

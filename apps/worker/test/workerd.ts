import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { build } from 'esbuild'
import { Log, LogLevel, Miniflare } from 'miniflare'

const ROOT = join(import.meta.dirname, '..')

let made: Promise<string> | undefined

/** The deployed bundle, made once for all tests of this process. */
export function bundle(): Promise<string> {
  return (made ??= makeBundle())
}

async function makeBundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, config().main)],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*'],
  })
  return outputFiles[0]?.text ?? ''
}

/** Answers every call of the worker in the place of the network. */
export type Outside = (request: IncomingMessage, response: ServerResponse) => void

export interface RunningWorker {
  readonly url: string
  /** Runs a statement in the database of D1. */
  query(statement: string): Promise<unknown[]>
  stop(): Promise<void>
}

/** Where the state of accounts is. */
export interface AccountsBinding {
  readonly folder: string
  /** The name of a database of D1, which gets the records. Without it, they stay in the object. */
  readonly d1?: string
}

/** Runs the worker in the real runtime of the platform, on a free port, with the given bindings. It has accounts if there is a place for them. */
export async function startWorker(
  bindings: { readonly [name: string]: string },
  outside?: Outside,
  accounts?: AccountsBinding,
): Promise<RunningWorker> {
  const env = Object.fromEntries(
    Object.entries(bindings).map(([name, value]) => [name, { type: 'text' as const, value }]),
  )
  const manifest = {
    mainModule: 'index.mjs',
    modules: { 'index.mjs': { type: 'esm' as const, contents: await bundle() } },
  }
  const runtime = new Miniflare({
    workers: [
      {
        config: {
          name: 'dragoman',
          compatibilityDate: config().compatibility_date,
          compatibilityFlags: config().compatibility_flags,
          manifest,
          env: accounts === undefined ? env : { ...env, ...objectBindings(), ...recordsBinding(accounts) },
          exports: { AccountsObject: { type: 'durable-object', storage: 'sqlite' } },
        },
        dev: outside === undefined ? {} : { outboundService: { type: 'node-handler', handler: outside } },
      },
    ],
    host: '127.0.0.1',
    port: 0,
    cf: false,
    telemetry: { enabled: false },
    log: new Log(LogLevel.ERROR),
    handleStructuredLogs() {},
    ...(accounts === undefined ? {} : { resourcePersistencePath: accounts.folder }),
  })
  const url = await runtime.ready
  const query = async (statement: string): Promise<unknown[]> => {
    const database = await runtime.getD1Database('RECORDS')
    const { results } = await database.prepare(statement).all()
    return results
  }
  return { url: url.origin, query, stop: () => runtime.dispose() }
}

function recordsBinding({ d1 }: AccountsBinding) {
  return d1 === undefined ? {} : { RECORDS: { type: 'd1' as const, id: d1 } }
}

function objectBindings() {
  return Object.fromEntries(
    config().durable_objects.bindings.map(({ name, class_name: exportName }) => {
      return [name, { type: 'durable-object' as const, worker: 'dragoman', exportName }]
    }),
  )
}

/** The file has no comments, so it can be parsed as JSON. */
function config(): {
  readonly main: string
  readonly compatibility_date: string
  readonly compatibility_flags: string[]
  readonly durable_objects: { readonly bindings: readonly { readonly name: string; readonly class_name: string }[] }
} {
  return JSON.parse(readFileSync(join(ROOT, 'wrangler.jsonc'), 'utf8')) as ReturnType<typeof config>
}

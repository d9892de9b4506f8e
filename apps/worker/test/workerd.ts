import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { build } from 'esbuild'
import { Log, LogLevel, Miniflare } from 'miniflare'

const ROOT = join(import.meta.dirname, '..')

/** The deployed bundle. */
export async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, config().main)],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
  })
  return outputFiles[0]?.text ?? ''
}

/** Answers every call of the worker in the place of the network. */
export type Outside = (request: IncomingMessage, response: ServerResponse) => void

/** Runs the worker in the real runtime of the platform, on a free port, with the given bindings. */
export async function startWorker(
  bindings: { readonly [name: string]: string },
  outside?: Outside,
): Promise<{ url: string; stop(): Promise<void> }> {
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
        config: { name: 'dragoman', compatibilityDate: config().compatibility_date, manifest, env },
        dev: outside === undefined ? {} : { outboundService: { type: 'node-handler', handler: outside } },
      },
    ],
    host: '127.0.0.1',
    port: 0,
    cf: false,
    telemetry: { enabled: false },
    log: new Log(LogLevel.ERROR),
    handleStructuredLogs() {},
  })
  const url = await runtime.ready
  return { url: url.origin, stop: () => runtime.dispose() }
}

/** The file has no comments, so it can be parsed as JSON. */
function config(): { readonly main: string; readonly compatibility_date: string } {
  return JSON.parse(readFileSync(join(ROOT, 'wrangler.jsonc'), 'utf8')) as ReturnType<typeof config>
}

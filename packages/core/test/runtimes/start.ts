import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runInPage, type Browser } from '@dragoman/browser'
import { Log, LogLevel, Miniflare } from 'miniflare'
import { bundleEntry, type Printed } from './examples.ts'

/** Runs the examples in a separate process without our environment. */
export async function runProcess(folder: string, command: string, args: readonly string[]): Promise<Printed> {
  const env = { HOME: folder, DENO_DIR: join(folder, '.deno'), DENO_NO_UPDATE_CHECK: '1' }
  const { stdout } = await promisify(execFile)(command, [...args, 'process.js'], { cwd: folder, env })
  return printedIn(stdout)
}

/** Runs them in workerd. */
export async function runWorker(folder: string): Promise<Printed> {
  const contents = await bundleEntry(folder, 'worker')
  const manifest = { mainModule: 'worker.mjs', modules: { 'worker.mjs': { type: 'esm' as const, contents } } }
  const runtime = new Miniflare({
    workers: [{ config: { name: 'examples', compatibilityDate: '2026-10-01', manifest } }],
    host: '127.0.0.1',
    port: 0,
    cf: false,
    telemetry: { enabled: false },
    log: new Log(LogLevel.ERROR),
  })
  try {
    const answer = await fetch(await runtime.ready)
    return printedIn(await answer.text())
  } finally {
    await runtime.dispose()
  }
}

/** Runs them in a page of a headless browser. */
export async function runPage(folder: string, browser: Browser): Promise<Printed> {
  const script = await bundleEntry(folder, 'page')
  const files = { '/page.js': { type: 'text/javascript', body: script } }
  return (await runInPage(browser, "await import('/page.js')", files)) as Printed // written by run-examples.js
}

function printedIn(json: string): Printed {
  return JSON.parse(json) as Printed // written by run-examples.js
}

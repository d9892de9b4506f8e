import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { Log, LogLevel, Miniflare } from 'miniflare'
import { bundleEntry, type Said } from './examples.ts'

/** Runs the examples in a separate process without our environment. */
export async function runProcess(folder: string, command: string, args: readonly string[]): Promise<Said> {
  const env = { HOME: folder, DENO_DIR: join(folder, '.deno'), DENO_NO_UPDATE_CHECK: '1' }
  const { stdout } = await promisify(execFile)(command, [...args, 'process.js'], { cwd: folder, env })
  return saidIn(stdout)
}

/** Runs them in workerd. */
export async function runWorker(folder: string): Promise<Said> {
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
    return saidIn(await answer.text())
  } finally {
    await runtime.dispose()
  }
}

/** Runs them in a page of a headless browser, which reports to the server that it was loaded from. */
export async function runPage(folder: string, chromium: string): Promise<Said> {
  const script = await bundleEntry(folder, 'page')
  const { promise: said, resolve, reject } = Promise.withResolvers<Said>()
  const server = createServer((request, response) => {
    if (request.url === '/said') void text(request).then((body) => resolve(saidIn(body)))
    const isScript = request.url === '/page.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : '<!doctype html><script type="module" src="/page.js"></script>')
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo // listens on a port
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run']
  const profile = `--user-data-dir=${join(folder, '.chromium')}`
  const browser = spawn(chromium, [...flags, profile, `http://127.0.0.1:${port}/`], { stdio: 'ignore', detached: true })
  browser.on('error', reject)
  browser.on('exit', () => reject(new Error('the browser is gone')))
  try {
    return await said
  } finally {
    if (browser.pid !== undefined && browser.exitCode === null) {
      process.kill(-browser.pid) // the process group, because a browser has many processes
      await once(browser, 'exit')
    }
    server.close().closeAllConnections()
  }
}

function saidIn(json: string): Said {
  return JSON.parse(json) as Said // written by run-examples.js
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Browser } from './find-chromium.ts'

/** A file that the page can load. */
export interface Served {
  readonly type: string
  readonly body: string | Uint8Array
}

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--mute-audio',
  '--autoplay-policy=no-user-gesture-required',
]

/** Runs a script in a page of a headless browser. The script calls `report` with its result; `files` are what the page can load, by path. */
export async function runInPage(
  { path }: Browser,
  script: string,
  files: { readonly [path: string]: Served },
): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-chromium-'))
  const { promise: reported, resolve, reject } = Promise.withResolvers<unknown>()
  const server = createServer((request, response) => {
    if (request.url === '/report') void text(request).then((body) => resolve(JSON.parse(body)))
    const { type, body } = files[request.url ?? ''] ?? { type: 'text/html', body: pageOf(script) }
    response.setHeader('content-type', type)
    response.end(body)
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo // listens on a port
  const args = [...FLAGS, `--user-data-dir=${folder}`, `http://127.0.0.1:${port}/`]
  // Its own temporary files go with the folder too.
  const env = { ...process.env, TMPDIR: folder }
  const browser = spawn(path, args, { env, stdio: 'ignore', detached: true })
  browser.on('error', reject)
  browser.on('exit', () => reject(new Error('the browser is gone')))
  try {
    return await reported
  } finally {
    if (browser.pid !== undefined && browser.exitCode === null) {
      const exit = once(browser, 'exit')
      // The process group, because a browser has many processes. One that ends in order writes to its folder while it is removed.
      process.kill(-browser.pid, 'SIGKILL')
      await exit
    }
    server.close().closeAllConnections()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

function pageOf(script: string): string {
  return `<!doctype html><script type="module">
    const report = (value) => fetch('/report', { method: 'POST', body: JSON.stringify(value) })
    try { ${script} } catch (error) { await report({ error: String(error) }) }
  </script>`
}

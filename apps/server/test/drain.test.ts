import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { brokenText } from '@dragoman/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPausedUpstream, type PausedUpstream } from './paused-upstream.ts'
import { COMPILED, startServer, type LogLine, type ServerProcess } from './process.ts'

let upstream: PausedUpstream
beforeAll(async () => {
  upstream = await startPausedUpstream()
})
afterAll(() => upstream.close())

/** With a stream that goes on until the upstream is told to finish. */
async function start(environment: { readonly [name: string]: string }) {
  const server = await startServer({
    OPENAI_BASE_URL: upstream.url,
    OPENAI_API_KEY: 'sk-upstream',
    DRAGOMAN_SIM: 'on',
    ...environment,
  })
  const answer = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'openai/gpt-5.4', stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
  })
  return { server, answer }
}

/** A call on a connection of its own. */
function call(server: ServerProcess, path: string, body?: object): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' }
    const method = body === undefined ? 'GET' : 'POST'
    request(server.url + path, { method, headers, agent: false }, (answer) => resolve(answer.resume()))
      .once('error', reject)
      .end(body === undefined ? undefined : JSON.stringify(body))
  })
}

const CHAT = { model: 'sim/chat-1', messages: [{ role: 'user', content: 'Hi' }] }
const notes = ({ lines }: ServerProcess) =>
  lines.filter((line) => line.startsWith('{')).map((line) => String((JSON.parse(line) as LogLine)['msg']))
const noted = (server: ServerProcess, text: string) => server.logged((line) => String(line['msg']).includes(text))

describe('after a signal', () => {
  it('calls are served on new connections while /readyz fails, until the drain is over', async () => {
    const { server, answer } = await start({ DRAGOMAN_DRAIN_SECONDS: '600' })
    server.signal('SIGTERM')
    const line = await noted(server, 'draining')
    expect(line['msg']).toBe('draining for 600 seconds: /readyz fails, calls are still served; 1 running call')
    const ready = await call(server, '/readyz')
    expect([ready.statusCode, ready.headers.connection]).toEqual([503, 'close'])
    expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({ status: 'draining' })
    expect((await call(server, '/healthz')).statusCode).toBe(200)
    const served = await call(server, '/v1/chat/completions', CHAT)
    expect([served.statusCode, served.headers.connection]).toEqual([200, 'close'])
    // A later signal ends the drain. The same one may be delivered several times.
    const isOpen = (): Promise<boolean> =>
      call(server, '/healthz').then(
        () => true,
        () => false,
      )
    while (await isOpen()) {
      server.signal('SIGTERM')
      await wait(50)
    }
    expect((await noted(server, 'the port is closed'))['msg']).toMatch(
      /^the port is closed; waiting for 1 running call, at most (?:59\d|600) seconds$/,
    )
    upstream.finish()
    expect(await answer.text()).toMatch(/data: \[DONE\]\n\n$/)
    expect(await server.exited).toBe(0)
    expect(notes(server)).toContain('all calls have finished')
  })

  it('the drain ends by itself, and what the grace period does not cover is cut off', async () => {
    const { server, answer } = await start({ DRAGOMAN_DRAIN_SECONDS: '1', DRAGOMAN_GRACE_SECONDS: '0' })
    server.signal('SIGTERM')
    expect(await brokenText(answer)).toMatch(/data: \{"error":.*shutting down.*\n\n$/)
    expect(await server.exited).toBe(0)
    expect(notes(server).filter((note) => /drain|closed|cut off/.test(note))).toEqual([
      'draining for 1 second: /readyz fails, calls are still served; 1 running call',
      'the port is closed; waiting for 1 running call, at most 0 seconds',
      'the grace period is over: 1 running call cut off',
    ])
  })

  it.skipIf(process.platform !== 'linux' || !existsSync('/usr/bin/script'))(
    'there is no drain at a terminal',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'dragoman-terminal-'))
      const main = join(import.meta.dirname, '../src/main.ts')
      const child = spawn('/usr/bin/script', ['-qec', `exec ${process.execPath} ${main}`, '/dev/null'], {
        env: {
          PATH: process.env['PATH'],
          PORT: '0',
          DRAGOMAN_DATA: folder,
          DRAGOMAN_OLLAMA: 'off',
          DRAGOMAN_DRAIN_SECONDS: '600',
          ...COMPILED,
        },
      })
      const exited = once(child, 'close')
      let text = ''
      await new Promise<void>((resolve) =>
        child.stdout.setEncoding('utf8').on('data', (piece: string) => {
          text += piece
          if (text.includes('curl ')) resolve()
        }),
      )
      child.stdin.write('\u0003')
      expect(await exited).toEqual([0, null])
      expect(text).not.toContain('draining')
      rmSync(folder, { recursive: true, force: true })
    },
  )
})

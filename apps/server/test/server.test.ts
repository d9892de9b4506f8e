import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { protocols } from '@dragoman/core/protocols'
import { brokenText } from '@dragoman/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPausedUpstream, type PausedUpstream } from './paused-upstream.ts'
import { bundleServer } from './bundle.ts'
import { COMPILED, startServer, type ServerProcess } from './process.ts'

const run = promisify(execFile)

describe('the running server', () => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.stop())

  it('prints a call for every protocol that works when pasted', async () => {
    const lines = server.greeting.filter((line) => line.startsWith('curl '))
    expect(lines).toHaveLength(protocols.length)
    for (const line of lines) {
      const { stdout } = await run('bash', ['-c', line])
      expect(JSON.stringify(JSON.parse(stdout))).toMatch(/You asked: .*Why is the sky blue/)
    }
  })

  it('has a description and a health check', async () => {
    const about = await fetch(server.url)
    expect(about.headers.has('x-powered-by')).toBe(false)
    expect(await about.json()).toMatchObject({
      name: 'dragoman',
      protocols: [
        { name: 'chat', base: '/api/v1' },
        { name: 'messages', base: '/api/anthropic' },
        { name: 'genai', base: '/api/vertex-ai' },
        { name: 'responses', base: '/api/v1' },
      ],
    })
    expect(await (await fetch(`${server.url}/healthz`)).json()).toEqual({ status: 'ok' })
    expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({ status: 'ready' })
  })

  it.each([false, true])('answers a large request like a small one, streamed: %s', async (stream) => {
    const content = `${'Long ago, '.repeat(300_000)}the end`
    const answer = await ask(server, { stream, messages: [{ role: 'user', content }] })
    expect(answer.status).toBe(200)
    // In a stream, the text is split over frames.
    expect(await answer.text()).toMatch(/ago/)
  })

  // workerd removes these headers.
  it('[resp.websocket] names HTTP in its answer to a websocket, as RFC 9110 requires of a 426', async () => {
    const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }
    const [answer] = (await once(get(`${server.url}/api/v1/responses`, { headers }), 'response')) as [IncomingMessage]
    answer.resume()
    expect(answer.statusCode).toBe(426)
    expect(answer.headers).toMatchObject({ upgrade: 'HTTP/1.1', connection: 'upgrade' })
  })

  it.each(['/', '/healthz', '/api/v1/models'])('serves nothing without a host: %s', async (path) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.end(`GET ${path} HTTP/1.1\r\nconnection: close\r\n\r\n`)
    let answer = ''
    for await (const chunk of socket.setEncoding('utf8')) answer += String(chunk)
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    expect(answer).toContain('{"error":{"message":"The request has no Host header."')
  })

  it('keeps idle connections for 75 seconds and sends that in a header (trap 73)', async () => {
    const answer = await ask(server, { messages: [{ role: 'user', content: 'Hello' }] })
    expect(answer.headers.get('keep-alive')).toBe('timeout=75')
    await answer.text()
  })

  it('[err.request-id] logs every response with its request id, without key, prompt or header', async () => {
    const answer = await ask(server, {
      messages: [{ role: 'user', content: 'a canary prompt' }],
      metadata: { canary: 'canary' },
    })
    expect(answer.status).toBe(200)
    const id = answer.headers.get('x-request-id')
    const entry = await server.logged(({ requestId }) => requestId === id)
    expect(entry).toMatchObject({
      level: 'info',
      method: 'POST',
      path: '/api/v1/chat/completions',
      status: 200,
      caller: 'local',
      model: 'sim/chat-1',
      mode: 'relay',
    })
    const logs = server.lines.filter((line) => line.startsWith('{')).join('\n')
    expect(logs).not.toMatch(/canary/)
    expect(logs).not.toContain(server.key)
  })
})

describe('a server that shuts down', () => {
  let upstream: PausedUpstream
  beforeAll(async () => {
    upstream = await startPausedUpstream()
  })
  afterAll(() => upstream.close())
  const start = (environment: Record<string, string> = {}) =>
    startServer({ OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: 'sk-upstream', ...environment })
  const STREAMED = { model: 'openai/gpt-5.4', stream: true, messages: [{ role: 'user', content: 'Hi' }] }

  it('accepts no new calls, finishes running ones, and ignores the second delivery of a signal', async () => {
    const server = await start()
    const answer = await ask(server, STREAMED)
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = (await reader.read()).value ?? ''
    server.signal('SIGTERM')
    server.signal('SIGTERM')
    while (await isReachable(server.url));
    upstream.finish()
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) text += piece.value
    expect(text).toMatch(/data: \[DONE\]\n\n$/)
    expect(await server.exited).toBe(0)
    await server.logged(({ outcome, status }) => outcome === 'complete' && status === 200)
  })

  it('ends the rest after the grace period, with an error that the client can read', async () => {
    const server = await start({ DRAGOMAN_GRACE_SECONDS: '0' })
    const reading = brokenText(await ask(server, STREAMED))
    server.signal('SIGINT')
    expect(await reading).toMatch(/data: \{"error":.*shutting down.*\n\n$/)
    expect(await server.exited).toBe(0)
  })
})

describe('starting', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-start-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('keeps the local key across restarts, readable only by its owner', async () => {
    const first = await startServer({ DRAGOMAN_DATA: folder })
    await first.stop()
    const second = await startServer({ DRAGOMAN_DATA: folder })
    await second.stop()
    expect(first.key).toMatch(/^sk-dragoman-[\w-]{32}$/)
    expect(second.key).toBe(first.key)
    expect(statSync(join(folder, 'local-key')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(folder, 'local-key'), 'utf8').trim()).toBe(first.key)
  })

  it("uses the operator's keys and prints none of them", async () => {
    const server = await startServer({ DRAGOMAN_KEYS: 'sk-operator-one-0123456789, sk-operator-two-0123456789' })
    expect(server.greeting.join('\n')).not.toContain('sk-operator')
    for (const key of ['sk-operator-one-0123456789', 'sk-operator-two-0123456789']) {
      expect((await ask({ url: server.url, key }, { messages: [{ role: 'user', content: 'hi' }] })).status).toBe(200)
    }
    const [line = ''] = server.greeting.filter((each) => each.startsWith('curl '))
    const { stdout } = await run('bash', ['-c', line], {
      env: { ...process.env, DRAGOMAN_KEYS: 'sk-operator-one-0123456789,sk-operator-two-0123456789' },
    })
    expect(stdout).toContain('You asked')
    await server.stop()
  })

  it.each([
    ['PORT', 'eighty', /PORT must be a whole number/],
    ['DRAGOMAN_LOG', 'loud', /DRAGOMAN_LOG must be one of/],
    ['DRAGOMAN_UNSUPPORTED_FIELDS', 'maybe', /DRAGOMAN_UNSUPPORTED_FIELDS must be one of refuse, accept/],
    ['DRAGOMAN_GRACE_SECONDS', '-1', /DRAGOMAN_GRACE_SECONDS must be/],
  ])('does not start if %s is invalid, and prints the reason', async (name, value, message) => {
    await expectNoStart({ [name]: value }, message)
  })

  it('does not start if the port is taken, and prints what to do', async () => {
    const server = await startServer()
    await expectNoStart({ PORT: new URL(server.url).port }, /is taken\. Set PORT/)
    await server.stop()
  })

  it('does not start if the stored key is invalid', async () => {
    writeFileSync(join(folder, 'local-key'), '\n')
    await expectNoStart({ DRAGOMAN_DATA: folder }, /local-key does not contain a key/)
  })

  async function expectNoStart(environment: Record<string, string>, message: RegExp): Promise<void> {
    const { main } = await bundleServer()
    const child = spawn(process.execPath, [main], {
      env: { PORT: '0', DRAGOMAN_DATA: folder, ...COMPILED, ...environment },
    })
    let output = ''
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const [code] = await once(child, 'close')
    expect(output).toMatch(message)
    expect(output.trim().split('\n')).toHaveLength(1)
    expect(code).toBe(1)
  }
})

/** On a separate connection. */
async function isReachable(url: string): Promise<boolean> {
  const reached = await fetch(`${url}/healthz`, { headers: { connection: 'close' } }).catch(() => undefined)
  await reached?.body?.cancel()
  return reached !== undefined
}

function ask({ url, key }: { url: string; key: string }, body: object): Promise<Response> {
  return fetch(`${url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sim/chat-1', ...body }),
  })
}

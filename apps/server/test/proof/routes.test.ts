import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAnthropic } from '../clients/anthropic.ts'
import { createOpenAI } from '../clients/openai.ts'
import { startServer, type ServerProcess } from '../process.ts'

const SECRET = 'sk-routes-secret'
const folder = mkdtempSync(join(tmpdir(), 'dragoman-routes-'))

/** An upstream of chat completions whose answers the test chooses. */
interface Upstream {
  readonly url: string
  calls: number
  answer: (response: ServerResponse, request: IncomingMessage) => void
  close(): void
}

async function startUpstream(name: string): Promise<Upstream> {
  const server = createServer((request, response) => {
    upstream.calls++
    request.resume().on('end', () => upstream.answer(response, request))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on TCP
  const upstream: Upstream = {
    url: `http://127.0.0.1:${port}/v1`,
    calls: 0,
    answer: (response) => say(response, name),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return upstream
}

function say(response: ServerResponse, content: string): void {
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices }))
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { message: 'no', type: 'server_error' } }))
}

let first: Upstream
let second: Upstream
let server: ServerProcess

beforeAll(async () => {
  first = await startUpstream('first')
  second = await startUpstream('second')
  const file = join(folder, 'dragoman.config.json')
  const config = {
    keys: [{ name: 'team', secret: '${TEAM_KEY}' }],
    providers: {
      first: { baseURL: first.url, models: ['m'], queue: { concurrency: 1, waiting: 0 } },
      second: { baseURL: second.url, models: ['m'] },
    },
    // The tests fail the first upstream often.
    routing: { breaker: { faults: 1000 } },
    aliases: {
      safe: { routes: ['first/m', 'second/m'] },
      even: {
        routes: [
          { model: 'first/m', weight: 1 },
          { model: 'second/m', weight: 3 },
        ],
      },
      tools: { routes: [{ model: 'second/m', when: { tools: true } }, 'first/m'] },
    },
  }
  writeFileSync(file, JSON.stringify(config))
  server = await startServer({ DRAGOMAN_CONFIG: file, TEAM_KEY: SECRET })
})
beforeEach(() => {
  for (const upstream of [first, second]) upstream.calls = 0
})
afterEach(() => {
  first.answer = (response) => say(response, 'first')
})
afterAll(async () => {
  await server.stop()
  first.close()
  second.close()
  rmSync(folder, { recursive: true, force: true })
})

const openai = () => createOpenAI({ url: server.url, key: SECRET })
const anthropic = () => createAnthropic({ url: server.url, key: SECRET })

/** What the model says to the official SDKs. */
async function askOpenAI(model: string, more: object = {}): Promise<string | null | undefined> {
  const messages = [{ role: 'user' as const, content: 'Hi' }]
  const answer = await openai().chat.completions.create({ model, messages, ...more })
  return answer.choices[0]?.message.content
}

async function askAnthropic(model: string): Promise<unknown> {
  const { content } = await anthropic().messages.create({
    model,
    max_tokens: 10,
    messages: [{ role: 'user', content: 'Hi' }],
  })
  return content.map((block) => (block.type === 'text' ? block.text : block.type)).join('')
}

describe('an alias with several routes, with official SDKs', () => {
  it.each([
    ['a 503', (response: ServerResponse) => refuse(response, 503)],
    ['a 429', (response: ServerResponse) => refuse(response, 429)],
    ['a closed connection', (response: ServerResponse) => response.destroy()],
    [
      'an answer that breaks off',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
        response.write('{"id":')
        response.destroy()
      },
    ],
  ])('[route.fallback] answers from the second after %s of the first', async (_name, fail) => {
    first.answer = fail
    expect(await askOpenAI('safe')).toBe('second')
    expect(await askAnthropic('safe')).toBe('second')
    expect(first.calls).toBeGreaterThanOrEqual(2)
    expect(second.calls).toBe(2)
  })

  it('is spread by weights over real connections', async () => {
    for (let call = 0; call < 8; call++) await askOpenAI('even')
    expect([first.calls, second.calls]).toEqual([2, 6])
  })

  it('has a route for calls with tools', async () => {
    const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }]
    expect(await askOpenAI('tools', { tools })).toBe('second')
    expect(await askOpenAI('tools')).toBe('first')
  })

  it('sends calls to the second while the first has as many as it takes', async () => {
    const held = Promise.withResolvers<ServerResponse>()
    first.answer = (response) => held.resolve(response)
    const waiting = askOpenAI('safe')
    const response = await held.promise
    expect(await askOpenAI('safe')).toBe('second')
    say(response, 'first')
    expect(await waiting).toBe('first')
  })

  it('is logged with all its attempts', async () => {
    first.answer = (response) => refuse(response, 500)
    await askOpenAI('safe')
    const { attempts } = await server.logged((entry) => String(entry['attempts']).includes('upstream-error'))
    expect(attempts).toEqual([
      expect.stringMatching(/^first\/m upstream-error/),
      expect.stringMatching(/^second\/m complete/),
    ])
  })
})

it('a stale kept-alive connection is opened again', async () => {
  const sockets = new Set<object>()
  first.answer = (response, { socket }) => {
    // Closes a connection that has been used before, as an upstream does whose idle time is over.
    if (sockets.has(socket)) socket.destroy()
    else say(response, 'first')
    sockets.add(socket)
  }
  expect(await askOpenAI('first/m')).toBe('first')
  expect(await askOpenAI('first/m')).toBe('first')
  expect(first.calls).toBe(3)
})

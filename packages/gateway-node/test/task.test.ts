import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DragomanError, parseJson, type JsonObject } from '@dragoman/core'
import {
  BEARER,
  defineProvider,
  encodeMultipart,
  runTask,
  type Clock,
  type Fields,
  type Task,
  type WholeAnswer,
} from '@dragoman/core/provider'
import { createFetchTransport } from '@dragoman/gateway'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createUndiciTransport } from '../src/index.ts'

// Submits, polls and cancels tasks over sockets, on both transports.
const INTERVAL = 1000
const DEADLINE = 60_000
const DEADLINES = { connect: 60_000, head: 60_000, idle: 60_000, total: 60_000 }

/** The upstream of tasks: each poll gets the next of these responses, then the last one repeatedly. */
let script: readonly (JsonObject | number | 'reset')[] = []
let seen: { readonly line: string; readonly key: string; readonly form?: FormData }[] = []
let onDelete: (() => void) | undefined
let polls = 0

const server = createServer((request, response) => {
  void read(request).then((form) => {
    seen.push({ line: `${request.method} ${request.url}`, key: request.headers.authorization ?? '', ...form })
    if (request.method === 'DELETE') onDelete?.()
    if (request.method !== 'GET') return response.end('{"id":"t1","state":"queued"}')
    const answer = script[Math.min(polls++, script.length - 1)] ?? {}
    if (answer === 'reset') return response.destroy()
    if (typeof answer === 'number') return response.writeHead(answer).end('{}')
    return response.end(JSON.stringify(answer))
  })
})

async function read(request: IncomingMessage): Promise<{ form?: FormData }> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer) // a request without an encoding
  const type = request.headers['content-type'] ?? ''
  if (!type.startsWith('multipart/')) return {}
  return { form: await new Response(Buffer.concat(chunks), { headers: { 'content-type': type } }).formData() }
}

let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
})
afterEach(() => {
  script = []
  seen = []
  polls = 0
  onDelete = undefined
})
const undici = createUndiciTransport()
afterAll(async () => {
  await undici.close()
  server.close().closeAllConnections()
})

/** Intervals pass at once; the deadline passes when the test advances it. */
function createTestClock(): Clock & { pass(): void; readonly waits: number[] } {
  const late: (() => void)[] = []
  const waits: number[] = []
  return {
    waits,
    now: () => 0,
    after(ms, run) {
      if (ms >= DEADLINE) return (void late.push(run), () => undefined)
      waits.push(ms)
      const timer = setImmediate(run)
      return () => clearImmediate(timer)
    },
    pass: () => late.forEach((run) => run()),
  }
}

describe.each([
  ['undici', () => undici],
  ['fetch', () => createFetchTransport()],
] as const)('a task over %s', (_name, transport) => {
  /** A provider with two keys, and the task of one call to it. */
  async function begin(clock: Clock, more: Partial<Task<string>> = {}): Promise<Task<string>> {
    const models = [{ name: 'm', input: ['text'], output: ['image'] }] as const
    const provider = defineProvider(
      { name: 'acme', baseURL: url, endpoints: { chat: '.' }, auth: BEARER, models },
      { keys: ['sk-one', 'sk-two'] },
    )
    const headers: Fields = { accept: 'application/json' }
    const form = new FormData()
    form.append('prompt', 'a red kite')
    form.append('image', new Blob([Uint8Array.of(1, 2, 3)], { type: 'image/png' }), 'kite.png')
    const outbound = { headers, deadlines: DEADLINES }
    const body = await encodeMultipart(form)
    const submit = provider.call('chat', { path: '/tasks', headers: {}, body: 'multipart' }, { ...outbound, body })
    const { key } = submit
    const step = (answer: WholeAnswer) => {
      const told = parseJson(answer.text()) as JsonObject // the double writes objects
      if (answer.status !== 200) throw new DragomanError('upstream', `status ${answer.status}`)
      if (told['state'] === 'failed') throw new DragomanError('upstream', 'The task failed.')
      if (told['state'] === 'done') return { state: 'done', result: JSON.stringify(told['url']) } as const
      const poll = provider.call('chat', { path: '/tasks/t1', headers: {}, method: 'GET' }, { ...outbound, key })
      const cancel = provider.visit?.(`${url}/tasks/t1`, { ...outbound, key }, 'DELETE')
      return { state: 'running', poll, cancel } as const
    }
    return { transport: transport(), clock, submit, read: step, intervalMs: INTERVAL, deadlineMs: DEADLINE, ...more }
  }

  it('is submitted as a form and polled until it is done, always with one key', async () => {
    script = [{ state: 'queued' }, { state: 'running' }, { state: 'done', url: 'https://acme.example/kite.png' }]
    const clock = createTestClock()
    expect(await runTask(await begin(clock))).toBe('"https://acme.example/kite.png"')
    expect(seen.map(({ line }) => line)).toEqual(['POST /tasks', ...Array<string>(3).fill('GET /tasks/t1')])
    expect(new Set(seen.map(({ key }) => key))).toEqual(new Set(['Bearer sk-one']))
    expect(clock.waits.filter((ms) => ms === INTERVAL)).toHaveLength(3)
    expect(seen[0]?.form?.get('prompt')).toBe('a red kite')
    expect(seen[0]?.form?.get('image')).toMatchObject({ name: 'kite.png', size: 3 })
  })

  it('is polled again after answers that pass, and after broken connections', async () => {
    script = [503, 'reset', 429, { state: 'done', url: 'x' }]
    expect(await runTask(await begin(createTestClock()))).toBe('"x"')
    expect(polls).toBe(4)
  })

  it('ends when it has failed, or when a poll is refused', async () => {
    script = [{ state: 'failed' }]
    await expect(runTask(await begin(createTestClock()))).rejects.toThrow('The task failed.')
    script = [404]
    await expect(runTask(await begin(createTestClock()))).rejects.toThrow('status 404')
    expect(seen.map(({ line }) => line)).not.toContain('DELETE /tasks/t1')
  })

  it.each([
    ['its deadline passes', 'timeout', 'The upstream did not finish the task within 60 s.'],
    ['its caller gives it up', 'cancelled', 'The task was cancelled.'],
  ] as const)('is cancelled at the upstream when %s', async (_why, kind, message) => {
    script = [500]
    const clock = createTestClock()
    const aborter = new AbortController()
    const deleted = new Promise<void>((resolve) => (onDelete = resolve))
    const task = await begin(clock, { signal: aborter.signal })
    const end = kind === 'timeout' ? () => clock.pass() : () => aborter.abort()
    const ended = runTask({
      ...task,
      clock: { ...clock, after: (ms, run) => (ms === INTERVAL && polls >= 2 && end(), clock.after(ms, run)) },
    })
    await expect(ended).rejects.toMatchObject({ kind, message })
    await deleted
    expect(seen.at(-1)).toMatchObject({ line: 'DELETE /tasks/t1', key: 'Bearer sk-one' })
  })
})

import { createLosses, DragomanError } from '@dragoman/core'
import type { ImageRequest, VideoRequest } from '@dragoman/core/media'
import { BEARER, defineProvider, imageTasks, videoTasks, type Clock, type TaskApi } from '@dragoman/core/provider'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createDriverUpstream, type DriverUpstream, type DriverUpstreamOptions } from './driver-upstream.ts'
import type { ScriptedAnswer } from './subject.ts'
import { createScriptedUpstream, type ScriptedUpstream, type SeenCall } from './upstream.ts'

// An API of tasks over real sockets: what every provider of tasks gets from the shared drivers.
const API = {
  id: 'task.id',
  poll: (id: string, submitted: string) => `${submitted}/${id}`,
  cancel: (id: string) => `/tasks/${id}`,
  state: 'task.state',
  states: { queued: 'running', ready: 'done', broken: 'failed', moderated: 'blocked' },
  reason: ['task.why'],
  blocking: /not allowed/,
  error: ({ code, text }) =>
    code === undefined || code === 0 ? undefined : new DragomanError('conflict', JSON.stringify(text)),
} as const satisfies Partial<TaskApi<unknown>>
const images = imageTasks({
  ...API,
  submit: ({ prompt }) => ({ path: '/draw', body: { prompt } }),
  results: { list: 'task.images', url: 'url', base64: 'data', prompt: 'words' },
  intervalMs: 1000,
  deadlineMs: 60_000,
})
const videos = videoTasks({
  ...API,
  submit: ({ prompt = '' }) => ({ path: '/film', body: { prompt } }),
  results: { list: 'task.video', url: 'url', blocked: ({ safe }) => (safe === false ? 'unsafe' : undefined) },
})
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const drawing: ImageRequest = { model: 'brush', prompt: 'a kite', settings: { count: 2 }, delivery: {} }
const filming: VideoRequest = { model: 'brush', prompt: 'a kite', settings: {} }

let server: ScriptedUpstream
let upstream: DriverUpstream
beforeAll(async () => {
  server = await createScriptedUpstream()
})
afterEach(() => upstream.close())
afterAll(() => server.close())

function lineOf({ method, path }: SeenCall): string {
  return `${method} ${path}`
}

/** The calls since this was called. */
function watch(): () => readonly string[] {
  const before = server.seen.length
  return () => server.seen.slice(before).map(lineOf)
}

/** Starts an upstream that answers a submission, and then polls one after another; the last one again and again. */
function begin(polls: readonly (object | number | 'reset')[], options: DriverUpstreamOptions = {}): DriverUpstream {
  let count = 0
  server.answer((call): ScriptedAnswer | 'reset' => {
    if (call.path === '/kite') return { headers: { 'content-type': 'image/png' }, body: PNG }
    if (call.method !== 'GET') return { body: '{"task":{"id":"t1"}}' }
    const next = polls[Math.min(count++, polls.length - 1)] ?? {}
    if (next === 'reset') return next
    return typeof next === 'number' ? { status: next, body: '{}' } : { body: JSON.stringify({ task: next }) }
  })
  const provider = defineProvider(
    { name: 'acme', baseURL: server.url, endpoints: { own: '.' }, auth: BEARER, models: [] },
    { keys: ['sk-one', 'sk-two'] },
  )
  return (upstream = createDriverUpstream(provider, 'brush-1', options))
}

describe('images from an API of tasks', () => {
  it('are polled for with the key of the submission, and downloaded without a key', async () => {
    const calls = watch()
    const image = { url: `${server.url}/kite`, words: 'a red kite' }
    begin([{ state: 'queued' }, { state: 'ready', images: [image, { data: PNG.toString('base64') }] }])
    const { images: drawn } = await images.draw(drawing, upstream, createLosses())
    const source = { kind: 'base64', mime: 'image/png', data: PNG.toString('base64') }
    expect(drawn).toEqual([{ source, prompt: 'a red kite' }, { source }])
    expect(calls()).toEqual(['POST /draw', 'GET /draw/t1', 'GET /draw/t1', 'GET /kite'])
    const keys = server.seen.slice(-4).map(({ headers }) => headers['authorization'])
    expect(keys).toEqual(['Bearer sk-one', 'Bearer sk-one', 'Bearer sk-one', undefined])
  })

  it('stay URLs if the caller wants URLs', async () => {
    const url = `${server.url}/kite`
    begin([{ state: 'ready', images: { url } }])
    const answer = await images.draw({ ...drawing, delivery: { form: 'url' } }, upstream, createLosses())
    expect(answer.images).toEqual([{ source: { kind: 'url', url } }])
  })

  it('are polled for again after failures that pass', async () => {
    const calls = watch()
    begin([503, 'reset', 429, { state: 'ready', images: { data: PNG.toString('base64') } }])
    await images.draw(drawing, upstream, createLosses())
    expect(calls()).toHaveLength(5)
  })

  it.each([
    ['failed', { state: 'broken', why: 'no paint' }, 'no paint'],
    ['failed without a reason', { state: 'broken' }, 'gives no reason'],
    ['ended without an image', { state: 'ready', images: [{}] }, 'without an image'],
    ['ended without a list', { state: 'ready' }, 'no images'],
  ])('fail if the task has %s', async (_title, task, message) => {
    begin([task])
    await expect(images.draw(drawing, upstream, createLosses())).rejects.toThrow(message)
  })

  it.each([
    { state: 'moderated', why: 'a kite is not nice' },
    { state: 'broken', why: 'kites are not allowed' },
  ])('are blocked, each of them, if moderation says so', async (task) => {
    begin([task])
    const answer = await images.draw(drawing, upstream, createLosses())
    expect(answer.images).toEqual([{ blocked: task.why }, { blocked: task.why }])
  })

  it.each([
    [
      { status: 400, body: '{"error":{"message":"no such ink"}}' },
      { kind: 'invalid-request', message: 'no such ink' },
    ],
    [
      { status: 429, headers: { 'retry-after': '7' }, body: '{"message":"slow down"}' },
      { kind: 'rate-limit', retryAfter: 7 },
    ],
    [{ body: '{"code":12,"text":"out of ink"}' }, { kind: 'conflict', message: '"out of ink"' }],
    [{ body: '<html>' }, { kind: 'upstream' }],
    [{ body: '{"task":{}}' }, { kind: 'upstream', message: 'The upstream has started a task without an id.' }],
  ] as const)('are refused with the error of the upstream: %j', async (answer, error) => {
    begin([])
    server.answer(answer)
    await expect(images.draw(drawing, upstream, createLosses())).rejects.toMatchObject(error)
  })

  it('are cancelled at the upstream when the caller is gone, or when the deadline passes', async () => {
    for (const kind of ['cancelled', 'timeout']) {
      const aborter = new AbortController()
      const clock = createHeldClock()
      begin([{ state: 'queued' }], { clock, signal: aborter.signal })
      const calls = watch()
      const { promise: cancelled, resolve } = Promise.withResolvers<void>()
      server.answer((call) => {
        if (call.method === 'DELETE') resolve()
        if (call.method === 'GET' && kind === 'timeout') clock.pass()
        if (call.method === 'GET' && kind === 'cancelled') aborter.abort()
        return { body: '{"task":{"id":"t1","state":"queued"}}' }
      })
      await expect(images.draw(drawing, upstream, createLosses())).rejects.toMatchObject({ kind })
      await cancelled
      expect(calls().at(-1)).toBe('DELETE /tasks/t1')
      await upstream.close()
    }
  })
})

describe('videos from an API of tasks', () => {
  it('are submitted, and polled when their state is asked for', async () => {
    const calls = watch()
    begin([{ state: 'queued' }, { state: 'ready', video: { url: 'https://acme.example/kite.mp4' } }])
    const token = await videos.submit(filming, upstream, createLosses())
    expect(token).toEqual({ id: 't1', path: '/film' })
    expect(await videos.poll(token, upstream)).toEqual({ status: 'running' })
    const source = { kind: 'url', url: 'https://acme.example/kite.mp4', mime: 'video/mp4' }
    expect(await videos.poll(token, upstream)).toEqual({ status: 'done', videos: [{ source }] })
    expect(calls()).toEqual(['POST /film', 'GET /film/t1', 'GET /film/t1'])
  })

  it.each([
    [{ state: 'moderated', why: 'not nice' }, 'not nice'],
    [{ state: 'broken', why: 'kites are not allowed' }, 'kites are not allowed'],
    [{ state: 'ready', video: { url: 'https://acme.example/kite.mp4', safe: false } }, 'unsafe'],
  ])('can be blocked: %j', async (task, reason) => {
    begin([task])
    const state = await videos.poll({ id: 't1', path: '/film' }, upstream)
    expect(state).toEqual({ status: 'done', videos: [], blocked: { count: 1, reasons: [reason] } })
  })

  it('are blocked at the first poll if their submission was', async () => {
    const calls = watch()
    begin([])
    server.answer({ status: 400, body: '{"message":"kites are not allowed"}' })
    const token = await videos.submit(filming, upstream, createLosses())
    const reasons = ['kites are not allowed']
    expect(await videos.poll(token, upstream)).toEqual({ status: 'done', videos: [], blocked: { count: 1, reasons } })
    expect(calls()).toEqual(['POST /film'])
  })

  it('have failed if the task has, or if it is done without a video', async () => {
    begin([{ state: 'broken', why: 'no film' }, { state: 'ready' }])
    const error = { kind: 'upstream-error', message: 'no film' }
    expect(await videos.poll({ id: 't1', path: '/film' }, upstream)).toMatchObject({ status: 'failed', error })
    expect(await videos.poll({ id: 't1', path: '/film' }, upstream)).toMatchObject({ status: 'failed' })
  })

  it('have an unknown state after three failures that pass, or one that does not', async () => {
    const calls = watch()
    begin([503, 'reset', { state: 'queued' }, 503, 503, 503, 404])
    const token = { id: 't1', path: '/film' }
    expect(await videos.poll(token, upstream)).toEqual({ status: 'running' })
    await expect(videos.poll(token, upstream)).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(videos.poll(token, upstream)).rejects.toMatchObject({ kind: 'not-found' })
    expect(calls()).toHaveLength(7)
  })
})

/** Intervals pass at once; the deadline passes when the test says so. */
function createHeldClock(): Clock & { pass(): void } {
  const held: (() => void)[] = []
  return {
    now: () => 0,
    after(ms, run) {
      if (ms >= 60_000) return (void held.push(run), () => undefined)
      const timer = setImmediate(run)
      return () => clearImmediate(timer)
    },
    pass: () => held.forEach((run) => run()),
  }
}

import { describe, expect, it } from 'vitest'
import { filmProvider, filmUpstream, serveFilms } from './film-upstream.ts'

const BROKEN = { status: 500, body: { error: { code: 500, message: 'broken', status: 'INTERNAL' } } }
const LIMITED = { status: 429, body: { error: { code: 429, message: 'slow down', status: 'RESOURCE_EXHAUSTED' } } }

describe('a poll', () => {
  it('[video.poll] is made again if the upstream fails, as often as a call may be', async () => {
    await using upstream = await filmUpstream()
    await using gateway = await serveFilms([filmProvider(upstream)], { retries: 1 })
    const { name } = (await gateway.submit()).body
    let failures = 1
    upstream.polled = (state) => (failures-- > 0 ? BROKEN : { status: 200, body: state })
    const { status, body } = await gateway.poll(name)
    expect([status, body]).toEqual([200, { name }])
    failures = 2
    expect((await gateway.poll(name)).status).toBe(500)
    expect(upstream.calls.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'GET', 'GET'])
  })

  it('uses the key that has started the task, and no other one if that is refused', async () => {
    await using upstream = await filmUpstream()
    await using gateway = await serveFilms([filmProvider(upstream, {}, 'google', ['sk-one', 'sk-two'])])
    const first = (await gateway.submit()).body
    const second = (await gateway.submit()).body
    upstream.polled = (state) => (upstream.calls.length > 3 ? { status: 200, body: state } : LIMITED)
    expect((await gateway.poll(first.name)).status).toBe(429)
    expect([(await gateway.poll(first.name)).status, (await gateway.poll(second.name)).status]).toEqual([200, 200])
    expect(upstream.calls.map(({ method, key }) => `${method} ${key}`)).toEqual([
      'POST sk-one',
      'POST sk-two',
      'GET sk-one',
      'GET sk-one',
      'GET sk-two',
    ])
  })

  it('takes a place among the calls that its provider may have at once', async () => {
    await using upstream = await filmUpstream()
    const queues = { google: { concurrency: 1, queue: 0, waitMs: 60_000 } }
    await using gateway = await serveFilms([filmProvider(upstream)], { queues })
    const { name } = (await gateway.submit()).body
    const isRunning = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    upstream.polled = async (state) => {
      isRunning.resolve()
      await mayEnd.promise
      return { status: 200, body: state }
    }
    const first = gateway.poll(name)
    await isRunning.promise
    expect((await gateway.poll(name)).status).toBe(503)
    mayEnd.resolve()
    expect((await first).status).toBe(200)
    expect(upstream.calls).toHaveLength(2)
  })
})

describe('a submission whose answer has the status of a success', () => {
  it.each([
    ['goes to another provider if it is an error', { error: { code: 500, message: 'broken' } }, 200],
    ['may have been accepted if it cannot be read: it is not repeated', { id: 1 }, 502],
  ])('%s', async (_what, body, status) => {
    await using broken = await filmUpstream()
    await using upstream = await filmUpstream()
    broken.accept = () => ({ status: 200, body })
    await using gateway = await serveFilms([filmProvider(broken, {}, 'first'), filmProvider(upstream, {}, 'second')], {
      aliases: { film: { routes: [{ model: 'first/veo' }, { model: 'second/veo' }] } },
    })
    const instances = [{ prompt: 'a' }]
    const answer = await gateway.post('predictLongRunning', { instances }, 'sk-alice', 'google/models/film')
    expect(answer.status).toBe(status)
    expect([broken.calls.length, upstream.calls.length]).toEqual([1, status === 200 ? 1 : 0])
  })
})

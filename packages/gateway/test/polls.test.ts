import { protocols } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import type { GatewayOptions } from '../src/index.ts'
import { card } from './fake-protocol.ts'
import { fakeProvider, type KeptReply, type ScriptedCall } from './scripted.ts'
import { KEY, setUp } from './set-up.ts'

const film = card('film', { video: {}, output: ['video'] })
const MODEL = '/api/vertex-ai/v1/publishers/first/models/film'

/** A gateway with two providers of the same model, and an operation that the first has begun. */
async function begin(options: Partial<GatewayOptions> = {}) {
  const world = setUp({
    protocols,
    providers: ['first', 'second'].map((name) => fakeProvider(name, ['genai'], [film])),
    sealingKeys: ['0123456789abcdef0123456789abcdef'],
    breaker: { leastFaults: 1 },
    ...options,
  })
  const { transport, send } = world
  /** The upstream calls are numbered from 1, the submission. */
  const called = async (count: number): Promise<ScriptedCall> => {
    await expect.poll(() => transport.calls.length).toBe(count)
    return transport.last
  }
  const submitted = await send(JSON.stringify({ instances: [{ prompt: 'A cat.' }] }), `${MODEL}:predictLongRunning`)
  answer(await called(1), 200, { name: 'models/film/operations/1' })
  await over(submitted)
  const { name } = JSON.parse(submitted.text) as { readonly name: string }
  const poll = (headers: Record<string, string> = {}): Promise<KeptReply> =>
    send(JSON.stringify({ operationName: name }), `${MODEL}:fetchPredictOperation`, { ...KEY, ...headers })
  return { ...world, called, poll }
}

function answer(call: ScriptedCall, status: number, body: object): void {
  call.head(status)
  call.chunk(JSON.stringify(body))
  call.end()
}

async function over(reply: KeptReply): Promise<KeptReply> {
  await expect.poll(() => reply.state).not.toBe('open')
  return reply
}

const RUNNING = { name: 'models/film/operations/1' }

describe('a poll, while the breaker of its route is open', () => {
  it('is sent if no other call is, and the others are told when to come back', async () => {
    const { poll, called } = await begin()
    const failed = await poll()
    answer(await called(2), 500, { error: { code: 500, message: 'Broken.', status: 'INTERNAL' } })
    expect((await over(failed)).status).toBe(500)
    const trial = await poll()
    const upstream = await called(3)
    const refused = await over(await poll())
    expect([refused.status, JSON.parse(refused.text)]).toEqual([
      503,
      {
        error: {
          code: 503,
          message: 'The model is not available now: its upstream has failed lately.',
          status: 'UNAVAILABLE',
          details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '15s' }],
        },
      },
    ])
    expect(refused.headers['retry-after']).toBe('15')
    await called(3)
    answer(upstream, 200, RUNNING)
    expect((await over(trial)).status).toBe(200)
    // The upstream is back.
    const next = await poll()
    answer(await called(4), 200, RUNNING)
    expect((await over(next)).status).toBe(200)
  })
})

describe('a poll with preferences', () => {
  it.each([
    { providers: ['second'] },
    { providers: ['gone'] },
    { fallback: 'gone' },
    { available_models: ['second/film'] },
    { task_type: 'embedding' },
    { on_loss: 'refuse' },
    'not JSON',
  ])('goes to the provider that knows its task: %j', async (preferences) => {
    const { poll, called } = await begin()
    const text = typeof preferences === 'string' ? preferences : JSON.stringify(preferences)
    const reply = await poll({ 'x-dragoman-routing': text, 'x-dragoman-strict': 'true' })
    const upstream = await called(2)
    expect(upstream.call.url).toContain('first.test')
    answer(upstream, 200, RUNNING)
    expect((await over(reply)).status).toBe(200)
  })

  it('is not refused by the policy of its key', async () => {
    const keys = { find: (id: string) => ({ id, routing: { onLoss: 'refuse', fallback: false } as const }) }
    const { poll, called } = await begin({ keys })
    const reply = await poll()
    answer(await called(2), 200, RUNNING)
    expect((await over(reply)).status).toBe(200)
  })
})

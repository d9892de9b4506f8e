import { protocols } from '@dragoman/core/protocols'
import { BEARER, defineProvider } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import type { GatewayOptions } from '../src/index.ts'
import { card } from './fake-protocol.ts'
import { fakeProvider, type ScriptedCall } from './scripted.ts'
import { setUp, SSE } from './set-up.ts'

const CHAT = '/api/v1/chat/completions'
const MESSAGES = [{ role: 'user', content: 'Hi' }]
const ANSWER = '{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[]}'
const BOTH = { providers: ['first', 'second'] }
const providers = [fakeProvider('first', ['chat']), fakeProvider('second', ['chat'])]

function serve(options: Partial<GatewayOptions> = {}) {
  const world = setUp({ protocols, providers, ...options })
  const ask = (provider: object = BOTH, more: object = {}) =>
    world.send(JSON.stringify({ model: 'first/m', messages: MESSAGES, provider, ...more }), CHAT)
  return { ...world, ask, hosts: () => world.transport.calls.map(({ call }) => new URL(call.url).host.split('.')[0]) }
}

/** Answers with an error of OpenAI. */
function refuse(call: ScriptedCall, status: number, headers: Record<string, string> = {}, error: object = {}): void {
  call.head(status, { 'content-type': 'application/json', ...headers })
  call.chunk(JSON.stringify({ error: { message: 'no', type: 'x', ...error } }))
  call.end()
}

function answer(call: ScriptedCall): void {
  call.head(200)
  call.chunk(ANSWER)
  call.end()
}

describe('the next route', () => {
  it.each([401, 402, 403, 408, 409, 429, 500, 502, 503, 504, 529])(
    '[route.fallback] is tried after an upstream’s %i, and the log and a header have both attempts',
    async (status) => {
      const { ask, transport, hosts, log, ledger } = serve()
      const reply = await ask()
      refuse(transport.last, status)
      expect(hosts()).toEqual(['first', 'second'])
      expect(reply.state).toBe('open')
      answer(transport.last)
      expect([reply.status, reply.headers['x-dragoman-model']]).toEqual([200, 'second/m'])
      expect(reply.headers['x-dragoman-attempts']).toMatch(/^2: first\/m [a-z-]+, second\/m$/)
      expect(log.entries[0]?.attempts).toMatchObject([
        { model: 'first/m', status, outcome: 'failed' },
        { model: 'second/m', status: 200, outcome: 'complete' },
      ])
      expect(ledger.records).toMatchObject([{ provider: 'second' }])
    },
  )

  it.each([400, 404, 413, 422])('[route.fallback] is not tried after a mistake of the caller: %i', async (status) => {
    const { ask, transport, hosts } = serve()
    const reply = await ask()
    refuse(transport.last, status)
    expect(hosts()).toEqual(['first'])
    expect(reply.status).toBe(status)
  })

  it('[route.fallback] is not tried once the answer has begun: an answer is never mixed', async () => {
    const { ask, transport, hosts } = serve()
    const reply = await ask(BOTH, { stream: true })
    transport.last.head(200, SSE)
    transport.last.chunk('data: {"id":"c","choices":[{"index":0,"delta":{"content":"a"}}]}\n\n')
    transport.last.fail('reset')
    expect(hosts()).toEqual(['first'])
    expect(reply.state).toBe('cut')
  })

  it.each(['reset', 'timeout'] as const)(
    '[route.fallback] is tried if a stream breaks before its first byte: %s',
    async (kind) => {
      const { ask, transport, hosts } = serve()
      const reply = await ask(BOTH, { stream: true })
      transport.last.head(200, SSE)
      transport.last.fail(kind)
      expect(hosts()).toEqual(['first', 'second'])
      transport.last.head(200, SSE)
      transport.last.chunk(
        'data: {"id":"c","choices":[{"index":0,"delta":{"content":"b"},"finish_reason":"stop"}]}\n\n',
      )
      transport.last.chunk('data: [DONE]\n\n')
      transport.last.end()
      expect([reply.state, reply.text.includes('"b"')]).toEqual(['ended', true])
    },
  )

  it('[route.fallback] is tried if a whole answer breaks off', async () => {
    const { ask, transport, hosts } = serve()
    const reply = await ask()
    transport.last.head(200)
    transport.last.chunk(ANSWER.slice(0, 20))
    transport.last.fail('reset')
    expect(hosts()).toEqual(['first', 'second'])
    answer(transport.last)
    expect(reply.text).toContain('"model":"first/m"')
  })

  it.each([
    ['true', ['first', 'second']],
    [true, ['first', 'second']],
    ['second', ['first', 'second']],
    ['false', ['first']],
    [false, ['first']],
  ])('[route.fallback] is there where the call wants it: %j', async (fallback, expected) => {
    const { ask, transport, hosts } = serve()
    await ask({ fallback })
    refuse(transport.last, 500)
    expect(hosts()).toEqual(expected)
  })

  it('[route.fallback] of a named provider comes after all others', async () => {
    const three = [...providers, fakeProvider('third', ['chat'])]
    const { ask, transport, hosts } = serve({ providers: three })
    await ask({ providers: ['second', 'third'], fallback: 'first' })
    refuse(transport.last, 500)
    refuse(transport.last, 500)
    expect(hosts()).toEqual(['second', 'third', 'first'])
  })

  it('is one with a larger context after a prompt that was too long', async () => {
    const sized = (name: string, context: number) => fakeProvider(name, ['chat'], [card('m', { context })])
    const three = [sized('first', 1000), sized('second', 500), sized('third', 2000)]
    const { ask, transport, hosts } = serve({ providers: three })
    await ask({ providers: ['first', 'second', 'third'] })
    refuse(transport.last, 400, {}, { code: 'context_length_exceeded' })
    expect(hosts()).toEqual(['first', 'third'])
    refuse(transport.last, 400, {}, { code: 'context_length_exceeded' })
    expect(hosts()).toEqual(['first', 'third'])
  })
})

describe('a route that cannot take the request', () => {
  it('is passed over', async () => {
    const two = [fakeProvider('first', ['messages']), fakeProvider('second', ['genai'])]
    const { send, hosts } = serve({ providers: two, aliases: { pool: { routes: ['first/m', 'second/m'] } } })
    // No messages upstream takes this media, and one of its own protocol does.
    const contents = [
      { role: 'user', parts: [{ inlineData: { mimeType: 'chemical/x-pdb', data: 'AAAA' } }, { text: 'Hi' }] },
    ]
    const path = '/api/vertex-ai/v1/publishers/google/models/pool:generateContent'
    await send(JSON.stringify({ contents }), path)
    expect(hosts()).toEqual(['second'])
  })

  it('ends the call with its own error if no other can', async () => {
    const two = ['first', 'second'].map((name) => fakeProvider(name, ['messages']))
    const { send, hosts } = serve({ providers: two, aliases: { pool: { routes: ['first/m', 'second/m'] } } })
    const contents = [
      { role: 'user', parts: [{ inlineData: { mimeType: 'chemical/x-pdb', data: 'AAAA' } }, { text: 'Hi' }] },
    ]
    const reply = await send(
      JSON.stringify({ contents }),
      '/api/vertex-ai/v1/publishers/google/models/pool:generateContent',
    )
    expect([reply.status, hosts(), reply.text.includes('chemical/x-pdb')]).toEqual([400, [], true])
  })

  it('has its own time to begin an answer', async () => {
    const routes = ['first/m', 'second/m']
    const { ask, transport } = serve({ aliases: { pool: { routes, headMs: 2000 } }, deadlines: { head: 5000 } })
    await ask({}, { model: 'pool' })
    await ask({}, { model: 'first/m' })
    expect(transport.calls.map(({ call }) => call.deadlines.head)).toEqual([2000, 5000])
  })
})

describe('another attempt', () => {
  it('waits for a random time that doubles, up to the given number', async () => {
    const { ask, transport, hosts, clock } = serve({ retries: 2, random: () => 1 })
    const reply = await ask()
    for (const [index, wait] of [250, 500].entries()) {
      refuse(transport.last, 500)
      refuse(transport.last, 503)
      clock.advance(wait - 1)
      expect(hosts()).toHaveLength(2 * (index + 1))
      clock.advance(1)
      expect(hosts()).toHaveLength(2 * (index + 1) + 1)
    }
    refuse(transport.last, 500)
    refuse(transport.last, 503)
    expect([reply.status, hosts().length]).toEqual([503, 6])
  })

  it('waits as long as the upstream asks for, unless that is too long', async () => {
    const { ask, transport, hosts, clock } = serve({ retries: 2, random: () => 0 })
    const reply = await ask({ fallback: false })
    refuse(transport.last, 429, { 'retry-after': '3' })
    clock.advance(2999)
    expect(hosts()).toEqual(['first'])
    clock.advance(1)
    expect(hosts()).toEqual(['first', 'first'])
    refuse(transport.last, 429, { 'retry-after': '60' })
    expect([reply.status, reply.headers['retry-after']]).toEqual([429, '60'])
  })

  it('is not made for a client that has left', async () => {
    const { ask, transport, hosts, clock } = serve({ retries: 1, random: () => 1 })
    const reply = await ask({ fallback: false })
    refuse(transport.last, 500)
    reply.onGone?.()
    clock.advance(10_000)
    expect(hosts()).toEqual(['first'])
  })

  it('is made at once on a connection that had gone stale', async () => {
    const { ask, transport, hosts } = serve()
    const reply = await ask({ fallback: false })
    transport.last.fail('reset', { stale: true })
    expect(hosts()).toEqual(['first', 'first'])
    transport.last.fail('reset', { stale: true })
    expect([hosts().length, reply.status]).toEqual([2, 502])
  })
})

describe('a breaker', () => {
  const failing = async (world: ReturnType<typeof serve>, status: number, times: number) => {
    for (let time = 0; time < times; time++) {
      await world.ask({ fallback: false })
      refuse(world.transport.last, status)
    }
  }

  it('opens after faults of the upstream, sends calls elsewhere, and closes after a trial', async () => {
    const world = serve()
    const { ask, transport, hosts, clock } = world
    await failing(world, 500, 5)
    await ask()
    expect(hosts().slice(5)).toEqual(['second'])
    answer(transport.last)
    clock.advance(15_000)
    await ask()
    expect(hosts().slice(6)).toEqual(['first'])
    // Only one call tries it.
    const trial = transport.last
    await ask()
    expect(hosts().slice(7)).toEqual(['second'])
    answer(trial)
    await ask()
    expect(hosts().slice(8)).toEqual(['first'])
  })

  it.each([400, 401, 403, 408, 409, 429])('never opens because of %i', async (status) => {
    const world = serve()
    await failing(world, status, 20)
    await world.ask()
    expect(world.hosts().slice(20)).toEqual(['first'])
  })

  it('of the only route lets one call through at a time, and refuses the others with a time to wait', async () => {
    const world = serve()
    const { ask, transport, hosts } = world
    await failing(world, 500, 5)
    await ask({ fallback: false })
    expect(hosts()).toHaveLength(6)
    const refused = await ask({ fallback: false })
    expect([refused.status, Number(refused.headers['retry-after']) > 0, hosts().length]).toEqual([503, true, 6])
    answer(transport.last)
    await ask({ fallback: false })
    expect(hosts()).toHaveLength(7)
  })
})

describe('the queue of a provider', () => {
  const queues = { first: { concurrency: 1, queue: 1, waitMs: 5000 } }

  it('holds calls until one is over, and sends those beyond it to the next route', async () => {
    const { ask, transport, hosts } = serve({ queues })
    await ask()
    const first = transport.last
    await ask()
    expect(hosts()).toEqual(['first'])
    await ask()
    expect(hosts()).toEqual(['first', 'second'])
    answer(first)
    expect(hosts()).toEqual(['first', 'second', 'first'])
  })

  it('that is full does not hide the error of a route that has failed', async () => {
    const { ask, transport, hosts } = serve({ queues: { second: { concurrency: 1, queue: 0, waitMs: 5000 } } })
    await ask({ providers: ['second'] })
    const reply = await ask()
    refuse(transport.last, 500)
    expect([reply.status, hosts()]).toEqual([500, ['second', 'first']])
  })

  it('refuses with 503 where there is no other route, and forgets a client that has left', async () => {
    const { ask, transport, hosts, clock } = serve({ queues })
    await ask({ fallback: false })
    const waiting = await ask({ fallback: false })
    const refused = await ask({ fallback: false })
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1'])
    waiting.onGone?.()
    const late = await ask({ fallback: false })
    clock.advance(5000)
    expect([late.status, hosts()]).toEqual([503, ['first']])
    answer(transport.last)
    await ask({ fallback: false })
    expect(hosts()).toEqual(['first', 'first'])
  })
})

describe('the keys of a provider', () => {
  const keyed = (now: () => number) =>
    defineProvider(
      { name: 'first', models: [card('m')], endpoints: { chat: 'https://first.test' }, auth: BEARER },
      { keys: ['key-1', 'key-2'], now },
    )
  const secrets = (calls: readonly ScriptedCall[]) => calls.map(({ call }) => call.headers['authorization'] ?? 'none')

  it.each([401, 402, 403, 429])('are tried one after another when one is refused or limited: %i', async (status) => {
    const { ask, transport, log } = serve({ providers: [keyed(() => 0), fakeProvider('second', ['chat'])] })
    const reply = await ask()
    refuse(transport.last, status)
    expect(secrets(transport.calls)).toEqual(['Bearer key-1', 'Bearer key-2'])
    answer(transport.last)
    expect([reply.status, log.entries[0]?.attempts.length]).toEqual([200, 2])
  })

  it('that are all refused lead to the next route', async () => {
    const { ask, transport } = serve({ providers: [keyed(() => 0), fakeProvider('second', ['chat'])] })
    await ask()
    refuse(transport.last, 403)
    refuse(transport.last, 403)
    expect(secrets(transport.calls)).toEqual(['Bearer key-1', 'Bearer key-2', 'none'])
  })

  it('that are all limited lead to the next route, and rest while there is one', async () => {
    let now = 0
    const { ask, transport } = serve({ providers: [keyed(() => now), fakeProvider('second', ['chat'])] })
    await ask()
    refuse(transport.last, 429, { 'retry-after': '20' })
    refuse(transport.last, 429, { 'retry-after': '20' })
    expect(secrets(transport.calls)).toEqual(['Bearer key-1', 'Bearer key-2', 'none'])
    answer(transport.last)
    await ask()
    expect(secrets(transport.calls)).toHaveLength(4)
    expect(secrets(transport.calls).at(-1)).toBe('none')
    now = 20_000
    await ask()
    expect(secrets(transport.calls).at(-1)).toBe('Bearer key-1')
  })

  it('that are all limited are still used where there is no other route: one 429 does not close it', async () => {
    const { ask, transport } = serve({ providers: [keyed(() => 0)] })
    await ask({ fallback: false })
    refuse(transport.last, 429)
    refuse(transport.last, 429)
    const reply = await ask({ fallback: false })
    answer(transport.last)
    expect(reply.status).toBe(200)
  })
})

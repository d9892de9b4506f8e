import type { Protocol } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import type { Provider } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import { createMemoryKeys, type GatewayOptions } from '../src/index.ts'
import { fakeProtocol } from './fake-protocol.ts'
import { fakeProvider } from './scripted.ts'
import { setUp } from './set-up.ts'

const CHAT = '/api/v1/chat/completions'
const COUNT = { operation: 'count' }
const MESSAGES = [{ role: 'user', content: 'Hi' }]
const red = fakeProtocol('red', '/red')
/** The first provider needs a translation, the second does not. */
const providers = [fakeProvider('first', ['messages']), fakeProvider('second', ['chat'])]

function serve(options: Partial<GatewayOptions> = {}) {
  const world = setUp({ protocols, providers, ...options })
  const ask = (provider: object, more: object = {}) =>
    world.send(
      JSON.stringify({ model: 'first/m', messages: MESSAGES, provider, top_logprobs: 2, logprobs: true, ...more }),
      CHAT,
    )
  return { ...world, ask, urls: () => world.transport.calls.map(({ call }) => new URL(call.url).host) }
}

const ANSWER = '{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[]}'

describe('routes', () => {
  const both = { providers: ['first', 'second'] }

  const failures = ['refused', 'dns', 'reset', 'timeout', 'tls'] as const
  it.each(failures)('[route.priority] are tried in order while upstreams cannot be reached: %s', async (kind) => {
    const { ask, transport, urls, log, ledger } = serve()
    const reply = await ask(both)
    transport.last.fail(kind)
    expect(urls()).toEqual(['first.test', 'second.test'])
    expect(reply.state).toBe('open')
    transport.last.head(200)
    transport.last.chunk(ANSWER)
    transport.last.end()
    const named = ANSWER.replace('"model":"m"', '"model":"first/m"')
    expect(reply).toMatchObject({ status: 200, text: named, headers: { 'x-dragoman-model': 'second/m' } })
    // The losses of the first attempt are not those of the response.
    expect(reply.headers['x-dragoman-losses']).toBeUndefined()
    expect(log.entries).toMatchObject([{ provider: 'second', mode: 'relay', losses: [] }])
    expect(ledger.records).toMatchObject([{ operation: 'generate', provider: 'second', outcome: 'complete' }])
  })

  it('end in the error of the last one', async () => {
    const { ask, transport, urls } = serve()
    const reply = await ask(both)
    transport.last.fail('refused')
    transport.last.fail('dns')
    expect(urls()).toEqual(['first.test', 'second.test'])
    expect([reply.status, reply.text]).toMatchObject([502, expect.stringContaining('could not be found')])
  })

  it.each([false, 'false'])('are those of one provider where the caller wants no other: %j', async (fallback) => {
    const { ask, transport, urls } = serve()
    const reply = await ask({ ...both, fallback })
    transport.last.fail('refused')
    expect(urls()).toEqual(['first.test'])
    expect(reply.status).toBe(502)
  })

  it('are those that the key may use', async () => {
    const keys = createMemoryKeys([{ id: 'tester', secret: 'secret', models: ['second/*'] }])
    const { ask, urls } = serve({ keys })
    await ask(both)
    expect(urls()).toEqual(['second.test'])
    expect((await ask({ providers: ['first'] })).status).toBe(403)
  })

  it('can be stopped on the second attempt when the client leaves', async () => {
    const { ask, transport } = serve()
    const reply = await ask(both)
    transport.last.fail('refused')
    reply.onGone?.()
    expect(transport.last.flow.cancelled).toBe(true)
  })
})

/** Counts calls, and reads from the body which providers may answer. */
const counted: Protocol = {
  ...red,
  http: { ...red.http, match: (method, path) => (method === 'POST' && path === '/count' ? COUNT : undefined) },
  relay: {
    ...red.relay,
    peek: () => ({ model: 'first/m', stream: false, routing: { providers: ['first', 'second'] } }),
  },
  count: {
    request: (body) => body,
    encode: (tokens) => ({ tokens }),
    decode: ({ tokens }) => (typeof tokens === 'number' ? tokens : undefined),
  },
}

describe('a count', () => {
  const serveCount = (...providers: readonly Provider[]) => setUp({ protocols: [counted], providers })
  const silent = fakeProvider('first', ['red'])
  const counting = { ...fakeProvider('second', ['red']), counts: ['red'] }

  it('skips a route that does not count', async () => {
    const { send, transport, ledger } = serveCount(silent, counting)
    const reply = await send('{"model":"first/m"}', '/red/count')
    expect(transport.last.call.url).toMatch(/^https:\/\/second.test/)
    transport.last.head(200)
    transport.last.chunk('{"tokens":7}')
    transport.last.end()
    expect(reply).toMatchObject({ status: 200, text: '{"tokens":7}', headers: { 'x-dragoman-model': 'second/m' } })
    expect(ledger.records).toMatchObject([{ operation: 'count', usage: undefined }])
  })

  it('goes on to the next route that counts where one cannot be reached', async () => {
    const { send, transport } = serveCount({ ...silent, counts: ['red'] }, counting)
    await send('{"model":"first/m"}', '/red/count')
    transport.last.fail('refused')
    expect(transport.last.call.url).toMatch(/^https:\/\/second.test/)
  })

  it('is estimated for the best route where none counts, and is then no call', async () => {
    const { send, transport, ledger } = serveCount(silent, fakeProvider('second', ['red']))
    const reply = await send('{"model":"first/m"}', '/red/count')
    expect(reply.headers).toMatchObject({ 'x-dragoman-estimated': 'true', 'x-dragoman-model': 'first/m' })
    expect(transport.calls).toEqual([])
    expect(ledger.records).toEqual([])
  })
})

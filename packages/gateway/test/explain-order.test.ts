import { usd } from '@dragoman/core/provider'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CHAT, explaining, hostOf, preferences } from './explaining.ts'
import { card } from './fake-protocol.ts'
import { fakeProvider, type ScriptedCall } from './scripted.ts'

const USER = { role: 'user', content: 'Hi' }
const cheap = fakeProvider('cheap', ['chat'], [card('m', { quality: 40 })])
const good = fakeProvider('good', ['chat'], [card('m', { quality: 90 })])
const other = fakeProvider('other', ['messages', 'genai'], [card('m', { quality: 60 })])
const providers = [cheap, good, other]

function fail(call: ScriptedCall, how: 'fault' | 'unreached'): void {
  if (how === 'unreached') return call.fail('refused')
  call.head(503)
  call.chunk('{"error":{"message":"broken"}}')
  call.end()
}

describe('the order of an explanation', () => {
  it.each([
    [{ provider: { primary_factor: 'quality' } }, ['good', 'other', 'cheap']],
    [{ provider: { type: 'priority', providers: ['other', 'cheap'] } }, ['other', 'cheap']],
    [{ provider: { type: 'round_robin' } }, ['cheap', 'good', 'other']],
    [{ model_routing_config: { available_models: ['good/m', 'cheap/m'], preference: 'cheap/m' } }, ['cheap', 'good']],
  ])('is the order that a call takes: %j', async (asked, expected) => {
    const { explain, call, transport } = explaining({ providers })
    const body = { model: 'cheap/m', messages: [USER], ...asked }
    const { routes } = await explain(body)
    expect(routes.filter(({ reasons }) => !reasons.join().includes('another protocol')).map((r) => r.provider)).toEqual(
      expected,
    )
    await call(body)
    for (let index = 0; index < expected.length; index++) fail(transport.last, 'fault')
    expect(transport.calls.map((each) => hostOf(each.call.url))).toEqual(expected)
    for (const { reasons } of routes) expect(reasons.length).toBeGreaterThan(0)
  })

  it('has further protocols of a route, which are tried only if nothing can be reached', async () => {
    const { explain, call, transport } = explaining({ providers })
    const body = { model: 'other/m', messages: [USER] }
    const { routes } = await explain(body)
    expect(routes.map(({ protocol, reasons }) => [protocol, reasons])).toEqual([
      ['messages', ['the only route of the model']],
      ['genai', ['the same model in another protocol: only if the first cannot be reached or has no endpoint']],
    ])
    await call(body)
    fail(transport.last, 'unreached')
    expect(transport.calls.map((each) => each.call.url)).toEqual(routes.map(({ request }) => request?.url))
  })

  it('takes no turn, and the call after it does', async () => {
    const { explain, call, transport } = explaining({ providers: [cheap, good] })
    const body = { model: 'cheap/m', messages: [USER], provider: { type: 'round_robin' } }
    for (const expected of ['cheap', 'good', 'cheap']) {
      for (let again = 0; again < 3; again++) expect((await explain(body)).routes[0]?.provider).toBe(expected)
      await call(body)
      expect(hostOf(transport.last.call.url)).toBe(expected)
    }
  })

  it('follows the conversation of a caller, and does not begin one', async () => {
    const { explain, call, transport } = explaining({ providers: [cheap, good] })
    const turn = { model: 'cheap/m', messages: [USER, { role: 'assistant', content: 'Yes?' }, USER] }
    const asked = (first: string) => ({ ...turn, provider: { type: 'priority', providers: [first, 'cheap', 'good'] } })
    await explain({ ...asked('good'), messages: [USER] })
    expect((await explain(asked('cheap'))).routes[0]?.provider).toBe('cheap')
    await call({ ...asked('good'), messages: [USER] })
    expect(hostOf(transport.last.call.url)).toBe('good')
    const [first] = (await explain(asked('cheap'))).routes
    expect([first?.provider, first?.reasons]).toEqual([
      'good',
      expect.arrayContaining(['it has served this conversation']),
    ])
  })

  it('forgets a conversation in time, however often it is explained', async () => {
    const { explain, call, clock } = explaining({ providers: [cheap, good] })
    const turn = { model: 'good/m', messages: [USER, { role: 'assistant', content: 'Yes?' }, USER] }
    const wanted = { provider: { type: 'priority', providers: ['cheap', 'good'] } }
    await call({ ...turn, messages: [USER], provider: { type: 'priority', providers: ['good', 'cheap'] } })
    clock.advance(1_800_000)
    expect((await explain({ ...turn, ...wanted })).routes[0]?.provider).toBe('good')
    clock.advance(1_800_000)
    expect((await explain({ ...turn, ...wanted })).routes[0]?.provider).toBe('cheap')
  })

  it('has the routes that a call must not take, with the reason', async () => {
    const pool = { routes: [{ model: 'good/m', when: { tools: true } }, 'cheap/m'] }
    const { explain } = explaining({ providers, aliases: { pool } })
    const { routes, skipped, policy } = await explain({ model: 'pool', messages: [USER] })
    expect(routes.map(({ model, reasons }) => [model, reasons])).toEqual([
      ['cheap/m', ['it speaks the protocol of the caller']],
    ])
    expect(skipped).toEqual([
      {
        provider: 'good',
        model: 'good/m',
        upstreamModel: 'm',
        protocol: 'chat',
        reasons: ['it is for calls with tools'],
      },
    ])
    expect(policy).toEqual({ type: 'priority' })
  })

  it('has routes that failed lately at the end', async () => {
    const { explain, call, transport } = explaining({ providers: [cheap, good], breaker: { leastFaults: 1 } })
    const body = { model: 'cheap/m', messages: [USER], provider: { type: 'priority', fallback: 'good' } }
    await call(body)
    fail(transport.last, 'fault')
    const { routes } = await explain(body)
    expect(routes.map(({ provider }) => provider)).toEqual(['good', 'cheap'])
    expect(routes[1]?.reasons).toContain('it has failed lately')
  })

  it('leaves out a route that the request cannot be written for; without another, the error is that of the call', async () => {
    const path = '/api/vertex-ai/v1beta/models/pool:generateContent'
    // No messages upstream takes this media.
    const parts = [{ inlineData: { mimeType: 'chemical/x-pdb', data: 'AAAA' } }]
    const body = { contents: [{ role: 'user', parts }] }
    const aliases = { pool: { routes: ['first/m', 'second/m'] } }
    const first = fakeProvider('first', ['messages'])
    const able = explaining({ providers: [first, fakeProvider('second', ['genai'])], aliases })
    expect(await able.explain(body, path)).toMatchObject({
      routes: [{ model: 'second/m' }],
      skipped: [{ model: 'first/m', reasons: [expect.stringContaining('chemical/x-pdb')] }],
    })
    const unable = explaining({ providers: [first, fakeProvider('second', ['messages'])], aliases })
    const [explained, called] = [await unable.explainReply(body, path), await unable.answered(body, path)]
    expect([explained.status, explained.text]).toEqual([400, called.text])
  })
})

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const names = ['one', 'two', 'three']
const worlds = fc.record({
  cards: fc.tuple(
    ...names.map(() =>
      fc.record({
        quality: fc.constantFrom(40, 70, 90),
        price: fc.constantFrom(1, 2),
        context: fc.constantFrom(1, 1000),
      }),
    ),
  ),
  speaks: fc.tuple(...names.map(() => fc.constantFrom('chat', 'messages', 'genai'))),
  asked: fc.record({
    provider: fc.record({
      type: maybe(fc.constantFrom('priority', 'round_robin', 'least_latency')),
      primary_factor: maybe(fc.constantFrom('cost', 'speed', 'quality')),
      providers: maybe(fc.shuffledSubarray(names, { minLength: 1 })),
      fallback: maybe(fc.constantFrom(true, false, 'two')),
    }),
    model_routing_config: maybe(
      fc.record({ task_info: fc.record({ complexity: fc.constantFrom('low', 'medium', 'high') }) }),
    ),
  }),
  onLoss: fc.constantFrom('allow', 'reroute'),
})

describe('any order of an explanation', () => {
  it('is the order that the call takes', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async ({ cards, speaks, asked, onLoss }) => {
        const all = names.map((name, index) => {
          const { price = 1, ...facts } = cards[index] ?? {}
          return fakeProvider(
            name,
            [speaks[index] ?? 'chat'],
            [card('m', { ...facts, prices: usd({ prompt: price }) })],
          )
        })
        const { explain, call, transport } = explaining({ providers: all })
        // Messages has no log probabilities.
        const body = { model: 'one/m', messages: [USER], top_logprobs: 2, logprobs: true, ...asked }
        const headers = preferences({ on_loss: onLoss })
        const { routes, skipped } = await explain(body, CHAT, headers)
        const reply = await call(body, CHAT, headers)
        while (reply.state === 'open') fail(transport.last, 'fault')
        expect(transport.calls.map((each) => each.call.url)).toEqual(routes.map(({ request }) => request.url))
        const tried = transport.calls.map((each) => hostOf(each.call.url))
        expect(skipped.filter(({ provider }) => tried.includes(provider))).toEqual([])
      }),
      { numRuns: Number(process.env['DRAGOMAN_RUNS'] ?? 100) },
    )
  })
})

import { protocols } from '@dragoman/core/protocols'
import { perCount, usd, type Card } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import type { GatewayOptions, Stage } from '../src/index.ts'
import { card } from './fake-protocol.ts'
import { fakeProvider, type ScriptedCall } from './scripted.ts'
import { KEY, setUp } from './set-up.ts'

/** As accounts do for a key with a budget. */
const required: Stage = { beforeRoute: (call) => call.requirePrice() }
const VERSION = { 'anthropic-version': '2023-06-01' }
const HELLO = [{ role: 'user', content: 'Hello.' }]
const WHOLE = { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices: [] }
const USAGE = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
const prices = usd({ prompt: 1, completion: 10 })

const PATH = {
  chat: '/api/v1/chat/completions',
  messages: '/api/anthropic/v1/messages',
  responses: '/api/v1/responses',
} as const

function serve(cards: readonly Partial<Card>[], upstream = 'chat', options: Partial<GatewayOptions> = {}) {
  const providers = cards.map((facts, index) => fakeProvider(`p${index}`, [upstream], [card('m', facts)]))
  const world = setUp({ protocols, providers, stages: [required], ...options })
  const ask = (more: object = {}, path: string = PATH.chat) =>
    world.send(JSON.stringify({ model: 'p0/m', messages: HELLO, max_tokens: 50, ...more }), path, {
      ...KEY,
      ...VERSION,
    })
  return { ...world, ask }
}

function answer(call: ScriptedCall, body: object): void {
  call.head(200)
  call.chunk(JSON.stringify(body))
  call.end()
}

const messageOf = (text: string): unknown => (JSON.parse(text) as { error: { message: string } }).error.message

describe('a call that must have a price', () => {
  it('is refused with a 403 that names the setting, if the model has none', async () => {
    const { ask, transport } = serve([{}], 'chat', { pricesAt: 'providers.p0.overrides' })
    const reply = await ask()
    expect(reply.status).toBe(403)
    expect(JSON.parse(reply.text)).toMatchObject({ error: { code: 'price_unknown' } })
    expect(messageOf(reply.text)).toBe(
      'The model "p0/m" has no price, and this key has a budget. The operator can state one in providers.p0.overrides.',
    )
    expect(transport.calls).toEqual([])
  })

  it('is refused if a part of it has none', async () => {
    const { ask } = serve([{ prices: usd({ prompt: 1 }) }])
    expect(messageOf((await ask()).text)).toContain('The model "p0/m" has no price for completion, and')
  })

  it('is served at another route that has one', async () => {
    const { ask, transport } = serve([{}, { prices }])
    const reply = await ask({ provider: { providers: ['p0', 'p1'] } })
    answer(transport.last, { ...WHOLE, usage: USAGE })
    expect([reply.status, reply.headers['x-dragoman-model']]).toEqual([200, 'p1/m'])
  })

  it('is charged by the ceiling of the card, marked', async () => {
    const { ask, transport, ledger } = serve([{ ceiling: usd({ prompt: 5, completion: 50 }) }])
    await ask()
    answer(transport.last, { ...WHOLE, usage: USAGE })
    expect(ledger.records).toMatchObject([{ cost: { total: 100 * 5000 + 10 * 50_000, ceiling: true } }])
  })

  it('has no cost by a ceiling if nothing requires a price', async () => {
    const { ask, transport, ledger } = serve([{ ceiling: usd({ prompt: 5, completion: 50 }) }], 'chat', { stages: [] })
    await ask()
    answer(transport.last, { ...WHOLE, usage: USAGE })
    expect(ledger.records[0]?.cost).toBeUndefined()
  })

  it('is marked by the ceiling of an attempt before', async () => {
    const { ask, transport, ledger } = serve([{ ceiling: usd({ prompt: 5, completion: 50 }) }, { prices }])
    void ask({ provider: { providers: ['p0', 'p1'] } })
    await expect.poll(() => transport.calls.length).toBe(1)
    answer(transport.last, { ...WHOLE, usage: USAGE, error: { message: 'Overloaded.', code: 503 } })
    await expect.poll(() => transport.calls.length).toBe(2)
    answer(transport.last, { ...WHOLE, usage: USAGE })
    await expect.poll(() => ledger.records).toMatchObject([{ cost: { ceiling: true } }])
  })

  it('pays the standard price as an estimate if another model has answered a part of it', async () => {
    const { ask, transport, ledger } = serve([{ prices }], 'messages')
    await ask({}, PATH.messages)
    const usage = { input_tokens: 100, output_tokens: 10, iterations: [{ type: 'fallback_message', model: 'other' }] }
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: 'end_turn' }
    answer(transport.last, { ...message, usage })
    expect(ledger.records).toMatchObject([{ cost: { total: 100 * 1000 + 10 * 10_000, estimated: true } }])
  })

  it('may ask for terms that the card has prices for', async () => {
    const { ask, transport, ledger } = serve([{ prices, terms: [{ when: { tier: 'priority' }, factor: 2 }] }])
    await ask({ service_tier: 'priority' })
    answer(transport.last, { ...WHOLE, service_tier: 'priority', usage: USAGE })
    expect(ledger.records).toMatchObject([{ cost: { total: 2 * (100 * 1000 + 10 * 10_000) } }])
  })

  it('costs what the tier that the answer reports costs, not the one it asked for', async () => {
    const { ask, transport, ledger } = serve([{ prices, terms: [{ when: { tier: 'priority' }, factor: 2 }] }])
    await ask({ service_tier: 'priority' })
    answer(transport.last, { ...WHOLE, service_tier: 'default', usage: USAGE })
    expect(ledger.records).toMatchObject([{ cost: { total: 100 * 1000 + 10 * 10_000 } }])
  })

  it('is refused for a tier without a price, in chat and responses', async () => {
    const { ask, transport } = serve([{ prices }])
    const reply = await ask({ service_tier: 'priority' })
    expect(reply.status).toBe(403)
    expect(messageOf(reply.text)).toMatch(
      /^The model "p0\/m" has no price for service_tier "priority", and this key has/,
    )
    const other = await ask(
      { service_tier: 'priority', input: 'Hello.', messages: undefined, max_tokens: undefined },
      PATH.responses,
    )
    expect(other.status).toBe(403)
    expect(transport.calls).toEqual([])
  })

  it.each([
    ['speed', { speed: 'fast' }, 'speed "fast"'],
    ['region', { inference_geo: 'us' }, 'inference_geo "us"'],
  ])('is refused for a %s without a price', async (_name, member, text) => {
    const { ask } = serve([{ prices }], 'messages')
    const reply = await ask(member, PATH.messages)
    expect(reply.status).toBe(403)
    expect(messageOf(reply.text)).toContain(` has no price for ${text}, and`)
  })

  it.each(['messages', 'chat'])(
    'leaves a tier of messages out that has no price, and reports it (to %s)',
    async (upstream) => {
      const { ask, transport, log } = serve([{ prices }], upstream)
      await ask({ service_tier: 'priority' }, PATH.messages)
      const { body } = transport.last.call
      const text = typeof body === 'string' ? body : new TextDecoder().decode(body as Uint8Array)
      expect(text).not.toContain('service_tier')
      transport.last.fail('refused')
      expect(log.entries[0]?.losses).toMatchObject([{ kind: 'dropped', path: ['service_tier'] }])
    },
  )

  it('keeps a tier of messages that has a price', async () => {
    const { ask, transport } = serve([{ prices, terms: [{ when: { tier: 'priority' }, factor: 2 }] }], 'messages')
    await ask({ service_tier: 'priority' }, PATH.messages)
    const { body } = transport.last.call
    expect(new TextDecoder().decode(body as Uint8Array)).toContain('service_tier')
  })

  it('does not count terms that a translation leaves out', async () => {
    const { ask, transport } = serve([{ prices }], 'genai')
    await ask({ service_tier: 'scale' })
    expect(transport.calls).toHaveLength(1)
  })

  it('is charged by the standard terms, as an estimate, if the answer reports others without a price', async () => {
    const { ask, transport, ledger } = serve([{ prices }])
    await ask()
    answer(transport.last, { ...WHOLE, service_tier: 'priority', usage: USAGE })
    expect(ledger.records).toMatchObject([{ cost: { total: 100 * 1000 + 10 * 10_000, estimated: true } }])
  })

  it('is refused if it offers a search of the upstream that has no price', async () => {
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }]
    const { ask } = serve([{ prices }], 'messages')
    const reply = await ask({ tools }, PATH.messages)
    expect(reply.status).toBe(403)
    expect(messageOf(reply.text)).toContain(' has no price for web searches, and')
    const priced = serve([{ prices: { ...prices, ...usd({ web_search: perCount(0.01) }) } }], 'messages')
    await priced.ask({ tools }, PATH.messages)
    expect(priced.transport.calls).toHaveLength(1)
  })
})

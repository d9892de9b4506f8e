import type { ModelRequest, RequestLoss } from '@dragoman/core'
import { usd } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import { lostCacheOf } from '../src/explain/lost-cache.ts'
import { explaining, MESSAGES } from './explaining.ts'
import { textTokens } from '../src/bodies/text-tokens.ts'
import { card } from './fake-protocol.ts'
import { fakeProvider } from './scripted.ts'

/** Dollars for a million tokens, as Anthropic lists them for Claude Sonnet. */
const prices = usd({ prompt: 3, completion: 15, input_cache_read: 0.3 })
const up = (speaks: string, facts: object) => fakeProvider('up', [speaks], [card('m', facts)])
/** 10,000 tokens at four characters each, and 4 for the turn. */
const RULES = { type: 'text', text: 'word '.repeat(8000), cache_control: { type: 'ephemeral' } }
const BODY = {
  model: 'up/m',
  max_tokens: 100,
  system: [RULES],
  // 1 token, and 4 for the turn.
  messages: [{ role: 'user', content: 'Hi' }],
}

describe('the price of an explanation', () => {
  it('is estimated from the prompt and the limit of the answer, by the card', async () => {
    const { explain } = explaining({ providers: [up('messages', { prices, priceVersion: 'v1' })] })
    const [route] = (await explain(BODY, MESSAGES)).routes
    expect(route?.price).toEqual({
      nanos: 31_527_000,
      dollars: '0.031527',
      items: [
        { name: 'prompt', quantity: 10_009, nanos: 30_027_000 },
        { name: 'completion', quantity: 100, nanos: 1_500_000 },
      ],
      version: 'v1',
    })
    expect(route?.lostCache).toBeUndefined()
  })

  it('counts 1000 tokens of answer if the limit is higher', async () => {
    const { explain } = explaining({ providers: [up('messages', { prices })] })
    const [route] = (await explain({ ...BODY, max_tokens: 5000 }, MESSAGES)).routes
    expect(route?.price?.items).toContainEqual({ name: 'completion', quantity: 1000, nanos: 15_000_000 })
  })

  it('is that of the tier of service that the upstream is asked for', async () => {
    const terms = [{ when: { tier: 'priority' }, factor: 2 }]
    const { explain } = explaining({ providers: [up('chat', { prices, terms })] })
    const body = { model: 'up/m', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] }
    const priceOf = async (more: object) => (await explain({ ...body, ...more })).routes[0]?.price?.nanos
    // 5 tokens of prompt and 100 of answer.
    expect(await priceOf({})).toBe(5 * 3000 + 100 * 15_000)
    expect(await priceOf({ service_tier: 'priority' })).toBe(2 * (5 * 3000 + 100 * 15_000))
  })

  it('is absent without prices, and names what has none', async () => {
    const { explain } = explaining({ providers: [up('messages', {})] })
    expect((await explain(BODY, MESSAGES)).routes[0]?.price).toBeUndefined()
    const half = explaining({ providers: [up('messages', { prices: usd({ prompt: 3 }) })] })
    expect((await half.explain(BODY, MESSAGES)).routes[0]?.price).toMatchObject({
      nanos: 30_027_000,
      unpriced: ['completion'],
    })
  })
})

describe('a lost cache mark', () => {
  it('costs the tokens before it in each turn, at the price of the prompt less that of cache reads', async () => {
    const { explain } = explaining({ providers: [up('chat', { prices })] })
    const [route] = (await explain(BODY, MESSAGES)).routes
    // 10,004 tokens for $3 a million, not for $0.30.
    expect(route?.lostCache).toEqual({
      marks: 1,
      tokens: 10_004,
      nanosPerTurn: 27_010_800,
      dollarsPerTurn: '0.0270108',
      text: expect.stringContaining('10004 tokens'),
    })
  })

  it('costs nothing by a card without a price of cache reads, and has no price by a card without prices', async () => {
    const flat = explaining({ providers: [up('chat', { prices: usd({ prompt: 3, completion: 15 }) })] })
    expect((await flat.explain(BODY, MESSAGES)).routes[0]?.lostCache).toMatchObject({ nanosPerTurn: 0 })
    const unpriced = explaining({ providers: [up('chat', {})] })
    const [route] = (await unpriced.explain(BODY, MESSAGES)).routes
    expect(route?.lostCache).toEqual({ marks: 1, tokens: 10_004, text: expect.any(String) })
  })

  it('is priced by the tier of the whole prompt', async () => {
    const conditions = (limits: object) => ({ prompt_tokens: { unit: 'kTokens', ...limits } })
    const each = (value: number, limits: object) =>
      ({ value, unit: 'perMTokens', currency: 'USD', conditions: conditions(limits) }) as const
    const tiers = {
      prompt: [each(1, { lte: 10 }), each(2, { gt: 10 })],
      input_cache_read: [each(0.1, { lte: 10 }), each(0.2, { gt: 10 })],
    }
    const { explain } = explaining({ providers: [up('chat', { prices: tiers })] })
    expect((await explain(BODY, MESSAGES)).routes[0]?.lostCache?.nanosPerTurn).toBe(10_004 * 1800)
  })
})

describe('several cache marks', () => {
  const mark = { cache: {} }
  const text = (tokens: number, more = {}) => ({ type: 'text', text: 'abc '.repeat(tokens), ...more }) as const
  const request: ModelRequest = {
    model: 'm',
    messages: [
      { role: 'user', parts: [text(100, mark), text(200)] },
      {
        role: 'user',
        parts: [{ type: 'tool-result', by: 'client', callId: 'c', output: { parts: [text(300, mark)] } }],
      },
    ],
    settings: {},
    delivery: {},
  }
  const lost = (...path: readonly (string | number)[]): RequestLoss => ({
    kind: 'dropped',
    path,
    reason: 'none here',
    features: ['cache'],
  })
  const FIRST = ['messages', 0, 'parts', 0]
  const SECOND = ['messages', 1, 'parts', 0, 'output', 'parts', 0]
  const found = (...losses: readonly RequestLoss[]) => lostCacheOf(card('m', { prices }), request, losses, 1000)

  it('count once: the prefix of the last one includes the others', () => {
    expect(found(lost(...FIRST, 'cache'), lost(...SECOND, 'cache'))).toMatchObject({ marks: 2, tokens: 608 })
  })
  it('cost less if an earlier one is kept, and nothing if a later one is', () => {
    expect(found(lost(...SECOND, 'cache'))).toMatchObject({ marks: 1, tokens: 504, nanosPerTurn: 504 * 2700 })
    expect(found(lost(...FIRST, 'cache'))).toMatchObject({ marks: 1, tokens: 0, nanosPerTurn: 0 })
  })
  it('are lost with the part or the message that they are on', () => {
    expect(found(lost('messages', 1))).toMatchObject({ marks: 1, tokens: 504 })
    expect(found(lost('messages', 0, 'parts', 0))).toMatchObject({ marks: 1, tokens: 0 })
  })
  it('count as lost if the report of losses is too long to tell', () => {
    expect(found(lost())).toMatchObject({ marks: 2, tokens: 608 })
  })
  it('are not lost with a member of theirs, nor with something else', () => {
    expect(found(lost(...FIRST, 'cache', 'ttl'), lost('cachedContent'))).toBeUndefined()
    expect(found({ kind: 'dropped', path: FIRST, reason: 'none here' })).toBeUndefined()
  })
  it('on tools are before the conversation', () => {
    const tools = [{ type: 'function', name: 'a', ...mark }] as const
    const losses = [lost('tools', 0, 'cache')]
    const tokens = textTokens(JSON.stringify(tools[0]))
    const messages = [{ role: 'user', parts: [text(5)] }] as const
    expect(lostCacheOf(card('m'), { ...request, tools, messages }, losses, 50)).toMatchObject({ marks: 1, tokens })
  })
})

import type { UsageRecord } from '@dragoman/gateway'
import { describe, expect, it } from 'vitest'
import { recordOf, usedTokens } from '../src/calls/usage-to-record.ts'
import type { OpenCall } from '../src/index.ts'

const OPEN: OpenCall = {
  id: '0'.repeat(32),
  at: 0,
  key: 'k',
  owner: '',
  conversation: '',
  operation: 'generate',
  asked: 'm',
  model: 'p/m',
  provider: 'p',
  protocol: 'chat',
  mode: 'relay',
  stream: false,
  estimate: 0,
}
const USAGE: UsageRecord = {
  requestId: `req_${OPEN.id}`,
  operation: 'generate',
  caller: 'k',
  protocol: 'chat',
  provider: 'p',
  model: 'p/m',
  mode: 'relay',
  stream: false,
  outcome: 'complete',
  conversation: '',
  asked: 'm',
  status: 200,
  attempts: 1,
  losses: [],
  startedAt: 0,
  ms: 1,
}

describe('the record of a call', () => {
  // Upstreams can report anything that JSON has, and one record that a store refuses would block all others of its group.
  it.each([
    [1.5, 2],
    [-3, 0],
    [1e300, 2e15],
    [Number.NaN, 0],
  ])('has a whole count for %s tokens', (reported, count) => {
    const usage = { input: reported, output: reported, cacheRead: reported, reasoning: reported }
    const items = [{ name: 'prompt', quantity: reported, nanos: reported }] as const
    const record = recordOf(OPEN, { ...USAGE, usage, cost: { total: reported, items } }, String)
    expect(record.tokens).toEqual({
      input: count,
      output: count,
      cacheRead: count,
      cacheWrite5m: 0,
      cacheWrite1h: 0,
      reasoning: count,
    })
    expect(record.cost).toBe(count)
    expect(record.items.map(({ nanos }) => nanos)).toEqual([count])
    expect(Number.isFinite(record.items[0]?.quantity)).toBe(true)
    expect(usedTokens({ ...USAGE, usage })).toBe(count * 2)
  })

  it('says if its prices are a ceiling, or an attempt before was estimated', () => {
    const cost = { total: 10, items: [], version: 'v1' } as const
    expect(recordOf(OPEN, { ...USAGE, cost }, String)).toMatchObject({ prices: 'v1', estimated: false })
    const capped = recordOf(OPEN, { ...USAGE, cost: { ...cost, ceiling: true } }, String)
    expect(capped).toMatchObject({ prices: 'ceiling v1', estimated: true })
    const guessed = recordOf(OPEN, { ...USAGE, cost: { ...cost, estimated: true } }, String)
    expect(guessed).toMatchObject({ prices: 'v1', estimated: true })
  })

  it('has fractions of what is not counted in whole numbers, such as seconds', () => {
    const items = [{ name: 'video-seconds', quantity: 2.5, nanos: 10 }] as const
    expect(recordOf(OPEN, { ...USAGE, cost: { total: 10, items } }, String).items).toEqual(items)
  })
})

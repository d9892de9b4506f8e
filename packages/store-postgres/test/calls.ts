import { openCall, opening, START, TOTAL } from '@dragoman/testkit/stores'
import type { OpenCall, Opening, Settlement, Verdict } from '@dragoman/accounts/store'

export function callOf(number: number, key = 'key_1', at: number = START): OpenCall {
  return openCall(number, { key, at })
}

export function openingOf(call: OpenCall, changes: Partial<Opening> = {}): Opening {
  return opening(call, { budgets: [TOTAL], ...changes })
}

/** A call that is over and has cost 6,615,000 nano-dollars. */
export function settlementOf({ estimate: _, ...call }: OpenCall, changes: Partial<Settlement> = {}): Settlement {
  const tokens = { input: 1200, output: 345, cacheRead: 800, cacheWrite5m: 0, cacheWrite1h: 0, reasoning: 64 }
  const record = {
    ...call,
    outcome: 'complete',
    status: 200,
    attempts: 1,
    tokens,
    cost: 6_615_000,
    items: [
      { name: 'prompt', quantity: 400, nanos: 1_200_000 },
      { name: 'cache-read', quantity: 800, nanos: 240_000 },
      { name: 'completion', quantity: 345, nanos: 5_175_000 },
    ],
    prices: '2026-11-01',
    estimated: false,
    losses: [],
    firstByteMs: 321,
    ms: 4321,
  } as const
  return { id: call.id, key: call.key, record, budgets: [TOTAL], limits: {}, tokens: 0, ...changes }
}

export function sliceRequestOf(limit: number, amount: number): Opening['sliceRequests'][number] {
  return { ...TOTAL, limit, least: amount, wanted: amount }
}

/** `granted`, or why a call is refused. */
export function answersOf(verdicts: readonly Verdict[]): readonly string[] {
  return verdicts.map((verdict) => ('granted' in verdict ? 'granted' : verdict.refused))
}

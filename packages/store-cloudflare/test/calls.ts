import type { OpenCall, Opening, Settlement } from '@dragoman/accounts/store'

export const NOW = Date.now()
export const TOTAL = { period: 'total', start: 0 } as const

export function callOf(number: number): OpenCall {
  return {
    id: NOW.toString(16).padStart(12, '0') + number.toString(16).padStart(20, '0'),
    at: NOW,
    key: 'key_1',
    owner: '',
    conversation: '',
    operation: 'generate',
    asked: 'one',
    model: 'acme/one',
    provider: 'acme',
    protocol: 'chat',
    mode: 'relay',
    stream: false,
    estimate: 5,
  }
}

export function openingOf(number: number): Opening {
  return { call: callOf(number), budgets: [TOTAL], limits: {}, tokens: 0, wishes: [] }
}

/** A call that is over and has cost 7. */
export function settlementOf(number: number): Settlement {
  const { estimate: _, ...call } = callOf(number)
  const tokens = { input: 1, output: 2, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, reasoning: 0 }
  const rest = {
    attempts: 1,
    tokens,
    cost: 7,
    items: [],
    prices: '',
    estimated: false,
    losses: [],
    firstByteMs: 1,
    ms: 2,
  }
  const record = { ...call, ...rest, outcome: 'complete', status: 200 } as const
  return { id: call.id, key: call.key, record, budgets: [TOTAL], limits: {}, tokens: 0 }
}

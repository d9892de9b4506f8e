import type { Batch, OpenCall, Opening, Settlement } from '@dragoman/accounts/store'

export const TOTAL = { period: 'total', start: 0 } as const
export const NOW = Date.UTC(2026, 10, 18)

export function callOf(number: number, at: number = NOW): OpenCall {
  return {
    id: at.toString(16).padStart(12, '0') + number.toString(16).padStart(20, '0'),
    at,
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
export function settlementOf(number: number, at: number = NOW): Settlement {
  const { estimate: _, ...call } = callOf(number, at)
  const tokens = { input: 1, output: 2, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, reasoning: 0 }
  const record = {
    ...call,
    outcome: 'complete',
    status: 200,
    attempts: 1,
    tokens,
    cost: 7,
    items: [],
    prices: '',
    estimated: false,
    losses: [],
    firstByteMs: 1,
    ms: 2,
  } as const
  return { id: call.id, key: call.key, record, budgets: [TOTAL], limits: {}, tokens: 0 }
}

export function batchOf(changes: Partial<Batch>): Batch {
  return { instance: 'a', ttlMs: 30_000, settlements: [], slices: [], openings: [], ...changes }
}

export const numbers = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => from + index)

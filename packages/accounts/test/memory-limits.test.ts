import { describe, expect, it } from 'vitest'
import {
  createMemoryStore,
  NO_TOKENS,
  periodAt,
  type AuditEntry,
  type Batch,
  type CallRecord,
  type Opening,
  type Settlement,
  type Store,
  type Verdict,
} from '../src/index.ts'

// The suite of all stores runs this one in the testkit. Here is what a mistake in its limits would change, at its source.
const START = Date.UTC(2026, 10, 16, 12)
const DAY = periodAt('day', START)

const clockAt = (time: { now: number }) => ({ now: () => time.now })

function call(number: number, key = 'key_1') {
  const id = number.toString(16).padStart(32, '0')
  const names = { owner: 'ann', conversation: '', operation: 'generate', asked: 'smart', model: 'acme/one' } as const
  return {
    id,
    at: START,
    key,
    provider: 'acme',
    protocol: 'chat',
    mode: 'relay',
    stream: false,
    estimate: 0,
    ...names,
  } as const
}

function opening(number: number, more: Partial<Omit<Opening, 'call'>> = {}, key?: string): Opening {
  return { call: call(number, key), budgets: [], limits: {}, tokens: 0, sliceRequests: [], ...more }
}

function settlement(number: number, more: Partial<Settlement> = {}, cost = 0): Settlement {
  const { estimate: _, ...opened } = call(number)
  const end = { outcome: 'complete', status: 200, attempts: 1, tokens: NO_TOKENS, cost, items: [], prices: '' } as const
  const record: CallRecord = { ...opened, ...end, estimated: false, losses: [], firstByteMs: 1, ms: 2 }
  return { id: opened.id, key: opened.key, record, budgets: [], limits: {}, tokens: 0, ...more }
}

function auditEntry(number: number): AuditEntry {
  const id = number.toString(16).padStart(32, '0')
  return { id, at: START, actor: 'terminal', action: 'keys.create', target: '', address: '', detail: {} }
}

/** A store whose batches have a number each. */
function open(time = { now: START }) {
  const store: Store = createMemoryStore({ clock: clockAt(time) })
  let number = 0
  const commit = async (changes: Partial<Batch>, instance = 'a') => {
    const empty = { ttlMs: 30_000, settlements: [], slices: [], openings: [] }
    const { verdicts } = await store.commit({ instance, number: ++number, ...empty, ...changes })
    return verdicts.map(wordOf)
  }
  return { commit, store, time }
}

function wordOf(verdict: Verdict | undefined): string | readonly number[] | undefined {
  return verdict === undefined ? undefined : 'refused' in verdict ? verdict.refused : verdict.granted
}

describe('limits in memory', () => {
  it('refuse the call after the last one that may be open, for all instances, until one has ended', async () => {
    const { commit } = open()
    const limits = { concurrent: 2 }
    expect(await commit({ openings: [opening(1, { limits }), opening(2, { limits }, 'key_2')] })).toEqual([[], []])
    expect(await commit({ openings: [opening(3, { limits }), opening(4, { limits })] }, 'b')).toEqual([
      [],
      'concurrent',
    ])
    await commit({ settlements: [settlement(1)] })
    expect(await commit({ openings: [opening(5, { limits }), opening(6, { limits })] })).toEqual([[], 'concurrent'])
  })

  it('count requests, and free them in a minute', async () => {
    const { commit, time } = open()
    const limits = { requests: 2 }
    const three = (first: number) => [0, 1, 2].map((index) => opening(first + index, { limits }))
    expect(await commit({ openings: three(1) })).toEqual([[], [], 'requests'])
    time.now += 59_000
    expect(await commit({ openings: three(4) })).toEqual([[], 'requests', 'requests'])
    time.now += 60_000
    expect(await commit({ openings: three(7) })).toEqual([[], [], 'requests'])
  })

  it('count the tokens that are expected, then those that were used', async () => {
    const { commit } = open()
    const limits = { tokens: 100 }
    expect(
      await commit({ openings: [opening(1, { limits, tokens: 60 }), opening(2, { limits, tokens: 60 })] }),
    ).toEqual([[], 'tokens'])
    await commit({ settlements: [settlement(1, { limits, tokens: -50 })] })
    expect(await commit({ openings: [opening(3, { limits, tokens: 90 }), opening(4, { limits, tokens: 1 })] })).toEqual(
      [[], 'tokens'],
    )
  })

  it('hold a budget: what is spent and what is held is not granted again', async () => {
    const { commit } = open()
    const request = (least: number) => ({ budgets: [DAY], sliceRequests: [{ ...DAY, limit: 100, least, wanted: 60 }] })
    expect(
      await commit({ openings: [opening(1, request(60)), opening(2, request(41)), opening(3, request(40))] }),
    ).toEqual([[60], 'budget', [40]])
    const slices = [{ ...DAY, key: 'key_1', amount: 0 }]
    await commit({ settlements: [settlement(1, { budgets: [DAY] }, 70)], slices })
    expect(await commit({ openings: [opening(4, request(31)), opening(5, request(30))] })).toEqual(['budget', [30]])
  })

  it('end a page and a step of pruning at the number that was asked for', async () => {
    const { commit, store } = open()
    const numbers = [1, 2, 3]
    await commit({ openings: numbers.map((number) => opening(number)) })
    await commit({ settlements: numbers.map((number) => settlement(number)) })
    for (const number of numbers) await store.writeAudit(auditEntry(number))
    const last = { records: START + 1, hours: START + 3_600_000, audit: START + 1 }
    expect(await store.records('', 2)).toHaveLength(2)
    expect(await store.audits(undefined, 2)).toHaveLength(2)
    expect(await store.prune(last, 2)).toBe(2)
    expect(await store.records('', 9)).toHaveLength(1)
    expect(await store.prune(last, 4)).toBe(4)
    expect(await store.audits(undefined, 9)).toHaveLength(1)
  })
})

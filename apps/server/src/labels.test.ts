import type { Attempt } from '@dragoman/gateway'
import { describe, expect, it } from 'vitest'
import { breakerValues, createModelLabel, errorTypeOf } from './labels.ts'

const attempt: Attempt = {
  provider: 'a',
  model: 'a/m',
  protocol: 'chat',
  origin: 'https://a.test',
  stream: false,
  startedAt: 0,
  ms: 1,
  outcome: 'complete',
}

describe('the error of an attempt', () => {
  it.each([
    ['nothing for a success', { status: 200 }, undefined],
    ['the failure of the connection', { outcome: 'failed', failure: 'dns', error: 'upstream' }, 'dns'],
    ['the status of a refusal', { outcome: 'failed', status: 429, error: 'rate-limit' }, '429'],
    ['the kind of error in an accepted answer', { outcome: 'failed', status: 200, error: 'upstream' }, 'upstream'],
    ['an interruption', { outcome: 'interrupted', status: 200, failure: 'reset', error: 'interrupted' }, 'reset'],
    ['a client that left', { outcome: 'aborted', status: 200 }, 'aborted'],
  ] as const)('is %s', (_what, facts, type) => {
    expect(errorTypeOf({ ...attempt, ...facts })).toBe(type)
  })
})

it('gives a bounded number of labels, and keeps those that it gave', () => {
  const label = createModelLabel()
  const given = new Set(Array.from({ length: 1000 }, (_, index) => label(`any/${index}`)))
  expect(given.size).toBe(501)
  expect([label('any/0'), label('any/999')]).toEqual(['any/0', 'other'])
})

it('puts the worst of the breakers that share a label last', () => {
  const states = [
    { provider: 'a', model: 'a/x', state: 'open', callers: 2 },
    { provider: 'a', state: 'half-open', callers: 1 },
    { provider: 'a', model: 'a/y', state: 'closed', callers: 0 },
  ] as const
  expect(breakerValues(states, () => 'other')).toEqual([
    { provider: 'a', model: 'other', value: 0, callers: 0 },
    { provider: 'a', model: undefined, value: 1, callers: 1 },
    { provider: 'a', model: 'other', value: 2, callers: 2 },
  ])
})

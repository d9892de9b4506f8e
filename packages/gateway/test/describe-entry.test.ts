import { DragomanError } from '@dragoman/core'
import { expect, it } from 'vitest'
import { describeEntry, entryText, type LogEntry } from '../src/index.ts'

const ENTRY: LogEntry = {
  requestId: 'req_1',
  method: 'POST',
  path: '/red/gen',
  protocol: 'red',
  status: 502,
  outcome: 'failed',
  ms: 12.6,
  attempts: [],
  losses: [{ kind: 'changed', path: ['settings', 'stop', 0], to: 'canary', reason: 'too long' }],
}

it('describes an entry without prompts, responses and secrets', () => {
  const cause = new DragomanError('authentication', 'Incorrect API key: sk-pr****canary', { code: 'invalid_api_key' })
  const error = new DragomanError('upstream', 'The upstream refused the gateway.', { cause })
  const described = describeEntry({ ...ENTRY, error })
  expect(described).toMatchObject({
    requestId: 'req_1',
    ms: 13,
    losses: ['changed settings.stop.0: too long'],
    error: {
      kind: 'upstream',
      cause: 'authentication invalid_api_key',
      upstreamMessage: 'Incorrect API key: [redacted]',
    },
  })
  expect(JSON.stringify(described)).not.toContain('canary')
})

it('describes where an internal error occurred, and the kind of its cause', () => {
  const fault = new DragomanError('internal', 'The gateway failed.', {
    cause: new TypeError('canary is not a function'),
  })
  const described = JSON.stringify(describeEntry({ ...ENTRY, error: fault }))
  expect(described).toMatch(/"cause":"TypeError","trace":\["at .*describe-entry\.test/)
  expect(described).not.toContain('canary')
  const reset = Object.assign(new Error('read canary'), { code: 'ECONNRESET' })
  const broken = new DragomanError('interrupted', 'It broke off.', { cause: reset })
  expect(describeEntry({ ...ENTRY, error: broken })).toMatchObject({ error: { cause: 'Error ECONNRESET' } })
})

it('describes a cost by item, with the version of its prices and what has no price', () => {
  const items = [{ name: 'prompt', quantity: 10, nanos: 30_000 }] as const
  const cost = { total: 30_000, items, version: 'v7', unpriced: ['searches'] as const }
  expect(describeEntry({ ...ENTRY, usage: { input: 10 }, cost })).toMatchObject({
    cost: { total: 30_000, prompt: 30_000, version: 'v7' },
    unpriced: ['searches'],
  })
})

it('describes attempts before the answer in one sum, and prices that are a ceiling', () => {
  const attempt = { name: 'attempt', quantity: 1, nanos: 7 } as const
  const cost = {
    total: 15,
    items: [{ name: 'prompt', quantity: 1, nanos: 1 }, attempt, attempt],
    ceiling: true,
  } as const
  const entry = { ...ENTRY, usage: { input: 1 }, cost }
  expect(describeEntry(entry)).toMatchObject({ cost: { total: 15, prompt: 1, attempt: 14, ceiling: true } })
  expect(entryText(entry)).toContain('"cost":{"total":15,"prompt":1,"attempt":14,"ceiling":true}')
})

it('describes what upstreams said in attempts that failed, without what looks like a key', () => {
  const attempt = {
    provider: 'acme',
    model: 'acme/m',
    protocol: 'red',
    origin: 'https://acme.test',
    stream: false,
    startedAt: 0,
    ms: 3.2,
    outcome: 'failed',
  } as const
  const attempts = [
    {
      ...attempt,
      error: 'rate-limit',
      upstreamMessage: 'Slow down... The key AKIA1234567890abcdefghijklmnopqrstuv is busy.',
    },
    { ...attempt, outcome: 'complete' },
  ] as const
  expect(describeEntry({ ...ENTRY, attempts })).toMatchObject({
    attempts: ['acme/m rate-limit 3 ms: Slow down... The key [redacted] is busy.', 'acme/m complete 3 ms'],
  })
})

import { expect, it } from 'vitest'
import type { StageCall } from '../src/index.ts'
import { limitConcurrency } from '../src/stages/concurrency.ts'

const END = { status: 200, outcome: 'complete', ms: 1 } as const

/** The limit, called with the names of callers. */
function limit(limits: Parameters<typeof limitConcurrency>[0]) {
  const stage = limitConcurrency(limits)
  const callOf = (id: string | undefined): StageCall => ({
    requestId: 'req_1',
    startedAt: 0,
    method: 'POST',
    path: '/',
    protocol: 'red',
    operation: 'generate',
    caller: id === undefined ? undefined : { id },
    header: () => undefined,
    addHeaders() {},
    addRateLimits() {},
    keepBody() {},
    body: undefined,
  })
  return {
    take: (id: string | undefined) => stage.afterAdmission?.(callOf(id)),
    free: (id: string | undefined) => stage.onSettle?.(callOf(id), END),
  }
}

it('still counts a caller with a running call after thousands of other callers', () => {
  const calls = limit({ concurrency: 10, perKey: 1 })
  void calls.take('busy')
  for (let i = 0; i < 5000; i++) {
    void calls.take(`caller ${i}`)
    calls.free(`caller ${i}`)
  }
  expect(() => calls.take('busy')).toThrow('1 calls under way')
  calls.free('busy')
  void calls.take('busy')
  expect(() => calls.take('busy')).toThrow('1 calls under way')
})

it('counts all callers together', () => {
  const calls = limit({ concurrency: 2, perKey: 2 })
  void calls.take('a')
  void calls.take('b')
  expect(() => calls.take('c')).toThrow('as many calls')
  calls.free('a')
  void calls.take('c')
})

it('counts calls without a key too, as those of one caller', () => {
  const calls = limit({ concurrency: 3, perKey: 2 })
  void calls.take(undefined)
  void calls.take(undefined)
  expect(() => calls.take(undefined)).toThrow('Callers without a key may have 2 calls')
  void calls.take('a')
  expect(() => calls.take('b')).toThrow('as many calls')
  calls.free(undefined)
  void calls.take('b')
  expect(() => calls.take(undefined)).toThrow('as many calls')
  for (const caller of [undefined, 'a', 'b']) calls.free(caller)
  void calls.take(undefined)
  void calls.take(undefined)
})

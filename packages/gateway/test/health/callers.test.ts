import { describe, expect, it } from 'vitest'
import { createHealth, type FaultKind } from '../../src/health/health.ts'
import { createManualClock } from '../../src/ports/manual-clock.ts'

const A = { provider: 'acme', model: 'acme/large' }

function setUp(options: Parameters<typeof createHealth>[1] = {}) {
  const clock = createManualClock()
  const health = createHealth(clock, options)
  return {
    clock,
    ...health,
    fail(caller: string, times = 1, kind: FaultKind = 'answer') {
      for (let count = 0; count < times; count++) health.begin(A, 'stream', caller).fault(kind)
    },
    succeed(caller: string, times = 1) {
      for (let count = 0; count < times; count++) health.begin(A, 'stream', caller).succeeded()
    },
    states: (...callers: string[]) => callers.map((caller) => health.check(A, caller).state),
  }
}

describe.each(['answer', 'transport'] as const)('faults of the kind %s', (kind) => {
  it('of one caller open a route for that caller alone, however many there are', () => {
    const health = setUp()
    health.fail('eve', 4, kind)
    expect(health.states('eve', 'ann')).toEqual(['closed', 'closed'])
    health.fail('eve', 1000, kind)
    expect(health.states('eve', 'ann')).toEqual(['open', 'closed'])
  })

  it('of two callers open it for all', () => {
    const health = setUp()
    health.fail('ann', 3, kind)
    health.fail('bob', 2, kind)
    expect(health.states('ann', 'bob', 'cat')).toEqual(['open', 'open', 'open'])
  })
})

describe('a caller that makes an upstream fail', () => {
  it('does not open it for others together with their few faults', () => {
    const health = setUp()
    health.succeed('ann', 20)
    for (let second = 0; second < 20; second++) {
      health.fail('eve', 100)
      health.clock.advance(1000)
    }
    health.fail('ann')
    expect(health.states('ann', 'bob')).toEqual(['closed', 'closed'])
  })

  it('has calls under way that count no more when its breaker has opened', () => {
    const health = setUp()
    const watches = Array.from({ length: 500 }, () => health.begin(A, 'stream', 'eve'))
    for (const watch of watches) watch.fault('answer')
    health.fail('ann')
    health.succeed('ann', 5)
    expect(health.states('eve', 'ann')).toEqual(['open', 'closed'])
  })

  it('is tried again after its pause, alone', () => {
    const health = setUp()
    health.succeed('ann')
    health.fail('eve', 5)
    health.clock.advance(15_000)
    expect(health.check(A, 'eve')).toMatchObject({ state: 'open', trial: true })
    health.fail('eve')
    expect(health.check(A, 'eve')).toMatchObject({ trial: false, until: health.clock.now() + 30_000 })
    expect(health.states('ann')).toEqual(['closed'])
    health.clock.advance(30_000)
    health.succeed('eve')
    expect(health.states('eve')).toEqual(['closed'])
  })

  it('does not keep a route paused for all by failing its trials', () => {
    const health = setUp()
    health.fail('eve', 3)
    health.fail('bob', 2)
    health.clock.advance(15_000)
    health.fail('eve')
    const until = health.clock.now() + 30_000
    expect(health.check(A, 'ann')).toMatchObject({ state: 'open', until })
    health.clock.advance(30_000)
    health.fail('eve')
    expect(health.check(A, 'ann')).toMatchObject({ state: 'open', until, trial: true })
    health.succeed('ann')
    expect(health.states('ann', 'bob')).toEqual(['closed', 'closed'])
  })
})

it('the only caller opens its breaker by its share of faults, with the calls before the first fault', () => {
  const health = setUp()
  health.succeed('ann', 11)
  health.fail('ann', 10)
  expect(health.states('ann')).toEqual(['closed'])
  health.fail('ann')
  expect(health.states('ann')).toEqual(['open'])
})

it('a failed trial of another caller makes the pause of all longer', () => {
  const health = setUp()
  health.fail('ann', 3)
  health.fail('bob', 2)
  health.clock.advance(15_000)
  health.fail('ann')
  health.clock.advance(30_000)
  health.fail('bob')
  expect(health.check(A, 'cat')).toMatchObject({ state: 'open', until: health.clock.now() + 60_000 })
})

it('shows the state for all, and for how many callers it is another', () => {
  const health = setUp()
  health.succeed('ann')
  health.fail('eve', 5)
  expect(health.breakers()).toEqual([
    { provider: 'acme', state: 'closed', callers: 0 },
    { ...A, state: 'closed', callers: 1 },
  ])
  const alone = setUp()
  alone.fail('ann', 5)
  expect(alone.breakers()[1]).toEqual({ ...A, state: 'open', callers: 1 })
})

it('remembers a limited number of callers, those that failed last', () => {
  const health = setUp({ mostCallers: 10 })
  health.succeed('someone')
  for (let count = 0; count < 1000; count++) {
    // Between the faults, so that the route does not open for all.
    health.succeed('someone', 20)
    health.fail(`caller${count}`, 5)
  }
  expect(health.breakers()[1]?.callers).toBeLessThanOrEqual(10)
  expect(health.states('caller999', 'caller0', 'someone')).toEqual(['open', 'closed', 'closed'])
})

import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../src/ports/manual-clock.ts'
import { createHealth } from '../../src/health/health.ts'

const A = { provider: 'acme', model: 'acme/large' }
const B = { provider: 'acme', model: 'acme/small' }
const C = { provider: 'other', model: 'other/large' }

function setUp(options: Parameters<typeof createHealth>[1] = {}) {
  const clock = createManualClock()
  const health = createHealth(clock, options)
  return {
    clock,
    ...health,
    fail(route: typeof A, kind: 'transport' | 'answer', times = 1) {
      for (let i = 0; i < times; i++) health.begin(route).fault(kind)
    },
    states: (...routes: (typeof A)[]) => routes.map((route) => health.check(route).state),
  }
}

describe('health', () => {
  it('opens all models of a provider that cannot be reached, and no others', () => {
    const health = setUp()
    health.fail(A, 'transport', 2)
    health.fail(B, 'transport', 3)
    expect(health.states(A, B, C)).toEqual(['open', 'open', 'closed'])
    expect(health.breakers()).toEqual([
      { provider: 'acme', state: 'open', callers: 1 },
      { ...A, state: 'closed', callers: 0 },
      { ...B, state: 'closed', callers: 0 },
    ])
  })

  it('opens one model that is answered with faults, and not its provider', () => {
    const health = setUp()
    health.fail(A, 'answer', 5)
    expect(health.states(A, B, C)).toEqual(['open', 'closed', 'closed'])
    expect(health.breakers()).toEqual([
      { provider: 'acme', state: 'closed', callers: 0 },
      { ...A, state: 'open', callers: 1 },
    ])
  })

  it('knows from a faulty answer that the provider can be reached', () => {
    const health = setUp()
    health.fail(A, 'transport', 5)
    health.clock.advance(15_000)
    expect(health.breakers()[0]).toMatchObject({ provider: 'acme', state: 'half-open' })
    health.fail(B, 'answer')
    expect(health.states(A, B)).toEqual(['closed', 'closed'])
  })

  it.each([
    { first: 'the model', early: [A, 'answer'], late: [B, 'transport'] },
    { first: 'the provider', early: [B, 'transport'], late: [A, 'answer'] },
  ] as const)('waits for model and provider if $first opened first', ({ early, late }) => {
    const health = setUp()
    // A call that began while both were closed counts for the one that still is.
    const watches = Array.from({ length: 5 }, () => health.begin(late[0]))
    health.fail(early[0], early[1], 5)
    health.clock.advance(10_000)
    for (const watch of watches) watch.fault(late[1])
    const until = health.clock.now() + 15_000
    health.clock.advance(5000)
    expect(health.check(A)).toEqual({ state: 'open', until, trial: false, running: false })
    health.clock.advance(10_000)
    expect(health.check(A)).toEqual({ state: 'open', until, trial: true, running: false })
    const trial = health.begin(B)
    expect(health.check(A)).toMatchObject({ trial: false, running: true })
    trial.succeeded()
    expect(health.check(A)).toMatchObject({ trial: true, running: false })
    health.begin(A).succeeded()
    expect(health.states(A, B)).toEqual(['closed', 'closed'])
  })

  it('ends a trial of a model without a verdict if the provider cannot be reached', () => {
    const health = setUp()
    health.fail(A, 'answer', 5)
    health.clock.advance(15_000)
    health.fail(A, 'transport')
    expect(health.check(A)).toMatchObject({ state: 'open', trial: true })
  })

  it('never opens because of calls that were refused or cancelled', () => {
    const health = setUp()
    for (let i = 0; i < 1000; i++) health.begin(A).neutral()
    expect(health.states(A)).toEqual(['closed'])
    expect(health.measured(A)).toEqual({ calls: 0, faults: 0 })
  })

  it('counts the first end of a call', () => {
    const health = setUp()
    for (let i = 0; i < 5; i++) {
      const watch = health.begin(A)
      watch.succeeded()
      watch.fault('answer')
      watch.fault('transport')
      watch.neutral()
    }
    expect(health.measured(A)).toEqual({ calls: 5, faults: 0 })
    for (let i = 0; i < 5; i++) {
      const watch = health.begin(B)
      watch.neutral()
      watch.fault('answer')
      watch.succeeded()
    }
    expect(health.measured(B)).toEqual({ calls: 0, faults: 0 })
    expect(health.states(A, B)).toEqual(['closed', 'closed'])
  })

  it('counts a trial once, however often it ends', () => {
    const health = setUp()
    health.fail(A, 'answer', 5)
    health.clock.advance(15_000)
    const [one, another] = [health.begin(A), health.begin(A)]
    one.neutral()
    one.neutral()
    expect(health.check(A)).toMatchObject({ running: true })
    another.neutral()
    expect(health.check(A)).toMatchObject({ running: false })
  })

  it('measures the time to the first byte, and the tokens per second after it', () => {
    const health = setUp()
    const watch = health.begin(A)
    health.clock.advance(200)
    watch.firstByte()
    health.clock.advance(500)
    watch.firstByte()
    health.clock.advance(1500)
    expect(health.measured(A)).toEqual({ calls: 0, faults: 0 })
    watch.succeeded(100)
    expect(health.measured(A)).toEqual({ calls: 1, faults: 0, latencyMs: 200, tokensPerSecond: 50 })
    expect(health.measured(B)).toEqual({ calls: 0, faults: 0 })
  })

  it('does not take a route that fails fast for a fast one', () => {
    const health = setUp()
    const watch = health.begin(A)
    watch.firstByte()
    watch.fault('answer')
    expect(health.measured(A)).toEqual({ calls: 1, faults: 1 })
  })

  it('measures streams and whole answers apart', () => {
    const health = setUp()
    for (const [kind, ms] of [
      ['stream', 100],
      ['whole', 3000],
    ] as const) {
      const watch = health.begin(A, kind)
      health.clock.advance(ms)
      watch.firstByte()
      watch.succeeded()
    }
    expect([health.measured(A, 'stream').latencyMs, health.measured(A, 'whole').latencyMs]).toEqual([100, 3000])
  })

  it('measures no tokens per second where they say nothing', () => {
    const health = setUp()
    const whole = health.begin(A)
    health.clock.advance(2000)
    whole.firstByte()
    whole.succeeded(1000)
    const unmetered = health.begin(A)
    unmetered.firstByte()
    health.clock.advance(2000)
    unmetered.succeeded()
    expect(health.measured(A)).toEqual({ calls: 2, faults: 0, latencyMs: 1000 })
  })

  it('remembers a limited number of routes, those in use first', () => {
    const health = setUp({ mostRoutes: 10 })
    health.fail(A, 'answer', 5)
    const late = health.begin({ provider: 'p', model: 'p/late' })
    for (let i = 0; i < 1000; i++) {
      health.begin({ provider: `p${i}`, model: `p${i}/m` }).succeeded()
      if (i % 4 === 0) health.begin(A).neutral()
    }
    late.fault('answer')
    expect(health.breakers().length).toBeLessThanOrEqual(20)
    expect(health.states(A)).toEqual(['open'])
    expect(health.measured({ provider: 'p', model: 'p/late' })).toEqual({ calls: 0, faults: 0 })
  })

  it('remembers nothing for a question', () => {
    const health = setUp()
    health.check(A)
    health.measured(A)
    expect(health.breakers()).toEqual([])
  })
})

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBreaker, type BreakerOptions } from '../../src/health/breaker.ts'

const OPTIONS: BreakerOptions = {
  leastFaults: 5,
  leastCallers: 1,
  faultShare: 0.5,
  pauseMs: 15_000,
  longestPauseMs: 120_000,
  trialMs: 60_000,
}
const CLOSED = { state: 'closed' }

/** A breaker with a time of its own. */
function breakerAt(start = 1_000_000, options = OPTIONS) {
  const breaker = createBreaker(options)
  const time = { now: start }
  return {
    time,
    begin: () => breaker.begin(time.now),
    end: (how: 'success' | 'fault' | 'neutral', period: number) => breaker[how](period, time.now, 'a'),
    /** Calls that begin and end now. */
    call(how: 'success' | 'fault' | 'neutral', times = 1) {
      for (let i = 0; i < times; i++) breaker[how](breaker.begin(time.now), time.now, 'a')
    },
    verdict: () => breaker.verdict(time.now),
    state: () => breaker.state(time.now),
  }
}

describe('a breaker', () => {
  it('opens at the fifth fault', () => {
    const breaker = breakerAt()
    breaker.call('fault', 4)
    expect(breaker.verdict()).toEqual(CLOSED)
    breaker.call('fault')
    expect(breaker.verdict()).toEqual({ state: 'open', until: 1_015_000, trial: false, running: false })
  })

  it('stays closed while less than half of the calls are faults', () => {
    const breaker = breakerAt()
    breaker.call('success', 11)
    breaker.call('fault', 10)
    expect(breaker.verdict()).toEqual(CLOSED)
    breaker.call('fault')
    expect(breaker.state()).toBe('open')
  })

  it('forgets calls after 30 seconds', () => {
    const breaker = breakerAt()
    breaker.call('fault', 4)
    breaker.time.now += 30_000
    breaker.call('fault')
    expect(breaker.verdict()).toEqual(CLOSED)
    breaker.time.now += 29_000
    breaker.call('fault', 4)
    expect(breaker.state()).toBe('open')
  })

  it('forgets successes after 30 seconds, too', () => {
    const breaker = breakerAt()
    breaker.call('success', 100)
    breaker.time.now += 30_000
    breaker.call('fault', 5)
    expect(breaker.state()).toBe('open')
  })

  it('ignores calls that show nothing', () => {
    const breaker = breakerAt()
    breaker.call('fault', 4)
    breaker.call('neutral', 100)
    expect(breaker.verdict()).toEqual(CLOSED)
    breaker.call('fault')
    expect(breaker.state()).toBe('open')
  })

  it('takes one trial at a time after the pause', () => {
    const breaker = breakerAt()
    breaker.call('fault', 5)
    breaker.time.now += 14_999
    expect(breaker.verdict()).toMatchObject({ trial: false, running: false })
    breaker.time.now += 1
    expect(breaker.verdict()).toMatchObject({ trial: true, running: false })
    expect(breaker.state()).toBe('half-open')
    const trial = breaker.begin()
    expect(breaker.verdict()).toMatchObject({ trial: false, running: true })
    breaker.end('neutral', trial)
    expect(breaker.verdict()).toMatchObject({ trial: true, running: false })
  })

  it('closes when a trial succeeds, and then starts to count anew', () => {
    const breaker = breakerAt()
    breaker.call('fault', 5)
    breaker.time.now += 15_000
    breaker.call('success')
    expect(breaker.verdict()).toEqual(CLOSED)
    breaker.call('fault', 4)
    expect(breaker.verdict()).toEqual(CLOSED)
    breaker.call('fault')
    expect(breaker.verdict()).toMatchObject({ until: breaker.time.now + 15_000 })
  })

  it('pauses twice as long after each trial that fails, up to two minutes', () => {
    const breaker = breakerAt()
    breaker.call('fault', 5)
    const pauses: number[] = []
    for (let i = 0; i < 6; i++) {
      const verdict = breaker.verdict()
      if (verdict.state === 'closed') throw new Error('It closed.')
      pauses.push(verdict.until - breaker.time.now)
      breaker.time.now = verdict.until
      breaker.call('fault')
    }
    expect(pauses).toEqual([15_000, 30_000, 60_000, 120_000, 120_000, 120_000])
  })

  it('does not pause longer for a trial during the pause, and closes if it succeeds', () => {
    const breaker = breakerAt()
    breaker.call('fault', 5)
    breaker.time.now += 1000
    breaker.call('fault', 20)
    expect(breaker.verdict()).toEqual({ state: 'open', until: 1_015_000, trial: false, running: false })
    const trial = breaker.begin()
    expect(breaker.verdict()).toMatchObject({ trial: false, running: true })
    breaker.end('success', trial)
    expect(breaker.verdict()).toEqual(CLOSED)
  })

  it('ignores the end of a call from before the pause', () => {
    const breaker = breakerAt()
    const early = [breaker.begin(), breaker.begin(), breaker.begin()]
    breaker.call('fault', 5)
    breaker.end('success', early[0]!)
    expect(breaker.state()).toBe('open')
    breaker.time.now += 15_000
    breaker.end('fault', early[1]!)
    expect(breaker.verdict()).toMatchObject({ until: 1_015_000, trial: true })
    breaker.call('success')
    breaker.call('fault', 4)
    breaker.end('fault', early[2]!)
    expect(breaker.verdict()).toEqual(CLOSED)
  })

  it('does not wait for a trial for longer than a minute', () => {
    const breaker = breakerAt()
    breaker.call('fault', 5)
    breaker.time.now += 15_000
    breaker.begin()
    breaker.time.now += 59_999
    expect(breaker.verdict()).toMatchObject({ trial: false, running: true })
    breaker.time.now += 1
    expect(breaker.verdict()).toMatchObject({ trial: true, running: false })
  })

  it('has one trial at a time, however calls overlap', () => {
    const step = fc.record({
      kind: fc.constantFrom('begin', 'begin', 'success', 'fault', 'fault', 'neutral'),
      which: fc.nat(1000),
      wait: fc.integer({ min: 0, max: 5000 }),
    })
    let trialsSeen = 0
    fc.assert(
      fc.property(fc.array(step, { maxLength: 150, size: 'max' }), fc.boolean(), (steps, isPatient) => {
        const breaker = breakerAt(0, { ...OPTIONS, leastFaults: 2, pauseMs: 3000, trialMs: Infinity })
        const calls: { period: number; isTrial: boolean }[] = []
        for (const { kind, which, wait } of steps) {
          breaker.time.now += wait
          const verdict = breaker.verdict()
          const isOpen = verdict.state === 'open'
          if (kind !== 'begin') {
            const [ended] = calls.splice(which % Math.max(1, calls.length), 1)
            if (ended !== undefined) breaker.end(kind, ended.period)
          } else if (!isOpen || (isPatient ? verdict.trial : !verdict.running))
            calls.push({ period: breaker.begin(), isTrial: isOpen })
          const trials = calls.filter(({ isTrial }) => isTrial).length
          trialsSeen += trials
          expect(trials).toBeLessThanOrEqual(1)
          expect(breaker.verdict()).toMatchObject(trials === 1 ? { running: true } : {})
          expect(breaker.verdict()).not.toMatchObject(trials === 0 ? { running: true } : { state: 'closed' })
        }
      }),
    )
    expect(trialsSeen).toBeGreaterThan(100)
  })

  it('only ever opens with five faults that are half of the calls of 30 seconds', () => {
    const step = fc.record({
      wait: fc.integer({ min: 0, max: 8000 }),
      how: fc.constantFrom('success', 'fault', 'neutral'),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
        const breaker = breakerAt()
        let calls: { at: number; isFault: boolean }[] = []
        for (const { wait, how } of steps) {
          breaker.time.now += wait
          breaker.call(how)
          if (how !== 'neutral') calls.push({ at: breaker.time.now, isFault: how === 'fault' })
          // Time is counted in whole seconds.
          const first = Math.floor(breaker.time.now / 1000) - 29
          calls = calls.filter(({ at }) => Math.floor(at / 1000) >= first)
          const faults = calls.filter(({ isFault }) => isFault).length
          const mustOpen = how === 'fault' && faults >= 5 && faults * 2 >= calls.length
          expect(breaker.state()).toBe(mustOpen ? 'open' : 'closed')
          if (mustOpen) return
        }
      }),
    )
  })
})

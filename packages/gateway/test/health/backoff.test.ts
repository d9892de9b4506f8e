import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backoffMs } from '../../src/health/backoff.ts'

describe('backoff', () => {
  it('doubles its limit with each attempt, up to eight seconds', () => {
    const longest = [1, 2, 3, 4, 5, 6, 7, 2000].map((attempt) => backoffMs(attempt, () => 1))
    expect(longest).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000, 8000])
  })

  it('is anywhere between nothing and the limit', () => {
    expect([0, 0.25, 0.5].map((random) => backoffMs(3, () => random))).toEqual([0, 250, 500])
    const fraction = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fraction, fraction, (attempt, one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)].map((random) =>
          backoffMs(attempt, () => random),
        )
        expect(low).toBeLessThanOrEqual(high!)
        expect(low).toBeGreaterThanOrEqual(0)
        expect(high).toBeLessThanOrEqual(8000)
      }),
    )
  })

  it('takes other limits', () => {
    const limits = { baseMs: 10, factor: 3, mostMs: 50 }
    expect([1, 2, 3].map((attempt) => backoffMs(attempt, () => 1, limits))).toEqual([10, 30, 50])
  })
})

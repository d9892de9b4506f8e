import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { correctTokens, EMPTY_BUCKET, ratesOf, takeFrom, type Bucket } from '../src/store/bucket.ts'

const RUNS = { numRuns: Number(process.env['DRAGOMAN_RUNS'] ?? 100) }
const MINUTE_MS = 60_000
const NOW = Date.UTC(2026, 10, 18)

const limit = fc.integer({ min: 1, max: 1000 })
const asks = fc.array(fc.record({ pauseMs: fc.nat(30_000), tokens: fc.nat(600) }), { minLength: 1, maxLength: 60 })

interface Admitted {
  readonly at: number
  readonly tokens: number
}

/** The calls that a bucket admits. */
function admittedOf(
  limits: { requests?: number; tokens?: number },
  calls: readonly { pauseMs: number; tokens: number }[],
): Admitted[] {
  let now = NOW
  let bucket: Bucket = EMPTY_BUCKET
  return calls.flatMap(({ pauseMs, tokens }) => {
    now += pauseMs
    const taken = takeFrom(bucket, limits, tokens, now)
    bucket = taken.bucket
    return taken.refused === undefined ? [{ at: now, tokens }] : []
  })
}

/** All windows that begin and end with an admitted call. */
function windowsOf(calls: readonly Admitted[]): readonly (readonly Admitted[])[] {
  return calls.flatMap((_, from) => calls.slice(from).map((_call, length) => calls.slice(from, from + length + 1)))
}

const minutesOf = (calls: readonly Admitted[]): number => ((calls.at(-1)?.at ?? 0) - (calls[0]?.at ?? 0)) / MINUTE_MS

describe('a bucket', () => {
  it('admits at most the limit, and the limit again for each minute, in every window', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), asks, (requests, calls) => {
        for (const window of windowsOf(admittedOf({ requests }, calls))) {
          expect(window.length).toBeLessThanOrEqual(requests + requests * minutesOf(window) + 1e-6)
        }
      }),
      RUNS,
    )
  })

  it('admits no more tokens than that, except for one call that is greater than the limit', () => {
    fc.assert(
      fc.property(limit, asks, (tokens, calls) => {
        for (const window of windowsOf(admittedOf({ tokens }, calls))) {
          const sum = window.reduce((all, call) => all + call.tokens, 0)
          const excess = Math.max(0, (window.at(-1)?.tokens ?? 0) - tokens)
          expect(sum - excess).toBeLessThanOrEqual(tokens + tokens * minutesOf(window) + 1e-6)
        }
      }),
      RUNS,
    )
  })

  it('admits a refused call after the time that it names and not before, to a millisecond', () => {
    fc.assert(
      fc.property(limit, limit, asks, (requests, tokens, calls) => {
        let now = NOW
        let bucket = EMPTY_BUCKET
        for (const call of calls) {
          now += call.pauseMs
          const { bucket: next, refused, waitMs } = takeFrom(bucket, { requests, tokens }, call.tokens, now)
          bucket = next
          expect(waitMs === 0).toBe(refused === undefined)
          if (refused === undefined) continue
          expect(takeFrom(bucket, { requests, tokens }, call.tokens, now + waitMs + 1).refused).toBeUndefined()
          expect(takeFrom(bucket, { requests, tokens }, call.tokens, now + waitMs - 2).refused).toBeDefined()
        }
      }),
      RUNS,
    )
  })

  it('is empty again when it says so', () => {
    fc.assert(
      fc.property(limit, fc.nat(5000), (tokens, used) => {
        const { bucket } = takeFrom(EMPTY_BUCKET, { tokens }, used, NOW)
        const { resetMs = 0 } = ratesOf(bucket, { tokens }).tokens ?? {}
        const later = correctTokens(bucket, { tokens }, 0, NOW + resetMs)
        expect(ratesOf(later, { tokens }).tokens).toEqual({ limit: tokens, remaining: tokens, resetMs: 0 })
      }),
      RUNS,
    )
  })

  it('is empty although numbers are rounded: 370 × 4.1 is less than 1517', () => {
    const { bucket } = takeFrom(EMPTY_BUCKET, { tokens: 370 }, 1517, NOW)
    const later = correctTokens(bucket, { tokens: 370 }, 0, NOW + 4.1 * MINUTE_MS)
    expect(ratesOf(later, { tokens: 370 }).tokens).toEqual({ limit: 370, remaining: 370, resetMs: 0 })
  })

  it('drains nothing when the clock is set back', () => {
    const { bucket } = takeFrom(EMPTY_BUCKET, { requests: 1 }, 0, NOW)
    const { refused, waitMs, bucket: after } = takeFrom(bucket, { requests: 1 }, 0, NOW - 90_000)
    expect({ refused, waitMs, at: after.at }).toEqual({ refused: 'requests', waitMs: MINUTE_MS, at: NOW })
  })

  it('takes back tokens that were not used, and never has less than none', () => {
    const { bucket } = takeFrom(EMPTY_BUCKET, { tokens: 100 }, 80, NOW)
    expect(correctTokens(bucket, { tokens: 100 }, -30, NOW).tokens).toBe(50)
    expect(correctTokens(bucket, { tokens: 100 }, -90, NOW).tokens).toBe(0)
    expect(correctTokens(bucket, { tokens: 100 }, 90, NOW).tokens).toBe(170)
  })

  it('counts only what has a limit', () => {
    const { bucket } = takeFrom(EMPTY_BUCKET, {}, 80, NOW)
    expect(ratesOf(bucket, {})).toEqual({ requests: undefined, tokens: undefined })
    expect(takeFrom(bucket, {}, 1e9, NOW).refused).toBeUndefined()
  })
})

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endOf, periodAt, PERIODS } from '../src/store/period.ts'

const RUNS = { numRuns: Number(process.env['DRAGOMAN_RUNS'] ?? 100) }
const time = fc.integer({ min: Date.UTC(1970, 0), max: Date.UTC(2200, 0) })

/** When a period begins and ends, as people write it. */
function textOf(period: 'day' | 'week' | 'month', at: string): readonly string[] {
  const start = periodAt(period, Date.parse(at))
  return [start.start, endOf(start) ?? 0].map((each) => new Date(each).toISOString())
}

const midnights = (...days: string[]): string[] => days.map((day) => `${day}T00:00:00.000Z`)

describe('a period', () => {
  it('contains its time and ends where the next one begins', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PERIODS), time, (period, at) => {
        const found = periodAt(period, at)
        const end = endOf(found)
        expect(found.start).toBeLessThanOrEqual(at)
        expect(periodAt(period, found.start)).toEqual(found)
        if (end === undefined) return
        expect(end).toBeGreaterThan(at)
        expect(periodAt(period, end)).toEqual({ period, start: end })
        expect(periodAt(period, end - 1)).toEqual(found)
        expect(new Date(end).toISOString()).toMatch(/T00:00:00\.000Z$/)
      }),
      RUNS,
    )
  })

  it('is a day of UTC, also when clocks change in Europe and America', () => {
    expect(textOf('day', '2026-03-29T23:59:59.999Z')).toEqual(midnights('2026-03-29', '2026-03-30'))
    expect(textOf('day', '2026-10-25T00:00:00Z')).toEqual(midnights('2026-10-25', '2026-10-26'))
    expect(textOf('day', '2026-11-01T06:30:00Z')).toEqual(midnights('2026-11-01', '2026-11-02'))
  })

  it('is a week from Monday', () => {
    expect(textOf('week', '2026-11-16T00:00:00Z')).toEqual(midnights('2026-11-16', '2026-11-23'))
    expect(textOf('week', '2026-11-22T23:59:59.999Z')).toEqual(midnights('2026-11-16', '2026-11-23'))
    expect(textOf('week', '2027-01-01T00:00:00Z')).toEqual(midnights('2026-12-28', '2027-01-04'))
  })

  it('is a month of any length', () => {
    expect(textOf('month', '2026-01-31T23:59:59.999Z')).toEqual(midnights('2026-01-01', '2026-02-01'))
    expect(textOf('month', '2026-02-28T23:59:59.999Z')).toEqual(midnights('2026-02-01', '2026-03-01'))
    expect(textOf('month', '2028-02-29T12:00:00Z')).toEqual(midnights('2028-02-01', '2028-03-01'))
    expect(textOf('month', '2026-12-31T23:59:59.999Z')).toEqual(midnights('2026-12-01', '2027-01-01'))
  })

  it('is everything, without an end', () => {
    expect(periodAt('total', Date.UTC(2026, 0))).toEqual({ period: 'total', start: 0 })
    expect(endOf({ period: 'total', start: 0 })).toBeUndefined()
  })
})

import { describe, expect, it } from 'vitest'
import { median } from './table.ts'
import { combine, describeChange, describeUncertainty, uncertaintyOf } from './uncertainty.ts'

/** Half the interval of 90 % of a normal distribution, in standard deviations. */
const NINETY = 1.645

/** Numbers around 100 with a standard deviation of about 10: sums of twelve evenly distributed ones. */
function noisy(count: number, deviation: number): number[] {
  let seed = 7
  const next = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
  const normal = (): number => Array.from({ length: 12 }, next).reduce((sum, each) => sum + each, -6)
  return Array.from({ length: count }, () => 100 + deviation * normal())
}

const meanOf = (values: readonly number[]) => (chosen: readonly number[]) =>
  chosen.reduce((sum, round) => sum + (values[round] ?? NaN), 0) / chosen.length

describe('the uncertainty of a figure', () => {
  it('is that of its rounds: for a mean, the standard error', () => {
    const found = uncertaintyOf(100, meanOf(noisy(100, 10)))
    const expected = (NINETY * 10) / Math.sqrt(100) / 100
    expect(found / expected).toBeGreaterThan(0.75)
    expect(found / expected).toBeLessThan(1.25)
  })

  it('becomes smaller with more rounds, and larger with more noise', () => {
    const of = (count: number, deviation: number): number => uncertaintyOf(count, meanOf(noisy(count, deviation)))
    expect(of(160, 10) / of(10, 10)).toBeLessThan(0.4)
    expect(of(40, 20) / of(40, 5)).toBeGreaterThan(3)
  })

  it('is zero for rounds that are all alike, and unknown for fewer than three', () => {
    const alike = (chosen: readonly number[]): number => median(chosen.map(() => 5))
    expect(uncertaintyOf(3, alike)).toBe(0)
    expect(uncertaintyOf(2, alike)).toBeNaN()
    expect(uncertaintyOf(0, alike)).toBeNaN()
  })

  it('does not count what disturbs all servers of a round alike', () => {
    const speed = noisy(12, 20)
    const ratio = (chosen: readonly number[]): number =>
      meanOf(speed.map((each) => each * 1.5))(chosen) / meanOf(speed)(chosen)
    expect(uncertaintyOf(12, ratio)).toBeLessThan(1e-9)
    expect(uncertaintyOf(12, meanOf(speed))).toBeGreaterThan(0.03)
  })

  it('is the same for the same rounds', () => {
    const figure = meanOf(noisy(9, 10))
    expect(uncertaintyOf(9, figure)).toBe(uncertaintyOf(9, figure))
  })

  it('decides whether a time is another one than before', () => {
    expect(describeChange(1.06, 0.05)).toBe('SLOWER')
    expect(describeChange(1.05, 0.05)).toBe('no measurable difference')
    expect(describeChange(0.96, 0.05)).toBe('no measurable difference')
    expect(describeChange(0.94, 0.05)).toBe('faster')
    expect(describeChange(2, NaN)).toBe('no measurable difference')
  })

  it('adds up with independent causes, and is shown in percent', () => {
    expect(combine(0.03, 0.04)).toBeCloseTo(0.05)
    expect(describeUncertainty(0.041)).toBe('±5 %')
    expect(describeUncertainty(104 / 100 - 1)).toBe('±4 %')
    expect(describeUncertainty(combine(NaN, 0.04))).toBe('±?')
  })
})

import { describe, expect, it } from 'vitest'
import { judgeWithin } from '../bars.ts'
import { agrees, describeAA, differenceOf, ratioOf } from './agreement.ts'

const times = (count: number, value: number): number[] => Array.from({ length: count }, () => value)
const BAR = { must: 1.5, aim: 0.9 }

describe('two identical servers', () => {
  it('agree after eight rounds within 5 %', () => {
    expect(agrees(times(8, 100), times(8, 104))).toBe(true)
    expect(agrees(times(7, 100), times(7, 100))).toBe(false)
    expect(agrees(times(8, 100), times(8, 106))).toBe(false)
    expect(agrees(times(30, 106), times(30, 100))).toBe(false)
    expect(agrees([], [])).toBe(false)
  })

  it('agree by the quickest quarter of rounds, whatever slows the others down', () => {
    const disturbed = times(20, 100).map((time, round) => (round % 3 === 0 ? time : time * (2 + round)))
    expect(agrees(times(20, 101), disturbed)).toBe(true)
  })

  it('agree only if they did after the last rounds too', () => {
    // The ninth round makes the third of the quickest the figure of both, and these happen to be alike.
    const first = [90, 90, 100, 100, 100, 100, 100, 100, 100]
    const second = [100, 100, 100, 100, 100, 100, 100, 100, 100]
    expect(differenceOf(first, second)).toBe(0)
    expect(agrees(first, second)).toBe(false)
    expect(agrees([...first, 100, 100], [...second, 100, 100])).toBe(true)
  })

  it('are described by their difference', () => {
    expect(differenceOf(times(4, 100), times(4, 105))).toBeCloseTo(0.05)
    expect(describeAA(0.05)).toBe('A/A: the second yardstick takes +5.0 %, within 5 %')
    expect(describeAA(-0.049)).toContain('−4.9 %, within 5 %')
    expect(describeAA(0.071)).toMatch(/differ by \+7\.1 %, more than 5 %/)
    expect(describeAA(NaN)).toContain('more than 5 %')
  })
})

describe('a ratio', () => {
  it('is that of the quickest quarters, to the mean of the yardsticks', () => {
    const own = [150, 149, 1000, 160, 900]
    const ratio = ratioOf(
      own,
      [
        [200, 90, 300, 88, 250],
        [110, 400, 108, 300, 200],
      ],
      0,
    )
    expect(ratio.value).toBe(1.5)
  })

  it('is never more certain than two processes of one server are alike', () => {
    const steady = times(20, 100)
    expect(ratioOf(steady, [steady], 0).uncertainty).toBeCloseTo(0.03)
    expect(ratioOf(steady, [steady], -0.2).uncertainty).toBeCloseTo(0.2)
    // The mean of two yardsticks varies less than one of them.
    expect(ratioOf(steady, [steady, steady], 0.2).uncertainty).toBeCloseTo(0.2 * Math.sqrt(0.75))
  })

  it('is less certain if its rounds differ, and unknown with fewer than three', () => {
    const steady = times(12, 100)
    const wild = steady.map((time, round) => time + 10 * ((round * 5) % 12))
    expect(ratioOf(wild, [steady], 0).uncertainty).toBeGreaterThan(0.08)
    expect(ratioOf(wild.slice(0, 2), [steady], 0).uncertainty).toBeNaN()
  })

  it('continues with the rounds that both have', () => {
    const { value, uncertainty } = ratioOf(times(5, 150), [times(4, 100)], 0)
    expect([value, uncertainty]).toEqual([1.5, expect.closeTo(0.03)])
  })

  it('has every verdict that is possible within its uncertainty', () => {
    expect(judgeWithin(1.2, 0.05, BAR)).toBe('PASS')
    expect(judgeWithin(1.48, 0.05, BAR)).toBe('PASS or OVER')
    expect(judgeWithin(1.2, 0.4, BAR)).toBe('PASS aim or PASS or OVER')
    expect(judgeWithin(1.2, NaN, BAR)).toBe('PASS ?')
    expect(judgeWithin(1.2, 0.05, undefined)).toBe('')
  })
})

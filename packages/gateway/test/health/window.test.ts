import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWindow } from '../../src/health/window.ts'

describe('a window', () => {
  it('counts the calls and faults of five minutes', () => {
    const window = createWindow()
    expect(window.measured(0)).toEqual({ calls: 0, faults: 0 })
    window.success(0)
    window.fault(5000)
    expect(window.measured(5000)).toEqual({ calls: 2, faults: 1 })
    window.fault(200_000)
    expect(window.measured(299_999)).toEqual({ calls: 3, faults: 2 })
    expect(window.measured(300_000)).toEqual({ calls: 1, faults: 1 })
    expect(window.measured(500_000)).toEqual({ calls: 0, faults: 0 })
  })

  it('has the medians of what was measured', () => {
    const window = createWindow()
    window.success(0, 300, 10)
    expect(window.measured(0)).toMatchObject({ latencyMs: 300, tokensPerSecond: 10 })
    window.success(1, 100)
    expect(window.measured(1)).toMatchObject({ latencyMs: 200, tokensPerSecond: 10 })
    window.success(2, 9000, 40)
    window.fault(3)
    expect(window.measured(3)).toEqual({ calls: 4, faults: 1, latencyMs: 300, tokensPerSecond: 25 })
  })

  it('has the latest values after any calls', () => {
    const call = fc.record({ wait: fc.integer({ min: 0, max: 40_000 }), latency: fc.option(fc.nat(1000)) })
    fc.assert(
      fc.property(fc.array(call, { maxLength: 40, size: 'max' }), (calls) => {
        const window = createWindow()
        const made: { span: number; latency: number | null }[] = []
        let now = 0
        for (const { wait, latency } of calls) {
          now += wait
          const span = Math.floor(now / 10_000)
          if (latency === null) window.fault(now)
          else window.success(now, latency)
          made.push({ span, latency })
          const lately = made.filter((one) => one.span > span - 30)
          const kept = lately
            .filter((one, index) => {
              const before = lately.slice(0, index).filter((other) => other.span === one.span && other.latency !== null)
              return one.latency !== null && before.length < 8
            })
            .map(({ latency }) => latency ?? 0)
            .sort((left, right) => left - right)
          const middle = kept.slice((kept.length - 1) >> 1, (kept.length >> 1) + 1)
          expect(window.measured(now)).toEqual({
            calls: lately.length,
            faults: lately.filter((one) => one.latency === null).length,
            ...(kept.length > 0 && { latencyMs: middle.reduce((sum, one) => sum + one, 0) / middle.length }),
          })
        }
      }),
    )
  })

  it('keeps the first eight samples of each ten seconds', () => {
    const window = createWindow()
    for (let i = 0; i < 8; i++) window.success(i, 100, 10)
    for (let i = 0; i < 100; i++) window.success(1000, 500, 90)
    expect(window.measured(9000)).toEqual({ calls: 108, faults: 0, latencyMs: 100, tokensPerSecond: 10 })
    for (let i = 0; i < 8; i++) window.success(10_000, 500, 90)
    expect(window.measured(10_000)).toEqual({ calls: 116, faults: 0, latencyMs: 300, tokensPerSecond: 50 })
  })

  it('is at most a quarter of a second late when there are many calls', () => {
    const window = createWindow()
    for (let i = 0; i < 65; i++) window.success(i, 100)
    expect(window.measured(100).calls).toBe(65)
    window.success(101, 100)
    expect(window.measured(349).calls).toBe(65)
    expect(window.measured(350).calls).toBe(66)
  })

  it('follows a clock that is set back', () => {
    const window = createWindow()
    window.success(10_000_000, 100)
    expect(window.measured(5_000_000)).toEqual({ calls: 0, faults: 0 })
    window.success(5_000_000, 300)
    expect(window.measured(5_000_000)).toMatchObject({ calls: 1, latencyMs: 300 })
  })
})

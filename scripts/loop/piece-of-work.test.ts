import { describe, expect, it } from 'vitest'
import { createPieces, piecesText } from './piece-of-work.ts'

describe('a fixed piece of work', () => {
  /** The median with a clock by which the pieces take these times. */
  const medianOf = (times: readonly number[]) => {
    let now = 0
    let reads = 0
    const pieces = createPieces(() => (reads++ % 2 === 0 ? now : (now += times[(reads - 2) / 2] ?? 0)))
    for (const _time of times) pieces.sample()
    return pieces.medianMs()
  }
  const WARM_UP = [90, 80, 70, 60, 50]

  it('takes the median of its times, without the first ones', () => {
    expect(medianOf([...WARM_UP, 10, 1, 99, 12, 11])).toBe(11)
  })

  it('has no time after a few samples', () => {
    expect(medianOf([...WARM_UP, 10, 10, 10, 10])).toBe(undefined)
    expect(piecesText(undefined, 12)).toBe(undefined)
  })

  it('takes CPU time', () => {
    const pieces = createPieces()
    for (let time = 0; time < 10; time++) pieces.sample()
    expect(pieces.medianMs()).toBeGreaterThan(0.1)
  })

  it('says how many of it a run could have been', () => {
    expect(piecesText(8, 720)).toMatch(/^720\.0 s of CPU time are 90000 pieces of a fixed work, each 8\.0 ms here/)
  })
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSweep, type Timed } from '../src/sweep.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watched(count: number, ms: (index: number) => number) {
  const sweep = createSweep(100)
  const late: number[] = []
  const all = Array.from({ length: count }, (_, i): Timed => {
    const timed = { until: performance.now() + ms(i), index: -1, onLate: () => void late.push(i) }
    sweep.add(timed)
    return timed
  })
  return { sweep, late, all }
}

describe('sweep', () => {
  it('calls each that is late, once, and no other', () => {
    const { late } = watched(4, (i) => [250, 1000, 250, 450][i] ?? 0)
    vi.advanceTimersByTime(200)
    expect(late).toEqual([])
    vi.advanceTimersByTime(100)
    expect(late).toEqual([0, 2])
    vi.advanceTimersByTime(200)
    expect(late).toEqual([0, 2, 3])
    vi.advanceTimersByTime(5000)
    expect(late).toEqual([0, 2, 3, 1])
  })
  it('does not call one that another late one has removed', () => {
    const { sweep, late, all } = watched(2, () => 150)
    const [first = expect.fail()] = all
    sweep.add({ until: 0, index: -1, onLate: () => all.forEach((timed) => sweep.remove(timed)) })
    sweep.remove(first)
    sweep.add(first)
    vi.advanceTimersByTime(200)
    expect(late).toEqual([])
  })
  it('calls none that was removed, in any order', () => {
    const { sweep, late, all } = watched(6, () => 150)
    const [first, , third, , , sixth] = all
    for (const timed of [first, sixth, third, first]) if (timed !== undefined) sweep.remove(timed)
    vi.advanceTimersByTime(200)
    expect(late).toEqual([4, 1, 3])
  })
  it('waits longer if the time is moved on', () => {
    const { late, all } = watched(1, () => 150)
    vi.advanceTimersByTime(100)
    const [only = expect.fail()] = all
    only.until = performance.now() + 300
    vi.advanceTimersByTime(200)
    expect(late).toEqual([])
    vi.advanceTimersByTime(200)
    expect(late).toEqual([0])
  })
  it('has one timer for all, and none when all are over', () => {
    const { sweep, all } = watched(100, () => 1000)
    expect(vi.getTimerCount()).toBe(1)
    for (const timed of all) sweep.remove(timed)
    vi.advanceTimersByTime(100)
    expect(vi.getTimerCount()).toBe(0)
    sweep.add({ until: 0, index: -1, onLate: () => undefined })
    expect(vi.getTimerCount()).toBe(1)
  })
})

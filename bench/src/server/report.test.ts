import { describe, expect, it } from 'vitest'
import { compareBefore, describeYardsticks } from './report.ts'
import type { Found, Reading } from './rounds.ts'
import { beforeOf, type Subject } from './subjects.ts'

const READING: Reading = { micros: 100, perSecond: 1, busy: 1, p50Ms: 1, p99Ms: 1, maxMs: 1, gc: 0.02, stallMs: 0 }

function found(kind: Subject['kind'], name: string, micros: number, gc = 0.02): Found<Subject> {
  const subject = { kind, name } as Subject // nothing else of it is read
  const reading = { ...READING, micros, gc }
  const readings = Array.from({ length: 8 }, () => reading)
  return { subject, readings, middle: reading, ratio: { value: 1, uncertainty: 0.03 } }
}

const YARDSTICKS = [found('yardstick', 'one', 100), found('yardstick', 'two', 104)]
const compare = (after: number, before: number, gc?: number): string[] =>
  compareBefore([...YARDSTICKS, found('relay', 'ours', after, gc), found('before', beforeOf('ours'), before)])

describe('the comparison with another checkout', () => {
  it('is as certain as two identical servers agree', () => {
    expect(compare(103, 100)).toEqual(['ours: 1.03 of before, ±4 %: no measurable difference'])
    expect(compare(110, 100)).toEqual(['ours: 1.10 of before, ±4 %: SLOWER'])
    expect(compare(90, 100)).toEqual(['ours: 0.90 of before, ±4 %: faster'])
  })

  it('names a process that spends its time on collecting memory, which may be its luck', () => {
    expect(compare(166, 100, 0.21)).toEqual([
      expect.stringMatching(/^ours: 1\.66 of before, ±4 %: SLOWER, .*21 % and 2 % of the time.*run it again/),
    ])
    expect(compare(110, 100, 0.09)).toEqual(['ours: 1.10 of before, ±4 %: SLOWER'])
  })

  it('is not certain at all without two yardsticks', () => {
    expect(describeYardsticks(YARDSTICKS)).toBe('A/A: the second yardstick takes +4.0 %, within 5 % (8 rounds)')
    expect(describeYardsticks(YARDSTICKS.slice(1))).toContain('there are not two yardsticks')
    const alone = [...YARDSTICKS.slice(1), found('relay', 'ours', 150), found('before', beforeOf('ours'), 100)]
    expect(compareBefore(alone)).toEqual(['ours: 1.50 of before, ±?: no measurable difference'])
  })
})

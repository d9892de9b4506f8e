import { protocols } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import { listCases } from './cases.ts'
import { compare } from './compare.ts'
import { measureCase, measureCases } from './measure.ts'
import { createRecord, findFaults, isReason, readRecords, recordedFigures } from './records.ts'
import { ADVICE, rowsOf } from './run.ts'

const SMALL_CASE = 'converter messages → chat, response'
const RECORDS = readRecords()
const RECORDED = recordedFigures(RECORDS)

describe('the heap of calls through the gateway', () => {
  const calls = listCases().flatMap(({ name }) => (name.startsWith('gateway ') ? [name] : []))

  it('is measured for every pair of protocols, whole and streamed', () => {
    expect(calls).toHaveLength(protocols.length ** 2 * 2)
  })

  // Each is a process of its own: on a busy machine all of them take longer than a test may.
  it.each(calls)('%s: grows by at most a twentieth more than recorded', async (call) => {
    const rows = rowsOf(await measureCases([call], RECORDED), RECORDED)
    const isOver = (row: readonly string[]): boolean => ['MORE', 'NOT RECORDED'].includes(row.at(-1) ?? '')
    const more = rows
      .filter(isOver)
      .map(([name, before, now, change]) => `${name}: ${before} KB, now ${now} (+${change} %)`)
    expect(rows).toHaveLength(1)
    expect(more.length === 0 ? [] : [ADVICE, ...more]).toEqual([])
  })
})

describe('the heap benchmark', () => {
  it('finds a planted allocation, and repeats its figure without one', async () => {
    const [first, second] = [await measureCase(SMALL_CASE), await measureCase(SMALL_CASE)]
    expect(Math.abs(second / first - 1)).toBeLessThan(0.02)
    const figure = Math.min(first, second)
    const planted = await measureCase(SMALL_CASE, 8 * Math.round((figure * 0.08) / 1000 / 8))
    expect(compare(figure, planted)).toBe('MORE')
    expect(planted / figure).toBeLessThan(1.11)
  })

  it('has a recorded figure for every case', () => {
    const names = listCases().map(({ name }) => name)
    expect(Object.keys(RECORDED).sort()).toEqual(names.sort())
  })

  it('runs every case: each converter, and each mode of the gateway', async () => {
    const cases = listCases()
    const pairs = protocols.length ** 2
    expect(cases).toHaveLength((pairs - protocols.length) * 3 + pairs * 2)
    for (const { prepare } of cases) await prepare()()
  })

  it('fails above 5 %, and for a case without a record', () => {
    expect(compare(1000, 1049)).toBe('as recorded')
    expect(compare(1000, 1051)).toBe('MORE')
    expect(compare(1000, 949)).toBe('less')
    expect(compare(undefined, 10)).toBe('NOT RECORDED')
  })
})

describe('the records of the heap', () => {
  const first = createRecord([], { one: 1000, two: 2000 }, 'the first figures of the benchmark', '2026-01-01')
  const second = createRecord([first], { one: 1100, two: 2010 }, 'one keeps a list of its calls', '2026-01-02')

  it('are complete, with a reason for each', () => {
    expect(findFaults(RECORDS)).toEqual([])
  })

  it('have the figures that changed, and the last figure of a case counts', () => {
    expect(second.figures).toEqual({ one: 1100 })
    expect(recordedFigures([first, second])).toEqual({ one: 1100, two: 2000 })
    expect(findFaults([first, second])).toEqual([])
  })

  it('cannot change without a new record that says why', () => {
    expect(findFaults([{ ...first, figures: { one: 1500, two: 2000 } }])).toEqual([expect.stringContaining('edited')])
    expect(findFaults([first, createRecord([first], { one: 1500 }, first.reason, '2026-01-03')])).toEqual([
      expect.stringContaining('the reason of an earlier record'),
    ])
    expect(findFaults([createRecord([], { one: 1 }, ' because ', '2026-01-03')])).toEqual([
      expect.stringContaining('no reason'),
    ])
    expect(isReason('calls have an id for lookups')).toBe(true)
  })
})

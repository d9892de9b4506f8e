import { protocols } from '@dragoman/core/protocols'
import { beforeAll, describe, expect, it } from 'vitest'
import { listCases } from './cases.ts'
import { changeOf, compare, type Figures } from './compare.ts'
import { measureCase, measureCases } from './measure.ts'
import { createRecord, findFaults, isReason, readRecords, recordedFigures } from './records.ts'
import { ADVICE, rowsOf } from './run.ts'
import { measureShort, shortNames } from './short.ts'

const SMALL_CASE = 'converter messages → chat, response'
const RECORDS = readRecords()
const RECORDED = recordedFigures(RECORDS)

let figures: Figures

beforeAll(async () => {
  figures = await measureShort()
})

describe('the heap of calls through the gateway', () => {
  it('grows by at most a twentieth more than recorded, for every pair of protocols, whole and streamed', () => {
    expect(Object.keys(figures)).toHaveLength(protocols.length ** 2 * 2)
    expect(overRecord(figures)).toEqual([])
  })

  // Code that is not optimized does not show allocations that the compiler removes, or no longer removes.
  it.each(['gateway chat → chat, whole', 'gateway messages → chat, stream'])(
    '%s: grows by at most a twentieth more than recorded with optimized code',
    async (call) => {
      expect(overRecord(await measureCases([call], RECORDED))).toEqual([])
    },
  )
})

function overRecord(figures: Figures): string[] {
  const over = rowsOf(figures, RECORDED).filter((row) => ['MORE', 'NOT RECORDED'].includes(row.at(-1) ?? ''))
  const lines = over.map(([name, before, now, change]) => `${name}: ${before} KB, now ${now} (+${change} %)`)
  return lines.length === 0 ? [] : [ADVICE, ...lines]
}

describe('the short form of the heap benchmark', () => {
  it('finds a growth of 5.5 % in every call, and repeats its figures without it', async () => {
    const again = await measureShort()
    const planted = await measureShort(0.055)
    const growths = Object.entries(figures).map(([name, figure]) => {
      const recorded = { ...RECORDED, [name]: figure }
      const measured = planted[name] ?? NaN
      const isSmall = (changeOf(name, measured, recorded) ?? NaN) < 0.065
      const isRepeated = Math.abs((again[name] ?? NaN) / figure - 1) < 0.002
      return { name, verdict: compare(name, measured, recorded), isSmall, isRepeated }
    })
    expect(growths).toEqual(shortNames().map((name) => ({ name, verdict: 'MORE', isSmall: true, isRepeated: true })))
  })
})

describe('the heap benchmark', () => {
  it('finds a planted allocation, and repeats its figure without one', async () => {
    const [first, second] = [await measureCase(SMALL_CASE), await measureCase(SMALL_CASE)]
    expect(Math.abs(second / first - 1)).toBeLessThan(0.02)
    const figure = Math.min(first, second)
    const planted = await measureCase(SMALL_CASE, (figure * 0.08) / 1000)
    expect(compare(SMALL_CASE, planted, { [SMALL_CASE]: figure })).toBe('MORE')
    expect(planted / figure).toBeLessThan(1.11)
  })

  it('has a recorded figure for every case', () => {
    const names = [...listCases().map(({ name }) => name), ...shortNames()]
    expect(Object.keys(RECORDED).sort()).toEqual(names.sort())
  })

  it('runs every case: each converter, and each mode of the gateway', async () => {
    const cases = listCases()
    const pairs = protocols.length ** 2
    expect(cases).toHaveLength((pairs - protocols.length) * 3 + pairs * 2)
    for (const { prepare } of cases) await prepare()()
  })

  it('fails above 5 %, and for a case without a record', () => {
    const recorded = { call: 1000, 'short call': 1400, 'short other': 1400 }
    expect(compare('call', 1049, recorded)).toBe('as recorded')
    expect(compare('call', 1051, recorded)).toBe('MORE')
    expect(compare('call', 949, recorded)).toBe('less')
    expect(compare('new', 10, recorded)).toBe('NOT RECORDED')
    expect(compare('short other', 1400, recorded)).toBe('NOT RECORDED')
  })

  it('fails above 5 % of the figure with optimized code in the short form, whose own figure is larger', () => {
    const recorded = { call: 1000, 'short call': 1400 }
    expect(compare('short call', 1449, recorded)).toBe('as recorded')
    expect(compare('short call', 1451, recorded)).toBe('MORE')
    expect(compare('short call', 1349, recorded)).toBe('less')
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

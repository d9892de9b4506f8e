import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { protocols } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import { listCases } from './cases.ts'
import { compare, type Figures } from './compare.ts'
import { measureCase } from './run.ts'

const SMALL_CASE = 'converter messages → chat, response'

/** On a busy machine the compiler can be late, and the figure too high: the command measures again too. */
async function leastOfTwo(plantedBytes = 0): Promise<number> {
  return Math.min(await measureCase(SMALL_CASE, plantedBytes), await measureCase(SMALL_CASE, plantedBytes))
}

describe('the heap benchmark', () => {
  it('finds a planted allocation, and repeats its figure without one', async () => {
    const [first, second] = [await leastOfTwo(), await leastOfTwo()]
    expect(compare(first, second)).toBe('as recorded')
    const figure = Math.min(first, second)
    const planted = await leastOfTwo(8 * Math.round((figure * 0.25) / 1000 / 8))
    expect(compare(figure, planted)).toBe('MORE')
    expect(planted / figure).toBeGreaterThan(1.15)
    expect(planted / figure).toBeLessThan(1.35)
  }, 120_000)

  it('has a recorded figure for every case', () => {
    const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'recorded.json'), 'utf8')) as Figures
    expect(Object.keys(recorded).sort()).toEqual(
      listCases()
        .map(({ name }) => name)
        .sort(),
    )
  })

  it('runs every case: each converter, and each mode of the gateway', async () => {
    const cases = listCases()
    const pairs = protocols.length ** 2
    expect(cases).toHaveLength((pairs - protocols.length) * 3 + pairs * 2)
    for (const { prepare } of cases) await prepare()()
  }, 60_000)

  it('fails above the tolerance, and for a case without a record', () => {
    expect(compare(1000, 1099)).toBe('as recorded')
    expect(compare(1000, 1101)).toBe('MORE')
    expect(compare(1000, 899)).toBe('less')
    expect(compare(undefined, 10)).toBe('NOT RECORDED')
  })
})

import { describe, expect, it } from 'vitest'
import { createUsageFold, type Dimension, type UsageRow } from '../src/store.ts'

const SUMS = { calls: 1, failed: 0, estimated: 0, cost: 2n, ms: 3n }
const TOKENS = { input: 1n, output: 2n, cacheRead: 3n, cacheWrite5m: 4n, cacheWrite1h: 5n, reasoning: 6n }

function row(dimensions: UsageRow['dimensions']): UsageRow {
  return { dimensions, ...SUMS, tokens: TOKENS }
}

function fold(by: readonly Dimension[], limit: number, models: readonly string[], after?: readonly string[]) {
  const made = createUsageFold({ by, limit, after })
  for (const model of models) made.add(row({ model }))
  return made
}

describe('a page of sums', () => {
  it('adds the parts of a group, and needs no order', () => {
    const { rows, next } = fold(['model'], 10, ['b', 'a', 'b', 'b']).page()
    expect(rows.map(({ dimensions, calls }) => [dimensions.model, calls])).toEqual([
      ['a', 1],
      ['b', 3],
    ])
    expect(rows[1]).toMatchObject({ cost: 6n, ms: 9n, tokens: { input: 3n, cacheWrite1h: 15n } })
    expect(next).toBeUndefined()
  })

  it('holds its own rows and one more, however many groups come, and says which are not needed', () => {
    const models = Array.from({ length: 5000 }, (_, index) => `m${String((index * 7919) % 5000).padStart(4, '0')}`)
    const made = fold(['model'], 3, models)
    expect(made.last()).toEqual(['m0003'])
    expect(made.page().rows.map(({ dimensions }) => dimensions.model)).toEqual(['m0000', 'm0001', 'm0002'])
    expect(made.page().next).toEqual(['m0002'])
  })

  it('begins after the values of the page before', () => {
    const { rows } = fold(['model'], 3, ['a', 'b', 'c'], ['a']).page()
    expect(rows.map(({ dimensions }) => dimensions.model)).toEqual(['b', 'c'])
  })

  it('sorts times by number', () => {
    const made = createUsageFold({ by: ['hour'] })
    for (const hour of ['90', '1000', '200']) made.add(row({ hour }))
    expect(made.page().rows.map(({ dimensions }) => dimensions.hour)).toEqual(['90', '200', '1000'])
  })
})

import { costOf } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import { cards } from './priced-cards.ts'
import type { Shape } from './usage-shapes.ts'

/** `undefined` is a price that the vendor does not state. */
export type Row = readonly [model: string, what: string, shape: Shape, nanos: number | undefined]

/**
 * Usage as a vendor reports it, and its price in nano-dollars, worked out by hand from the prices of the source. $1 for a million tokens is
 * 1,000 nano-dollars for one.
 */
export function describePrices(source: string, rows: readonly Row[]): void {
  describe(`prices of ${source}`, () => {
    it.each(rows)('%s: %s', (model, _what, shape, nanos) => {
      const card = cards.get(model) ?? { name: 'missing', input: [], output: [] }
      const cost = costOf(card, shape(card))
      expect(cost?.unpriced).toBeUndefined()
      expect(cost?.total).toBe(nanos)
    })
  })
}

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRecent } from '../../src/health/recent.ts'

describe('a map of recent entries', () => {
  it('keeps those used last, and never more than its limit', () => {
    const use = fc.record({ key: fc.integer({ min: 0, max: 30 }), isSet: fc.boolean() })
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 20 }), fc.array(use, { maxLength: 200, size: 'max' }), (limit, uses) => {
        const recent = createRecent<{ key: number; at: number }>(limit)
        // The expected entries, the one used last at the end.
        const model = new Map<number, number>()
        for (const [at, { key, isSet }] of uses.entries()) {
          const isKnown = recent.get(String(key)) !== undefined
          if (isSet) recent.set(String(key), { key, at })
          if (!isSet && !isKnown) continue
          const value = isSet ? at : model.get(key)!
          model.delete(key)
          model.set(key, value)
        }
        const kept: number[] = []
        recent.each(({ key, at }) => {
          kept.push(key)
          expect(at).toBe(model.get(key))
        })
        expect(new Set(kept).size).toBe(kept.length)
        expect(kept.length).toBeLessThanOrEqual(limit)
        for (const key of [...model.keys()].slice(-Math.floor(limit / 2))) expect(kept).toContain(key)
      }),
    )
  })

  it('does not keep an entry longer because it was looked at', () => {
    const recent = createRecent<object>(4)
    recent.set('a', {})
    for (const key of ['b', 'c', 'd']) {
      expect(recent.peek('a')).toBeDefined()
      recent.set(key, {})
    }
    recent.set('e', {})
    expect(recent.peek('a')).toBeUndefined()
    expect(recent.peek('d')).toBeDefined()
  })
})

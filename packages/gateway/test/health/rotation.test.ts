import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRotation, type WeightedRoute } from '../../src/health/rotation.ts'

const IDS = ['a', 'b', 'c', 'd', 'e']

function weighted(weights: readonly number[]): WeightedRoute[] {
  return weights.map((weight, index) => ({ id: IDS[index]!, weight }))
}

function picks(many: number, routes: readonly WeightedRoute[], rotation = createRotation()): string[] {
  return Array.from({ length: many }, () => rotation.next('pool', routes))
}

function times(picked: readonly string[], id: string): number {
  return picked.filter((other) => other === id).length
}

const someWeights = fc
  .array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 5 })
  .filter((weights) => weights.some((weight) => weight > 0))

describe('rotation', () => {
  it('takes turns', () => {
    expect(picks(7, weighted([1, 1, 1])).join('')).toBe('abcabca')
    expect(picks(1, weighted([3])).join('')).toBe('a')
  })

  it('spreads a heavy route instead of using it in a row', () => {
    expect(picks(7, weighted([5, 1, 1])).join('')).toBe('aabacaa')
  })

  it('is exact in every window as long as the sum of the weights, also with fractions', () => {
    fc.assert(
      fc.property(someWeights, fc.constantFrom(1, 0.1, 1 / 3, 0.007, 1e9), (weights, scale) => {
        const sum = weights.reduce((total, weight) => total + weight, 0)
        const picked = picks(sum * 5, weighted(weights.map((weight) => weight * scale)))
        for (let start = 0; start + sum <= picked.length; start++) {
          const window = picked.slice(start, start + sum)
          expect(weights.map((_, index) => times(window, IDS[index]!))).toEqual(weights)
        }
      }),
    )
  })

  it('stays exact over a million calls', () => {
    const picked = picks(1_000_000, weighted([0.1, 0.2, 0.7]))
    expect(['a', 'b', 'c'].map((id) => times(picked, id))).toEqual([100_000, 200_000, 700_000])
    expect(['a', 'b', 'c'].map((id) => times(picked.slice(-10), id))).toEqual([1, 2, 7])
  })

  it('gives every route its share when the routes differ from call to call', () => {
    const call = fc.record({
      weights: someWeights,
      ids: fc.shuffledSubarray(IDS, { minLength: 1 }),
    })
    fc.assert(
      fc.property(fc.array(call, { maxLength: 100, size: 'max' }), (calls) => {
        const rotation = createRotation()
        const due = new Map(IDS.map((id) => [id, 0]))
        for (const { weights, ids } of calls) {
          const routes = ids.map((id, index) => ({ id, weight: weights[index] ?? 1 }))
          const sum = routes.reduce((total, { weight }) => total + weight, 0)
          for (const { id, weight } of routes)
            due.set(id, due.get(id)! + (sum === 0 ? 1 / routes.length : weight / sum))
          const next = rotation.next('pool', routes)
          expect(routes.find(({ id }) => id === next)!.weight > 0 || sum === 0).toBe(true)
          due.set(next, due.get(next)! - 1)
          for (const credit of due.values()) expect(Math.abs(credit)).toBeLessThan(IDS.length)
        }
      }),
    )
  })

  it('uses a route of weight 0 only if all have it', () => {
    expect(picks(4, weighted([0, 2, 0])).join('')).toBe('bbbb')
    expect(picks(4, weighted([0, 0])).join('')).toBe('abab')
    const rotation = createRotation()
    picks(1, weighted([1, 1, 1]), rotation)
    expect(picks(4, weighted([1, 0, 1]), rotation)).not.toContain('b')
  })

  it('keeps pools apart', () => {
    const rotation = createRotation()
    const routes = weighted([1, 1])
    expect(['x', 'y', 'x', 'y'].map((pool) => rotation.next(pool, routes)).join('')).toBe('aabb')
  })

  it('forgets pools that are not used, and routes that are gone', () => {
    const rotation = createRotation()
    const routes = weighted([1, 1])
    rotation.next('pool', routes)
    for (let i = 0; i < 2000; i++) rotation.next(`pool ${i}`, routes)
    expect(rotation.next('pool', routes)).toBe('a')
    expect(rotation.next('pool', routes)).toBe('b')
    const passing = createRotation()
    passing.next('pool', routes)
    for (let i = 0; i < 200; i++) passing.next('pool', [{ id: `route ${i}`, weight: 1 }])
    expect(passing.next('pool', routes)).toBe('a')
  })
})

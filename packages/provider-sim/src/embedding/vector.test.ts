import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { vectorOf } from './vector.ts'

const dot = (left: Float32Array, right: Float32Array): number =>
  left.reduce((sum, value, index) => sum + value * right[index]!, 0)

describe('an embedding', () => {
  it('is a vector of length 1 with the dimensions that were asked for, the same every time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 3072 }), (text, dimensions) => {
        const vector = vectorOf(text, dimensions)
        expect(vector).toHaveLength(dimensions)
        expect(dot(vector, vector)).toBeCloseTo(1, 4)
        expect(vectorOf(text, dimensions)).toEqual(vector)
      }),
    )
  })

  it.each([64, 256, 1536])('is near those of similar texts, in %i dimensions', (dimensions) => {
    const near = (left: string, right: string): number => dot(vectorOf(left, dimensions), vectorOf(right, dimensions))
    const text = 'The cat sleeps on the warm roof.'
    expect(near(text, 'A cat sleeping on a warm roof')).toBeGreaterThan(
      near(text, 'Quarterly revenue grew by 12%') + 0.2,
    )
    expect(near(text, text)).toBeCloseTo(1, 4)
    expect(near(text, 'the cat sleeps on the warm roof')).toBeLessThan(0.9999)
  })
})

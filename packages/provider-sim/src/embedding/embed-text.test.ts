import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { embedText } from './embed-text.ts'

const dot = (left: Float32Array, right: Float32Array): number =>
  left.reduce((sum, value, index) => sum + value * right[index]!, 0)

describe('an embedding', () => {
  it('is a list of numbers of length 1 with the dimensions that were asked for, the same every time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 3072 }), (text, dimensions) => {
        const embedding = embedText(text, dimensions)
        expect(embedding).toHaveLength(dimensions)
        expect(dot(embedding, embedding)).toBeCloseTo(1, 4)
        expect(embedText(text, dimensions)).toEqual(embedding)
      }),
    )
  })

  it.each([64, 256, 1536])('is near those of similar texts, in %i dimensions', (dimensions) => {
    const near = (left: string, right: string): number => dot(embedText(left, dimensions), embedText(right, dimensions))
    const text = 'The cat sleeps on the warm roof.'
    expect(near(text, 'A cat sleeping on a warm roof')).toBeGreaterThan(
      near(text, 'Quarterly revenue grew by 12%') + 0.2,
    )
    expect(near(text, text)).toBeCloseTo(1, 4)
    expect(near(text, 'the cat sleeps on the warm roof')).toBeLessThan(0.9999)
  })
})

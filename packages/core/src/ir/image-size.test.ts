import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatSize, nearestByRule, parseRatio, parseSize, parseTier, sizeProblem } from './image-size.ts'
import type { SizeRule } from './image.ts'

/** The rule of gpt-image-2, from the specification and the vendor. */
const RULE: SizeRule = { multiple: 16, maxSide: 3840, maxRatio: 3, minPixels: 655_360, maxPixels: 8_294_400 }

const rules = fc
  .record({
    multiple: fc.constantFrom(1, 8, 16, 32, 64),
    minSide: fc.integer({ min: 64, max: 512 }),
    span: fc.integer({ min: 256, max: 4096 }),
    maxRatio: fc.double({ min: 1.5, max: 16, noNaN: true }),
  })
  .map(({ multiple, minSide, span, maxRatio }): SizeRule => {
    const maxSide = minSide + span
    return { multiple, minSide, maxSide, maxRatio, minPixels: minSide * minSide, maxPixels: maxSide * maxSide * 0.75 }
  })

describe('nearestByRule', () => {
  it('follows the rule, whatever the shape and the resolution', () => {
    fc.assert(
      fc.property(
        rules,
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        fc.integer({ min: 1, max: 1 << 26 }),
        (rule, ratio, pixels) => {
          const size = nearestByRule(ratio, pixels, rule)
          expect(size === undefined ? 'none' : (sizeProblem(size, rule) ?? 'right')).toBe('right')
        },
      ),
      { numRuns: 60 },
    )
  })

  it.each(['1:1', '4:3', '3:4', '16:9', '9:16', '2:3', '3:2', '21:9'])(
    'keeps the shape %s to a rounding error, and the pixels of every tier [image.aspectRatio] [image.sampleImageSize]',
    (name) => {
      const ratio = parseRatio(name) ?? 0
      for (const side of [1024, 2048]) {
        const { width, height } = nearestByRule(ratio, side * side, RULE) ?? { width: 0, height: 0 }
        // Each side is at most one step away from the exact one.
        expect(Math.abs(width - side * Math.sqrt(ratio))).toBeLessThanOrEqual(RULE.multiple)
        expect(Math.abs(height - side / Math.sqrt(ratio))).toBeLessThanOrEqual(RULE.multiple)
        expect(Math.abs(width / height / ratio - 1)).toBeLessThan(0.02)
      }
    },
  )

  it('has the most pixels that the rule allows for more than it allows', () => {
    expect(nearestByRule(1, 4096 * 4096, RULE)).toEqual({ width: 2880, height: 2880 })
    expect(nearestByRule(16 / 9, 4096 * 4096, RULE)).toEqual({ width: 3840, height: 2160 })
  })

  it('has the most stretched shape that the rule allows for one that is more so', () => {
    const { width, height } = nearestByRule(10, 1024 * 1024, RULE) ?? { width: 0, height: 1 }
    expect(width / height).toBeCloseTo(3, 1)
  })

  it('is undefined for a rule without sizes', () => {
    expect(nearestByRule(1, 1024, { multiple: 64, minSide: 65, maxSide: 100 })).toBeUndefined()
  })
})

describe('sizes, shapes and tiers', () => {
  it.each([
    ['1536x1024', { width: 1536, height: 1024 }],
    ['auto', undefined],
    ['0x10', undefined],
    ['10x', undefined],
    ['10*10', undefined],
    ['-1x5', undefined],
    ['9999999x1', undefined],
  ])('reads the size %s', (text, size) => {
    const parsed = parseSize(text)
    expect(parsed).toEqual(size)
    expect(parsed && formatSize(parsed)).toBe(size && text)
  })

  it.each([
    ['16:9', 16 / 9],
    ['2.39:1', 2.39],
    ['1:0', undefined],
    ['16/9', undefined],
    ['wide', undefined],
  ])('reads the aspect ratio %s', (text, ratio) => {
    expect(parseRatio(text)).toBe(ratio)
  })

  it.each([
    ['1K', 1024 ** 2],
    ['2k', 2048 ** 2],
    ['4K', 4096 ** 2],
    ['0.5K', 512 ** 2],
    ['512', 512 ** 2],
    ['720p', undefined],
    ['0K', undefined],
    ['', undefined],
  ])('reads the tier %j', (text, pixels) => {
    expect(parseTier(text)).toBe(pixels)
  })
})

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { budgetOf, dollarsOf, nanosOf } from './dollars.ts'

const LARGEST = 10n ** 39n - 1n
const NO_AMOUNT = ['', '1e3', '0.0000000001', '.5', '1.', 'five', ' 1', '--1', '1.-5', 1e-7, Number.NaN, Infinity]

const nanos = fc.bigInt({ min: -LARGEST, max: LARGEST })
const amounts = fc
  .tuple(fc.constantFrom('', '-'), fc.stringMatching(/^[1-9]\d{0,29}$/), fc.stringMatching(/^\d{0,8}[1-9]$/))
  .map(([sign, whole, fraction]) => `${sign}${whole}.${fraction}`)

describe('dollars and nano-dollars', () => {
  it('come back as they were from amounts in dollars, however large', () => {
    fc.assert(
      fc.property(nanos, (value) => {
        expect(nanosOf(dollarsOf(value))).toBe(value)
      }),
    )
  })

  it('come back as they were from nano-dollars, digit by digit', () => {
    fc.assert(
      fc.property(amounts, (text) => {
        expect(dollarsOf(nanosOf(text) ?? 0n)).toBe(text)
      }),
    )
  })

  it.each([
    [12, 12_000_000_000n],
    ['0.5', 500_000_000n],
    ['0.000000001', 1n],
    ['-0.00000002', -20n],
    ['-1.5', -1_500_000_000n],
    ['007.10', 7_100_000_000n],
    ['9007199.254740993', 9_007_199_254_740_993n],
    [0.1, 100_000_000n],
  ])('reads %s dollars', (dollars, expected) => {
    expect(nanosOf(dollars)).toBe(expected)
  })

  it.each([...NO_AMOUNT, '1'.repeat(31)])('does not read "%s"', (dollars) => {
    expect(nanosOf(dollars)).toBeUndefined()
  })

  it.each([
    [0, '0'],
    [1, '0.000000001'],
    [1_500_000_000, '1.5'],
    [12_000_000_000, '12'],
    [-20, '-0.00000002'],
    [123_456_789_012_345_678_901n, '123456789012.345678901'],
  ])('writes %s nano-dollars', (value, dollars) => {
    expect(dollarsOf(value)).toBe(dollars)
  })
})

describe('a budget', () => {
  it.each([
    [0, 0],
    [12, 12_000_000_000],
    ['0.000000001', 1],
    ['9007199.254740991', Number.MAX_SAFE_INTEGER],
  ])('is %s dollars', (dollars, expected) => {
    expect(budgetOf(dollars)).toBe(expected)
  })

  it.each([...NO_AMOUNT, '-1', -1, '9007199.254740992', '9999999', '1'.repeat(31)])('is not "%s"', (dollars) => {
    expect(budgetOf(dollars)).toBeUndefined()
  })
})

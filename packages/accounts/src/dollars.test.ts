import { expect, it } from 'vitest'
import { dollarsOf, nanosOf } from './dollars.ts'

it.each([
  [12, 12_000_000_000],
  ['0.5', 500_000_000],
  ['0.000000001', 1],
  ['9007199.254740991', Number.MAX_SAFE_INTEGER],
  [0.1, 100_000_000],
])('reads %s dollars', (dollars, nanos) => {
  expect(nanosOf(dollars)).toBe(nanos)
})

it.each(['', '-1', '1e3', '0.0000000001', '.5', '1.', 'five', '99999999', '9999999', ' 1', 1e-7, Number.NaN, -1])(
  'refuses "%s"',
  (dollars) => {
    expect(nanosOf(dollars)).toBeUndefined()
  },
)

it.each([
  [0, '0'],
  [1, '0.000000001'],
  [1_500_000_000, '1.5'],
  [12_000_000_000, '12'],
  [-20, '-0.00000002'],
  [123_456_789_012_345_678_901n, '123456789012.345678901'],
])('writes %s nano-dollars', (nanos, dollars) => {
  expect(dollarsOf(nanos)).toBe(dollars)
})

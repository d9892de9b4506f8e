import { expect, it } from 'vitest'

it('expects another value', () => {
  expect({ price: 1 }).toEqual({ price: 2 })
})

it.skipIf(true)('is skipped', () => {
  expect(1).toBe(1)
})

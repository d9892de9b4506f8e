import { expect, it } from 'vitest'

it('ends at once', () => {
  expect(1).toBe(1)
})

import { afterAll, expect, it } from 'vitest'

afterAll(() => new Promise(() => undefined))

it('is followed by a hook', () => {
  expect(1).toBe(1)
})

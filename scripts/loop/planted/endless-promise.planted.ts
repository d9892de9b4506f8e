import { expect, it } from 'vitest'

it('waits for a promise', async () => {
  expect(await new Promise(() => undefined)).toBe('never')
})

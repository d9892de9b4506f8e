import { expect, it } from 'vitest'

await new Promise(() => undefined)

it('is never reached', () => {
  expect(1).toBe(2)
})

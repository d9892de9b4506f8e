import { createServer } from 'node:net'
import { expect, it } from 'vitest'

it('leaves a server and a timer behind', () => {
  createServer().listen(0)
  setInterval(() => undefined, 1000)
  expect(1).toBe(1)
})

import { expect, it } from 'vitest'
import { pause } from './pause.ts'

// No timer fires while promises that are ready follow each other, so vitest's own limit does not end this.
it('tries again at once, for ever', async () => {
  while (await Promise.resolve(pause())) continue
  expect('this line').toBe('never reached')
})

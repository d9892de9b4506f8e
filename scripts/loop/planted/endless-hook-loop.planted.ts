import { afterEach, expect, it } from 'vitest'
import { pause } from './pause.ts'

afterEach(async () => {
  while (await Promise.resolve(pause())) continue
})

it('is followed by a hook that loops', () => {
  expect(1).toBe(1)
})

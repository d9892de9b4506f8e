import { expect, it } from 'vitest'
import { pause } from './pause.ts'

it('loops without an end', () => {
  while (pause()) continue
  expect('this line').toBe('never reached')
})

import { expect, it } from 'vitest'
import { measureSurvivors } from './survivors.ts'

it('calls that are over leave nothing that only a full collection frees, also with accounts', async () => {
  expect(await measureSurvivors()).toBeLessThan(2000)
  // A stage with a map of its calls is found.
  expect(await measureSurvivors(true)).toBeGreaterThan(5000)
}, 120_000)

import { defineConfig } from 'vitest/config'
import { shared } from '../../../vitest.shared.ts'

/** Shorter than the limits of the loop in its test, as in real runs. */
const STEP_MS = 3000

// Tests that never end, each in its own way. The test of the loop runs them.
export default defineConfig({
  test: { ...shared.test, include: ['*.planted.ts'], testTimeout: STEP_MS, hookTimeout: STEP_MS },
})

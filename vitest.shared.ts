import type { ViteUserConfig } from 'vitest/config'

/**
 * Long enough for a busy machine, so that only a hanging test fails. No test sets a shorter time: tests wait for conditions.
 */
const TIMEOUT_MS = 600_000

/** The settings for all tests; the vitest.config.ts of a package spreads them. */
export const shared = {
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    reporters: ['default', ['json', { outputFile: '.vitest/results.json' }]],
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    // The default of `expect.poll` is a second, in which a busy machine may do nothing.
    expect: { poll: { timeout: TIMEOUT_MS / 2, interval: 20 } },
    // Loading the sources takes longer than the tests of most files: each worker loads them once, which saves a third of the CPU time.
    isolate: false,
    restoreMocks: true,
    unstubGlobals: true,
    maxWorkers: 2,
  },
} satisfies ViteUserConfig

/** The settings for packages with generated values: they are the same in every run. */
export const generated = {
  test: { ...shared.test, setupFiles: [`${import.meta.dirname}/scripts/fixed-seed.ts`] },
} satisfies ViteUserConfig

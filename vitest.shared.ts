import type { ViteUserConfig } from 'vitest/config'

/**
 * A hanging test fails; a busy machine does not fail one. No test sets a shorter time of its own: what it waits for is a condition.
 */
const PATIENCE_MS = 120_000

/** What every package's tests share; a package's own vitest.config.ts spreads it. */
export const shared = {
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    reporters: ['default', ['json', { outputFile: '.vitest/results.json' }]],
    testTimeout: PATIENCE_MS,
    hookTimeout: PATIENCE_MS,
    restoreMocks: true,
    unstubGlobals: true,
    maxWorkers: 2,
  },
} satisfies ViteUserConfig

import type { ViteUserConfig } from 'vitest/config'

/** What every package's tests share; a package's own vitest.config.ts spreads it. */
export const shared = {
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    reporters: ['default', ['json', { outputFile: '.vitest/results.json' }]],
    testTimeout: 15_000,
    restoreMocks: true,
    unstubGlobals: true,
    maxWorkers: 2,
  },
} satisfies ViteUserConfig

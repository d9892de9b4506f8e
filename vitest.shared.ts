import type { ViteUserConfig } from 'vitest/config'
import { FOLDER_VARIABLE } from './scripts/loop/events.ts'
import { STEP_MS } from './scripts/loop/limits.ts'
import { createReporter } from './scripts/loop/reporter.ts'

/** Set where the loop runs these tests: it wants to know what they do. */
const folder = process.env[FOLDER_VARIABLE]
const watched = folder === undefined ? [] : [`${import.meta.dirname}/scripts/loop/current-test.ts`]

/** The settings for all tests; the vitest.config.ts of a package spreads them. */
export const shared = {
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    reporters: folder === undefined ? ['default'] : ['default', createReporter(folder)],
    setupFiles: watched,
    testTimeout: STEP_MS,
    hookTimeout: STEP_MS,
    // The default of `expect.poll` is a second, in which a busy machine may do nothing.
    expect: { poll: { timeout: STEP_MS / 2, interval: 20 } },
    // Loading the sources takes longer than the tests of most files: each worker loads them once, which saves a third of the CPU time.
    isolate: false,
    // Node runs our sources as they are. Vite's own module runner takes a fifth more CPU time, and nothing here needs what it adds.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Workers take compiled sources from those before them, of whichever package. `npm test` empties the folder once a day.
    env: { NODE_COMPILE_CACHE: `${import.meta.dirname}/node_modules/.cache/compiled-by-tests` },
    restoreMocks: true,
    unstubGlobals: true,
    maxWorkers: 2,
  },
} satisfies ViteUserConfig

/** The settings for packages with generated values: they are the same in every run. */
export const generated = {
  test: { ...shared.test, setupFiles: [...watched, `${import.meta.dirname}/scripts/fixed-seed.ts`] },
} satisfies ViteUserConfig

/**
 * A setting for packages whose tests hardly wait: a second worker would load and warm up the sources again, which takes a second or more of
 * CPU time, and `npm test` has other checks for the other core.
 */
export const oneWorker = { maxWorkers: 1 } as const

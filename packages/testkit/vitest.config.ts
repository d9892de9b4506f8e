import { defineConfig } from 'vitest/config'
import { generated } from '../../vitest.shared.ts'

/** These measure the CPU time of the process, whose heap must be its own. */
const MEASURED = ['src/{linear,protocols}.test.ts', 'src/laws/linear.test.ts']

export default defineConfig({
  test: {
    ...generated.test,
    projects: [
      { extends: false, test: { ...generated.test, name: 'shared', exclude: MEASURED } },
      { extends: false, test: { ...generated.test, name: 'measured', include: MEASURED, isolate: true } },
    ],
  },
})

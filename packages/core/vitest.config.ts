import { defineConfig } from 'vitest/config'
import { generated } from '../../vitest.shared.ts'

/** These need values that are too long or too deep for the stack. With a fourth of the usual stack, a fourth of the items is enough. */
const LONG = ['test/requests/many-parts.test.ts', 'test/hostile/size.test.ts']

export default defineConfig({
  test: {
    ...generated.test,
    projects: [
      { extends: false, test: { ...generated.test, name: 'usual stack', exclude: LONG } },
      {
        extends: false,
        test: { ...generated.test, name: 'small stack', include: LONG, execArgv: ['--stack-size=246'] },
      },
    ],
  },
})

import { configureGlobal } from 'fast-check'
import { SEED } from '../packages/testkit/src/laws/seed.ts'

// For values that tests generate themselves: those of the laws have the same seed.
configureGlobal({ seed: SEED })

import { defineConfig } from 'vitest/config'
import { shared } from '../../vitest.shared.ts'

// All files run the same suite, which keeps no state between tests. With one worker for several files it is loaded once, not 18 times.
export default defineConfig({ test: { ...shared.test, isolate: false } })

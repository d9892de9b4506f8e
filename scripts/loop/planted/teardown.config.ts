import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

// A global teardown that never ends.
export default defineConfig({ test: { ...config.test, globalSetup: './endless-teardown.ts' } })

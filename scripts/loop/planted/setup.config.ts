import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

// A global setup that never ends.
export default defineConfig({ test: { ...config.test, globalSetup: './endless-setup.ts' } })

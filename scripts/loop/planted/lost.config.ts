import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

// A global setup that waits for something that cannot happen.
export default defineConfig({ test: { ...config.test, globalSetup: './lost-setup.ts' } })

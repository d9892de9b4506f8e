import { defineConfig } from 'vitest/config'
import { shared } from '../../vitest.shared.ts'

// Loading the sources takes longer than the tests, and all files wait for one workerd: a second worker would only load them again.
export default defineConfig({ test: { ...shared.test, globalSetup: 'test/global-setup.ts', maxWorkers: 1 } })

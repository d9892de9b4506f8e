import { defineConfig } from 'vitest/config'
import { shared } from '../../vitest.shared.ts'

/** The official SDKs take longer to load than to be tested with: each worker loads them once. */
export default defineConfig({ ...shared, test: { ...shared.test, isolate: false } })

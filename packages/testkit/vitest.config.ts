import { defineConfig } from 'vitest/config'
import { shared } from '../../vitest.shared.ts'

// The law of linear time measures the process, whose heap must be its own.
export default defineConfig({ test: { ...shared.test, isolate: true } })

import { defineConfig } from 'vitest/config'
import { generated } from '../../vitest.shared.ts'

// The law of linear time measures the process, whose heap must be its own.
export default defineConfig({ test: { ...generated.test, isolate: true } })

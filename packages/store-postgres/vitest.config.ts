import { defineConfig } from 'vitest/config'
import { shared } from '../../vitest.shared.ts'

// Each file has an engine of its own.
export default defineConfig({ test: { ...shared.test, isolate: true } })

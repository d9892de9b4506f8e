import { defineConfig } from 'vitest/config'
import { shared } from '../vitest.shared.ts'

// Some tests measure the process, which must be their own.
export default defineConfig({ test: { ...shared.test, isolate: true } })

import { defineConfig } from 'vitest/config'
import { shared } from '../../vitest.shared.ts'

// Loading the sources takes longer than the tests of most files: each worker loads them once, which takes a third of the CPU time.
export default defineConfig({ test: { ...shared.test, isolate: false } })

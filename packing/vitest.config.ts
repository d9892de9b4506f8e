import { defineConfig } from 'vitest/config'
import { shared } from '../vitest.shared.ts'

// Each file changes a project of its own.
export default defineConfig({ test: { ...shared.test, isolate: true } })

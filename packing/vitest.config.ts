import { defineConfig } from 'vitest/config'
import { shared } from '../vitest.shared.ts'

// Each file changes a project of its own. A checker of types has sources under a condition that Node does not run from node_modules.
export default defineConfig({ test: { ...shared.test, isolate: true, experimental: {} } })

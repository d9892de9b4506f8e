import { defineConfig } from 'vitest/config'
import { shared } from '../../vitest.shared.ts'

export default defineConfig({ test: { ...shared.test, globalSetup: 'test/engine.ts' } })

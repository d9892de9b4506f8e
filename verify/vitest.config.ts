import { defineConfig } from 'vitest/config'
import { oneWorker, shared } from '../vitest.shared.ts'

export default defineConfig({ test: { ...shared.test, ...oneWorker } })

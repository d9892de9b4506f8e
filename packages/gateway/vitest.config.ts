import { defineConfig } from 'vitest/config'
import { generated, oneWorker } from '../../vitest.shared.ts'

export default defineConfig({ test: { ...generated.test, ...oneWorker } })

import { defineConfig } from 'vitest/config'
import { generated } from '../../vitest.shared.ts'

export default defineConfig(generated)

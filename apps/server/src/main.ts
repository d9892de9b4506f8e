import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Half of a cold start is stripping types and compiling. The cache is beside the installed packages, where only the owner can write.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compile'))

const { start } = await import('./start.ts')
await start()

import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Half of a cold start is stripping types and compiling. The cache is beside the installed packages, where only the owner can write.
const folder = join(import.meta.dirname, '../node_modules/.cache/compile')
enableCompileCache(folder)
// Threads use the cache only with this variable. A thread that strips types itself needs 20 MB more.
process.env['NODE_COMPILE_CACHE'] ??= folder

const { start } = await import('./start.ts')
await start()

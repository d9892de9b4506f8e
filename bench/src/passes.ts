import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { endWithUs } from './server/child.ts'
import { onCore, raisePriority } from './server/machine.ts'

const MAIN = join(import.meta.dirname, 'main.ts')

/** Where Node keeps compiled code between runs, as in `npm start`: most of a short pass would be reading TypeScript. */
const COMPILED = join(import.meta.dirname, '../../node_modules/.cache/compile')

export interface PassOptions {
  readonly flags?: readonly string[]
  /** `own` for a pass that measures time; it then has a raised priority too. */
  readonly core?: 'own' | 'any'
}

/** Runs this command line again in its own Node process, and returns its output, which is JSON. */
export async function runPass(
  args: readonly string[],
  { flags = [], core = 'own' }: PassOptions = {},
): Promise<unknown> {
  const [command = '', ...rest] = [...onCore(core), process.execPath, ...flags, MAIN, ...args]
  const env = { ...process.env, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? COMPILED }
  const child = spawn(command, rest, { env, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  if (child.pid !== undefined && core === 'own') raisePriority(child.pid)
  const letGo = endWithUs(child)
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  letGo()
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}.`)
  return JSON.parse(text)
}

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { endWithUs } from './server/child.ts'
import { onCore, raisePriority } from './server/machine.ts'

const MAIN = join(import.meta.dirname, 'main.ts')

/** Runs this command line again in its own Node process on its own core, and returns its output, which is JSON. */
export async function runPass(args: readonly string[], flags: readonly string[] = []): Promise<unknown> {
  const [command = '', ...rest] = [...onCore('own'), process.execPath, ...flags, MAIN, ...args]
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  if (child.pid !== undefined) raisePriority(child.pid)
  const letGo = endWithUs(child)
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  letGo()
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}.`)
  return JSON.parse(text)
}

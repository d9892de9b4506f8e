import { spawn } from 'node:child_process'

/** Runs an install step and shows the end of its output only if it fails. */
export function runInstall(
  command: readonly [string, ...string[]],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  const [program, ...args] = command
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${command.join(' ')} failed:\n${output.slice(-2000)}`)),
    )
  })
}

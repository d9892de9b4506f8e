import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { endWithUs } from './child.ts'
import type { Counted, Driver, Order } from './driver.ts'
import { removeFolder, temporaryFolder } from './gateway.ts'
import { onCore, raisePriority } from './machine.ts'
import type { Native } from './native.ts'
import { writeScripts } from './script.ts'
import { requestBytes } from './shot.ts'

/** Load generator and upstream in C, on the core that the process under test does not use. */
export async function startNativeDriver({ load, upstream }: Native): Promise<Driver> {
  const folder = temporaryFolder()
  const scripts = join(folder, 'scripts')
  const answering = startProgram([upstream, '0', scripts, ...writeScripts(scripts)])
  const [line] = (await Promise.race([once(createInterface(answering.child.stdout), 'line'), answering.failed])) as [
    string,
  ]
  const run = async (mode: 'calls' | 'streams', order: Order): Promise<Counted> => {
    const { shot, connections, leadMs, windowMs, pid, onBegin } = order
    const request = join(folder, 'request')
    writeFileSync(request, requestBytes(shot))
    const numbers = [connections, leadMs, windowMs, pid].map(String)
    const { child, failed } = startProgram([load, mode, String(shot.port), request, ...numbers])
    const lines = createInterface(child.stdout)
    const counted = new Promise<Counted>((resolve) => {
      lines.on('line', (text) => (text === 'begin' ? onBegin() : resolve(JSON.parse(text) as Counted))) // the output format of the program
    })
    return Promise.race([counted, failed])
  }
  const priority = answering.raised ? 'with raised priority' : 'PRIORITY NOT RAISED: only root may'
  return {
    upstreamPort: Number(line),
    description: `load and upstream in C, in sessions of their own, ${priority}`,
    calls: (order) => run('calls', order),
    streams: (order) => run('streams', order),
    stop() {
      answering.stop()
      removeFolder(folder)
    },
  }
}

interface Program {
  readonly child: ChildProcess & { readonly stdout: NodeJS.ReadableStream }
  readonly raised: boolean
  /** Rejects with the program's error output if it fails. */
  readonly failed: Promise<never>
  stop(): void
}

function startProgram(line: readonly string[]): Program {
  const [command = '', ...rest] = [...onCore('shared'), ...line]
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const raised = child.pid !== undefined && raisePriority(child.pid)
  const letGo = endWithUs(child)
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const failed = new Promise<never>((_resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      letGo()
      if (code !== 0 && code !== null) reject(new Error(output.trim() || `It ended with code ${code}.`))
    })
  })
  failed.catch(() => {}) // awaited by the caller
  return { child, raised, failed, stop: () => void child.kill('SIGKILL') }
}

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Fault } from './faults.ts'

/** Who found a fault, and after how long. */
export interface Finding {
  /** The title of the first test that failed. Undefined if all have passed in the time that they had. */
  readonly found: string | undefined
  readonly seconds: number
  /** The test fails without the fault too, so it has not found anything. */
  readonly isRedAnyway?: boolean
}

/** Plants a fault in a copy, runs the tests that need its file until one fails, takes the fault out again, and runs that test once more. */
export async function findFault(folder: string, fault: Fault): Promise<Finding> {
  const finding = await plant(folder, fault)
  const file = finding.found?.split(/ > | \(/, 1)[0]
  if (file === undefined) return finding
  return { ...finding, isRedAnyway: (await firstFailure(folder, file)) !== undefined }
}

async function plant(folder: string, { file, text, instead }: Fault): Promise<Finding> {
  const path = `${folder}/${file}`
  const source = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    source.replace(text, () => instead),
  )
  const startedAt = performance.now()
  try {
    const found = await firstFailure(folder, file)
    return { found, seconds: (performance.now() - startedAt) / 1000 }
  } finally {
    writeFileSync(path, source)
  }
}

async function firstFailure(folder: string, file: string): Promise<string | undefined> {
  const tests = spawn('node', ['scripts/bootstrap.mjs', 't', file], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const ended = once(tests, 'exit')
  const stop = (): void => stopGroup(tests)
  process.once('exit', stop)
  try {
    for await (const line of createInterface({ input: tests.stdout })) {
      // A failure is printed at once, before its file ends.
      const found = /^FAILED {2}(\S.*)$/.exec(line)?.[1]
      if (found !== undefined) return found
    }
    return undefined
  } finally {
    stop()
    await ended
    process.off('exit', stop)
  }
}

/** Also stops the servers that tests have started. */
function stopGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGTERM')
  } catch {
    // It has already ended.
  }
}

import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { EVENTS_FILE, WORKER_PREFIX, type TestEvent, type WorkerState } from './events.ts'

/** A worker that runs tests, and since when its state is the same. */
export type Worker = WorkerState & { readonly since: number }

/** What is known about a run of vitest while it goes on. */
export type Progress = {
  /** The events since the last call. */
  read(): readonly TestEvent[]
  /** The workers whose file has not ended. */
  workers(): readonly Worker[]
  /** Files that have started and not ended. */
  files(): readonly string[]
}

/** Reads what vitest and its workers write into a folder. */
export function createProgress(folder: string): Progress {
  const running = new Set<string>()
  let position = 0
  const read = (): readonly TestEvent[] => {
    const file = join(folder, EVENTS_FILE)
    if (!existsSync(file)) return []
    const fresh = readFileSync(file).subarray(position)
    const end = fresh.lastIndexOf('\n') + 1
    position += end
    const lines = fresh.subarray(0, end).toString().split('\n').filter(Boolean)
    const events = lines.map((line) => JSON.parse(line) as TestEvent) // written by our reporter
    for (const event of events) {
      if (event.kind === 'file-started') running.add(event.file)
      if (event.kind === 'file-ended') running.delete(event.file)
    }
    return events
  }
  const workers = (): readonly Worker[] =>
    readdirSync(folder)
      .filter((name) => name.startsWith(WORKER_PREFIX))
      .flatMap((name) => readWorker(join(folder, name)))
      .filter(({ file, pid }) => running.has(file) && isAlive(pid))
  return { read, workers, files: () => [...running] }
}

/** The state of a worker; none while it writes, which another process can see half done. */
function readWorker(file: string): Worker[] {
  try {
    const state = JSON.parse(readFileSync(file, 'utf8')) as WorkerState // written by our setup file
    return [{ ...state, since: statSync(file).mtimeMs }]
  } catch {
    return []
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { threadId } from 'node:worker_threads'
import { beforeAll, beforeEach, expect } from 'vitest'
import { ROOT } from '../sources.ts'
import { FOLDER_VARIABLE, LOADING, WORKER_PREFIX, type WorkerState } from './events.ts'

// A setup file: vitest runs it before it loads each test file, in the worker that runs the tests.
const folder = process.env[FOLDER_VARIABLE]
const { testPath } = expect.getState()
if (folder !== undefined && testPath !== undefined) {
  const state = join(folder, `${WORKER_PREFIX}${process.pid}-${threadId}`)
  const running = new Map<string, number>()
  let between = LOADING
  const write = (): void => {
    const tests = [...running.keys()]
    const timeoutMs = Math.max(0, ...running.values())
    const current: WorkerState = { pid: process.pid, file: relative(ROOT, testPath), between, tests, timeoutMs }
    writeFileSync(state, JSON.stringify(current))
  }
  write()
  beforeAll(() => {
    between = 'in a hook before the tests'
    write()
  })
  beforeEach(({ task, onTestFinished }) => {
    running.set(task.fullTestName, task.timeout)
    write()
    onTestFinished(() => {
      running.delete(task.fullTestName)
      between = `in a hook after "${task.fullTestName}"`
      write()
    })
  })
}

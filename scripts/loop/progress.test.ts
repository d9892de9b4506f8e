import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { EVENTS_FILE, WORKER_PREFIX } from './events.ts'
import { createProgress } from './progress.ts'

const folder = mkdtempSync(join(tmpdir(), 'dragoman-progress-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('a worker that writes its state at this moment has none, and nothing fails', () => {
  const file = 'packages/core/src/a.test.ts'
  const state = JSON.stringify({ pid: process.pid, file, between: 'loading', tests: [], timeoutMs: 0 })
  appendFileSync(join(folder, EVENTS_FILE), `${JSON.stringify({ kind: 'file-started', file })}\n`)
  const progress = createProgress(folder)
  progress.read()
  const own = join(folder, `${WORKER_PREFIX}1-0`)
  // A shorter state over a longer one, an empty file, half of one.
  for (const text of [`${state}s"}`, '', state.slice(0, 40), `${state.slice(0, 40)}}`]) {
    writeFileSync(own, text)
    expect(progress.workers()).toEqual([])
  }
  writeFileSync(own, state)
  expect(progress.workers()).toMatchObject([{ file, between: 'loading' }])
})

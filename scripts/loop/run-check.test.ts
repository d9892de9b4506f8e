import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS as REAL_LIMITS } from './limits.ts'
import { startCheck, type Outcome } from './run-check.ts'
import { createSuite, type Suite } from './suite.ts'
import type { Limits } from './watchdog.ts'

/** The time of a step is longer than what vitest gives the planted tests. What is not tested may take as long as a busy machine needs. */
const LIMITS = { ...REAL_LIMITS, stepMs: 4000, graceMs: 4000 }
const PLANTED = 'scripts/loop/planted'
const folder = mkdtempSync(join(tmpdir(), 'dragoman-planted-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function run(line: string, limits = LIMITS): Promise<{ outcome: Outcome; suite: Suite; output: string }> {
  const suite = createSuite(() => undefined)
  const log = join(folder, `${line.replaceAll(/\W/g, '-')}.log`)
  const directory = join(import.meta.dirname, 'planted')
  const outcome = await startCheck({ line, directory, log }, limits, suite.add).outcome
  return { outcome, suite, output: readFileSync(log, 'utf8') }
}

/** What the loop shows of tests that do not end. */
function shownOf({ outcome, suite }: Awaited<ReturnType<typeof run>>): string {
  const failures = suite.failed.map(({ title, errors }) => `${title}: ${errors.map(({ message }) => message).join()}`)
  return [...failures, ...(outcome.hang === undefined ? [] : [outcome.hang])].join('\n')
}

const KINDS = [
  ['a promise that never resolves', 'endless-promise', `> waits for a promise: Test timed out`],
  ['a loop that blocks the thread', 'endless-loop', `> loops without an end has not ended after`],
  ['a loop of promises that are ready', 'endless-awaits', `> tries again at once, for ever has not ended after`],
  ['a hook that never ends', 'endless-hook', `(outside its tests): Hook timed out`],
  ['a hook that loops', 'endless-hook-loop', `> is followed by a hook that loops has not ended after`],
  ['an import that never ends', 'endless-import', `(loading) has not ended after`],
] as const

const LIMITS_OF: { readonly [name: string]: Partial<Limits> } = {
  'endless-promise': { graceMs: REAL_LIMITS.graceMs },
  'endless-hook': { graceMs: REAL_LIMITS.graceMs },
  'endless-import': { loadMs: 5000 },
  setup: { startMs: 5000 },
  teardown: { closeMs: 5000 },
}

describe('a test that waits for ever ends with its name', () => {
  // They wait side by side.
  const runs: { [name: string]: ReturnType<typeof run> } = {}
  beforeAll(() => {
    for (const [, name] of KINDS) runs[name] = run(`vitest run ${name}.planted.ts`, { ...LIMITS, ...LIMITS_OF[name] })
    for (const name of ['setup', 'teardown'])
      runs[name] = run(`vitest run short.planted.ts --config ${name}.config.ts`, { ...LIMITS, ...LIMITS_OF[name] })
  })

  it.each(KINDS)('%s', async (_kind, name, shown) => {
    expect(shownOf(await runs[name]!)).toContain(`${PLANTED}/${name}.planted.ts ${shown}`)
  })

  it('a server that is left open does not keep the process', async () => {
    const { outcome, suite } = await run('vitest run open-handle.planted.ts')
    expect(outcome).toMatchObject({ exitCode: 0, hang: undefined })
    expect(suite.failed).toEqual([])
  })

  it('a global teardown that never ends', async () => {
    expect(shownOf(await runs['teardown']!)).toContain('all tests have ended, but the process has not')
  })

  it('a global setup that never ends', async () => {
    expect(shownOf(await runs['setup']!)).toContain('no test file has started (a global setup, or the configuration)')
  })
})

it('does not take a run without tests for a success', async () => {
  const { outcome } = await run('vitest run short.planted.ts --config lost.config.ts')
  expect(outcome).toMatchObject({ exitCode: 1, hang: 'vitest ended without running its tests' })
})

describe('a command', () => {
  it('has its exit code, its output and the CPU time of its children', async () => {
    const loop = 'const end = process.cpuUsage().user + 300000; while (process.cpuUsage().user < end);'
    const { outcome, output } = await run(`node -e 'console.log(7 * 6); ${loop}' && false`)
    expect(outcome).toMatchObject({ exitCode: 1, hang: undefined })
    expect(outcome.cpuSeconds).toBeGreaterThanOrEqual(0.3)
    expect(output).toBe('42\n')
  })

  it('is not kept waiting by a process that it leaves behind', async () => {
    const { outcome } = await run('sleep 1000 & echo $!')
    expect(outcome).toMatchObject({ exitCode: 0, hang: undefined })
  })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Result } from '../verdict.ts'
import { LIMITS } from './limits.ts'
import { createRecords } from './records.ts'
import { runChecks } from './run-checks.ts'
import { summaryOf } from './summary.ts'

const folder = mkdtempSync(join(tmpdir(), 'dragoman-checks-'))
afterAll(() => rmSync(folder, { recursive: true }))

const directory = join(import.meta.dirname, 'planted')
const check = (name: string, line: string, key = 'a') => ({ name, line, directory, key })

async function run(checks: readonly ReturnType<typeof check>[], more: object = {}) {
  const lines: string[] = []
  const records = createRecords(join(folder, 'records'))
  const options = { records, limits: LIMITS, workers: 2, isForced: false, quietMs: 60_000, logs: join(folder, 'logs') }
  const print = (text: string): number => lines.push(text)
  const results: Result[] = await runChecks(checks, { ...options, ...more, print }).results
  return { text: lines.join('\n'), summary: summaryOf(results, 1, false).join('\n'), results }
}

describe('a run of checks', () => {
  it('prints each check as it ends, with its time and what is still running', async () => {
    const { text } = await run([check('slow', 'sleep 4'), check('quick', 'true')])
    expect(text).toMatch(/^ +0:0\d {2}ok +quick +\d\.\d s +\(running: slow\)\n +0:0\d {2}ok +slow +\d\.\d s$/)
  })

  it('says what is running after some time without a line, with the test', async () => {
    const slow = check('scripts', 'vitest run slow.planted.ts')
    const { text } = await run([slow], { quietMs: 500 })
    expect(text).toMatch(/running: scripts \(\d+ s\): .*slow\.planted\.ts > takes three seconds/)
  })

  it('shows the output of a failed check once, and its name at the end', async () => {
    const { text, summary } = await run([check('lint', 'echo "a rule is broken"; exit 2')])
    expect(text.match(/a rule is broken/g)).toHaveLength(1)
    expect(text).toMatch(/FAILED lint/)
    expect(summary).toMatch(/FAILED in lint[\s\S]*: SOME FAILED, see above/)
  })

  it('shows a failed test once, with its difference and its line, and its name at the end', async () => {
    const { text, summary } = await run([check('tests', 'vitest run failing.planted.ts')])
    const title = 'scripts/loop/planted/failing.planted.ts > expects another value'
    expect(text.split(title)).toHaveLength(2)
    expect(text).toMatch(/- {3}"price": 2,\n.*\+ {3}"price": 1,/)
    expect(text).toContain('at scripts/loop/planted/failing.planted.ts:4:24')
    expect(summary).toContain(`FAILED in tests`)
    expect(summary).toContain(`  ${title}`)
    expect(summary).toContain('!!! NOT RUN: scripts/loop/planted/failing.planted.ts > is skipped')
    expect(summary).toContain('tests: 0 passed, 1 failed, 1 skipped')
  })

  it('does not repeat what has passed with the same key, and still lists its files', async () => {
    const tests = check('suite', 'vitest run short.planted.ts')
    const first = await run([tests])
    const second = await run([tests])
    const quick = check('quick once', 'true')
    await run([quick])
    const changed = await run([{ ...quick, key: 'b' }])
    const forced = await run([quick], { isForced: true })
    const statuses = [first, second, changed, forced].map(({ results }) => results[0]?.status)
    expect(statuses).toEqual(['ok', 'cached', 'ok', 'ok'])
    expect(second.text).toContain('1 of 1 checks passed before with the same files')
    expect(second.summary).toMatch(/the slowest 1 of 1 test files:\n +\d+\.\d s {2}scripts\/loop\/planted\/short/)
    expect(first.summary).toMatch(/1 checks in 1\.0 s, \d+\.\d s of CPU time: all passed/)
  })

  it('repeats what has failed', async () => {
    const failing = check('failing', 'false')
    await run([failing])
    expect((await run([failing])).results[0]?.status).toBe('failed')
  })
})

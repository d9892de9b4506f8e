import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { LIMITS } from './limits.ts'
import { runBatches } from './run-batches.ts'
import { byFolder } from './run-selected.ts'

const folder = mkdtempSync(join(tmpdir(), 'dragoman-batches-'))
afterAll(() => rmSync(folder, { recursive: true }))

const PLANTED = 'scripts/loop/planted'
const batch = (name: string) => ({ directory: PLANTED, tests: [`${PLANTED}/${name}.planted.ts`] })

async function run(names: readonly string[], more: object = {}) {
  const lines: string[] = []
  const print = (text: string): number => lines.push(text)
  const options = { extra: [], limits: LIMITS, until: undefined, quietMs: 60_000, log: join(folder, 'log') }
  const selected = await runBatches(names.map(batch), { ...options, ...more, print })
  return { ...selected, lines }
}

describe('a run of selected tests', () => {
  it('prints each failure as it happens, and each file as it ends', async () => {
    const { lines, failed, notRun } = await run(['failing', 'short'])
    expect(lines[0]).toMatch(/^FAILED {2}scripts\/loop\/planted\/failing\.planted\.ts > expects another value\n/)
    expect(lines[1]).toMatch(
      /^ +\d:\d\d {2}FAILED +\d+\.\d s +1 tests {2}scripts\/loop\/planted\/failing\.planted\.ts$/,
    )
    expect(lines[2]).toMatch(/ok +\d+\.\d s +1 tests {2}scripts\/loop\/planted\/short\.planted\.ts$/)
    expect(failed).toEqual([`${PLANTED}/failing.planted.ts > expects another value`])
    expect(notRun).toEqual([])
  })

  it('passes options to vitest', async () => {
    const { failed, ended } = await run(['failing'], { extra: ['-t', "is skipped, or 'another'"] })
    expect(failed).toEqual([])
    expect(ended[0]).toMatchObject({ passed: 0, failed: 0 })
  })

  it('ends at its limit, in the middle of a file, and names what it did not run', async () => {
    const { notRun, failed } = await run(['endless-promise', 'short'], { until: Date.now() + 2000 })
    expect(notRun).toEqual([`${PLANTED}/endless-promise.planted.ts`, `${PLANTED}/short.planted.ts`])
    expect(failed).toEqual([])
  })

  it('names what hangs, and goes on with the next batch', async () => {
    const { failed, ended } = await run(['endless-loop', 'short'], { limits: { ...LIMITS, stepMs: 0, graceMs: 5000 } })
    expect(failed).toHaveLength(1)
    expect(failed[0]).toMatch(
      /^scripts\/loop\/planted\/endless-loop\.planted\.ts > loops without an end has not ended after \d+ s$/,
    )
    expect(ended).toHaveLength(1)
  })

  it('ends what it has started when it is stopped', async () => {
    const { notRun } = await run(['endless-promise', 'short'], { signal: AbortSignal.timeout(2000) })
    expect(notRun).toEqual([`${PLANTED}/endless-promise.planted.ts`, `${PLANTED}/short.planted.ts`])
  })

  it('fails if vitest fails without a test', async () => {
    const { failed } = await run(['short'], { extra: ['--config', 'missing.config.ts'] })
    expect(failed).toEqual(['an error outside all tests'])
  })
})

it('files that were not run are listed by folder', () => {
  expect(byFolder(['a/b/one.test.ts', 'a/b/two.test.ts', 'a/three.test.ts'])).toEqual([
    '  a/b: one.test.ts, two.test.ts',
    '  a: three.test.ts',
  ])
})

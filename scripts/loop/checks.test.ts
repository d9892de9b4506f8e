import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../sources.ts'

/** Turbo lists every file. */
const MOST_OUTPUT = 256 * 1024 * 1024

/** The part of turbo's dry run that is read. */
type Task = { readonly taskId: string; readonly inputs: { readonly [file: string]: string } }

it('have the same key in the next run: what tools write into node_modules is no input', () => {
  const written = join(ROOT, 'scripts/loop/planted/node_modules/written-by-a-test')
  mkdirSync(written, { recursive: true })
  try {
    writeFileSync(join(written, 'results.json'), '{}')
    const tasks = ['types', 'format', 'lint', 'dead-code', 'spec', 'structure'].map((name) => `//#check:${name}`)
    const output = execFileSync('turbo', ['run', ...tasks, '--dry=json'], {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: MOST_OUTPUT,
    })
    const found = (JSON.parse(output) as { readonly tasks: readonly Task[] }).tasks
    expect(found.map(({ taskId }) => taskId).toSorted()).toEqual(tasks.toSorted())
    for (const { inputs } of found) expect(Object.keys(inputs)).toContain('scripts/loop/checks.ts')
    expect(found.flatMap(({ inputs }) => Object.keys(inputs).filter((file) => file.includes('node_modules')))).toEqual(
      [],
    )
  } finally {
    rmSync(written, { recursive: true })
  }
})

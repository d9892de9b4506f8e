import { execFile } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ROOT } from './sources.ts'

const folder = mkdtempSync(join(tmpdir(), 'dragoman-bootstrap-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the bootstrap in a folder where nothing is installed, with a shell script in the place of npm. */
function install(npm: string): Promise<{ output: string; code: number | string | undefined }> {
  const copy = mkdtempSync(join(folder, 'place-'))
  mkdirSync(join(copy, 'scripts'))
  mkdirSync(join(copy, 'bin'))
  writeFileSync(join(copy, 'package.json'), '{ "packageManager": "pnpm@1.0.0" }')
  writeFileSync(join(copy, 'bin/npm'), `#!/bin/sh\n${npm}\n`)
  chmodSync(join(copy, 'bin/npm'), 0o755)
  copyFileSync(join(ROOT, 'scripts/bootstrap.mjs'), join(copy, 'scripts/bootstrap.mjs'))
  const env = { PATH: [join(copy, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter) }
  return new Promise((resolve) =>
    execFile(process.execPath, ['scripts/bootstrap.mjs', 'exec', 'true'], { cwd: copy, env }, (error, _out, output) =>
      resolve({ output, code: error === null ? 0 : (error.code ?? undefined) }),
    ),
  )
}

describe('an install', () => {
  it('says what it does before it starts, and again while it takes long', async () => {
    const { output } = await install('echo resolving; sleep 6; exit 1')
    expect(output).toMatch(/^dragoman: installing pnpm 1\.0\.0/)
    expect(output).toMatch(/installing the tools, \d+ s so far: resolving/)
  })

  it('shows the output of a step that failed, once, with a hint', async () => {
    const { output, code } = await install('echo getaddrinfo ENOTFOUND registry; exit 1')
    expect(output.match(/ENOTFOUND registry/g)).toHaveLength(1)
    expect(output).toContain('The npm registry is not reachable')
    expect(code).toBe(1)
  })
})

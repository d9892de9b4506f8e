import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findChromium } from '@dragoman/browser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readmeExamples } from '../readme.ts'
import { BINARY_OF, installRuntimes } from './binaries.ts'
import { writeExamples, type Printed } from './examples.ts'
import { installPacked, type Installed } from './installed.ts'
import { runPage, runProcess, runWorker } from './start.ts'
import { startUpstream } from './upstream.ts'

// Installs the package as published into an empty folder, and runs every example of its README in every runtime that it names.
const examples = readmeExamples()
const chromium = findChromium('the examples of the README of core in a browser')

describe('the packed package', () => {
  let installed: Installed
  let upstream: Awaited<ReturnType<typeof startUpstream>>
  beforeAll(async () => {
    ;[installed, upstream] = await Promise.all([installPacked(), startUpstream(), installRuntimes()])
    await writeExamples(installed.folder, examples, upstream.url)
  })
  afterAll(() => {
    upstream.stop()
    installed.remove()
  })

  it('contains what it needs and no tests', () => {
    expect(Object.keys(installed.manifest.dependencies)).toEqual(['eventsource-parser', 'zod'])
    expect(installed.files).toEqual(expect.arrayContaining(['LICENSE', 'README.md'].map((name) => `package/${name}`)))
    expect(installed.files.filter((file) => /test|\.tsbuildinfo/.test(file))).toEqual([])
  })

  it('compiles with its own types, for every module resolution', async () => {
    const tsc = join(import.meta.dirname, '../../node_modules/.bin/tsc')
    const lib = ['ES2024', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable']
    const checked = { target: 'ES2024', lib, types: [], strict: true, noEmit: true, skipLibCheck: false }
    const compilations = [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
    ].map(async ([module, moduleResolution]) => {
      const config = join(installed.folder, `tsconfig.${moduleResolution}.json`)
      const compilerOptions = { ...checked, module, moduleResolution }
      writeFileSync(config, JSON.stringify({ compilerOptions, include: ['example-*.ts'] }))
      const { stdout } = await promisify(execFile)(tsc, ['-p', config]).catch((failed: { stdout: string }) => failed)
      return stdout
    })
    expect(await Promise.all(compilations)).toEqual(['', ''])
  })

  const DENO = ['run', '--quiet', '--no-prompt', '--no-remote', '--allow-net=127.0.0.1']
  it.each([
    ['Node 22', /^Node\.js\/22$/, () => runProcess(installed.folder, BINARY_OF['Node 22'], [])],
    ['Node 24 or newer', /^Node\.js\/2[4-9]$/, () => runProcess(installed.folder, process.execPath, [])],
    ['Bun', /^Bun\//, () => runProcess(installed.folder, BINARY_OF.Bun, [])],
    ['Deno', /^Deno\//, () => runProcess(installed.folder, BINARY_OF.Deno, DENO)],
    ['workerd', /^Cloudflare-Workers$/, () => runWorker(installed.folder)],
  ])(
    'runs its examples on %s',
    async (_name, agent, run) => {
      mustHaveRun(await run(), agent)
    },
    60_000,
  )

  // Without a browser this is reported as not run, except where the whole suite must run.
  it.skipIf(chromium.isSkipped)(
    'runs its examples on Chromium',
    async () => {
      mustHaveRun(await runPage(installed.folder, chromium), /Chrome\//)
    },
    60_000,
  )
})

describe('the README', () => {
  it('converts a stream in five lines', () => {
    const [first] = examples
    expect(first?.blocks[0]?.trim().split('\n')).toHaveLength(5)
    expect(first?.blocks[0]).toContain('transformStream')
  })

  it('says what each example logs', () => {
    expect(examples.filter(({ logs }) => logs.length === 0)).toEqual([])
  })
})

function mustHaveRun(printed: Printed, agent: RegExp): void {
  expect(printed.agent).toMatch(agent)
  expect(examples.map(({ title }, index) => [title, printed.logs[index]])).toEqual(
    examples.map(({ title, logs }) => [title, logs]),
  )
}

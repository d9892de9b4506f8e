import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runBundledStore } from './bundled-store.ts'
import { CONFIGURATIONS, writeConsumers, type Example } from './consumers.ts'
import { FOLDERS, packAll, readManifest, ROOT, type Packed } from './pack.ts'
import { createProject, type Project, type Ran } from './project.ts'

// Every package, packed from a copy of the repository in which nothing is built, and used as by a new user.
const folder = mkdtempSync(join(tmpdir(), 'dragoman-packed-'))
let packed: readonly Packed[] = []
let project: Project
let examples: readonly Example[] = []
beforeAll(async () => {
  packed = await packAll(folder)
  project = await createProject(join(folder, 'project'), packed)
  examples = writeConsumers(project)
})
afterAll(() => rmSync(folder, { recursive: true, maxRetries: 9 }))

const packedOf = (name: string): Packed => packed.find((each) => each.folder === name) ?? expect.fail(`no ${name}`)
const installed = (name: string): string => join(project.folder, 'node_modules/@dragoman', name)

describe.each(FOLDERS)('%s', (name) => {
  it('holds what it was built to, its sources and no tests', () => {
    const { files } = packedOf(name)
    expect(files).toEqual(
      expect.arrayContaining(['package.json', 'LICENSE', 'README.md', 'dist/index.js', 'dist/index.d.ts']),
    )
    expect(files.filter((file) => /\.test(-d)?\.|tsbuildinfo|fixtures|^test\//.test(file))).toEqual([])
    const maps = files.filter((file) => file.endsWith('.map'))
    expect(maps.length).toBeGreaterThan(0)
    const missing = maps.flatMap((map) =>
      sourcesOf(join(installed(name), map)).filter((source) => !files.includes(source)),
    )
    expect(missing).toEqual([])
  })

  it('declares what it imports, and nothing that only the workspace knows', () => {
    const { dependencies = {}, peerDependencies = {} } = readManifest(installed(name))
    expect(JSON.stringify({ dependencies, peerDependencies })).not.toMatch(/workspace:|catalog:|link:|file:/)
    const known = new Set([...Object.keys(dependencies), ...Object.keys(peerDependencies), `@dragoman/${name}`])
    expect(importsOf(installed(name)).filter((specifier) => !known.has(packageOf(specifier)))).toEqual([])
  })

  it('is clean in publint', async () => {
    const tarball = Uint8Array.from(readFileSync(packedOf(name).tarball)).buffer
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true })
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
  })

  it('is clean in are-the-types-wrong, for everyone who can import ES modules', async () => {
    const data = createPackageFromTarballData(readFileSync(packedOf(name).tarball))
    const analysis = await checkPackage(data)
    const problems = analysis.types === false ? ['no types'] : analysis.problems
    // It has no CommonJS: Node's oldest resolution, and what require() was before Node 22, are not for it.
    const others = ['node10', 'node16-cjs']
    expect(
      problems.filter(
        (each) => typeof each === 'string' || !('resolutionKind' in each && others.includes(each.resolutionKind)),
      ),
    ).toEqual([])
  })
})

it('say the same about the engine, and no less than their dependencies do', () => {
  const manifests = FOLDERS.map((name) => readManifest(join(ROOT, 'packages', name)))
  expect(new Set(manifests.map(({ engines }) => engines.node))).toEqual(new Set(['>=22.19']))
  for (const { dependencies = {} } of manifests)
    for (const name of Object.keys(dependencies).filter((each) => !each.startsWith('@dragoman/'))) {
      const { engines } = readManifest(join(import.meta.dirname, '../node_modules', name))
      const [, major = '0', minor = '0'] = /^>=(\d+)(?:\.(\d+))?/.exec(engines?.node ?? '>=0') ?? []
      expect(Number(major) * 1000 + Number(minor), `${name} needs ${engines?.node}`).toBeLessThanOrEqual(22_019)
    }
})

it.each(CONFIGURATIONS)('compile with strict consumers: %s', async (name) => {
  const tsc = join(import.meta.dirname, '../node_modules/.bin/tsc')
  // Several checkers would check the same types of our packages.
  expect(await project.run(tsc, '--singleThreaded', '-p', `tsconfig.${name}.json`)).toEqual({ code: 0, output: '' })
})

it('work in a bundle without their files: SQL and Lua of store-postgres', async () => {
  const { code, output } = await runBundledStore(project)
  expect(output).toMatch(/^PostgreSQL( and Redis)?, schema dragoman\n\[\]\n$/)
  expect(code).toBe(0)
})

/** The models of the programs in READMEs. */
const SERVED: { readonly [folder: string]: readonly string[] } = {
  gateway: ['sim/chat-1', 'anthropic/claude-sonnet-4.6'],
  'gateway-node': ['sim/genai-1'],
  'provider-anthropic': ['anthropic/claude-sonnet-4.6'],
  'provider-google': ['google/gemini-2.5-pro'],
  'provider-kling': ['kling/kling-v3'],
  'provider-openai': ['openai/gpt-5.5'],
  'provider-openai-compatible': ['deepseek/deepseek-v4-pro', 'ollama/llama3.3'],
  'provider-sim': ['sim/chat-1', 'sim/messages-1', 'sim/genai-1'],
}

describe('the README', () => {
  const fileOf = (name: string): string => examples.find((each) => each.folder === name)?.file ?? 'none'
  let ran: Ran
  beforeAll(async () => {
    // In one process: each would load the packages again.
    ran = await project.run(process.execPath, 'ask.mjs', ...Object.keys(SERVED).map(fileOf))
  })

  it.each(Object.entries(SERVED))('of %s shows a program that serves its models', (name, models) => {
    expect(ran.code, `they printed ${ran.output}`).toBe(0)
    const [, output = ''] = ran.output.split(`# ${fileOf(name)}\n`)
    const [own] = output.split('\n# ')
    for (const model of models) expect(own).toContain(`"id":"${model}"`)
  })

  it('of gateway-node shows how large bodies go to other threads', async () => {
    const [, second] = examples.filter((example) => example.folder === 'gateway-node')
    expect(await project.run(process.execPath, second?.file ?? 'none')).toEqual({ code: 0, output: '200\n' })
  })

  it('of store-sqlite shows a program that keeps and backs up a file', async () => {
    const [first] = examples.filter((example) => example.folder === 'store-sqlite')
    expect(await project.run(process.execPath, first?.file ?? 'none')).toEqual({ code: 0, output: '1\n' })
  })

  it('of a provider needs five lines', () => {
    const files = examples.filter(({ folder: name }) => /^provider-(?!sim)/.test(name)).map(({ file }) => file)
    expect(files).toHaveLength(5)
    for (const file of files)
      expect(readFileSync(join(project.folder, file), 'utf8').trim().split('\n')).toHaveLength(5)
  })

  it('of testkit shows suites that pass, and so does the guide to providers', async () => {
    const suites = globSync('{testkit,guide}/**/*.test.ts', { cwd: project.folder })
    expect(suites).toHaveLength(6)
    // A busy machine needs more than the five seconds that vitest gives a test. One worker that loads the packages once saves half of the CPU time.
    const flags = ['--testTimeout=300000', '--hookTimeout=300000', '--no-isolate', '--maxWorkers=1']
    const command = ['node_modules/vitest/vitest.mjs', 'run', ...flags]
    const { code, output } = await project.run(process.execPath, ...command)
    expect(code === 0 ? '' : output).toBe('')
    const provider = readFileSync(join(project.folder, 'guide/src/index.ts'), 'utf8').split('\n')
    expect(provider.filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(50)
  })

  it('of testkit shows a double that logs what it says', async () => {
    const shown = examples.filter(({ folder: name, logs }) => name === 'testkit' && logs.length > 0)
    expect(shown).toHaveLength(1)
    for (const { file, logs } of shown)
      expect(await project.run(process.execPath, file)).toEqual({ code: 0, output: `${logs.join('\n')}\n` })
  })
})

/** The files that a source map names, as paths inside the package. */
function sourcesOf(map: string): readonly string[] {
  const { sources } = JSON.parse(readFileSync(map, 'utf8')) as { readonly sources: readonly string[] } // of the compiler
  const home = map.slice(0, map.indexOf('/dist/'))
  return sources.map((source) => join(dirname(map), source).slice(home.length + 1))
}

const IMPORT = /^\s*(?:import|export)\b[^'";]*?\bfrom\s*['"]([^.'"][^'"]*)['"]|\bimport\s*\(?['"]([^.'"][^'"]*)['"]/gm

/** What the built files import from other packages. */
function importsOf(home: string): readonly string[] {
  const files = globSync('dist/**/*.{js,d.ts}', { cwd: home })
  const found = files.flatMap((file) =>
    [...readFileSync(join(home, file), 'utf8').matchAll(IMPORT)].map(([, name, loaded = '']) => name ?? loaded),
  )
  return [...new Set(found)].filter((specifier) => !specifier.startsWith('node:'))
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

import { describe, expect, it } from 'vitest'
import { readSource, sourceFiles } from './sources.ts'
import {
  barrels,
  foreignPackages,
  doubleCasts,
  spreadLists,
  deepImports,
  misplacedFiles,
  namedProtocols,
  ownConnections,
  vagueNames,
  wrongDirections,
} from './structure.ts'
import type { Source } from './structure.ts'

const sources = sourceFiles(
  '{packages,apps}/*/{src,test}/**/*.ts',
  '{bench,verify,browser,packing,clients,audit}/{src,test}/**/*.ts',
).map((file) => ({
  file,
  text: readSource(file),
}))

const CORE = 'packages/core/src'
const made = (file: string, text = ''): Source[] => [{ file, text }]

describe('the structure of this repository', () => {
  it('has the same main files in every protocol folder, and no others than those of its own concerns', () => {
    expect(misplacedFiles(sources)).toEqual([])
  })

  it('imports in one direction inside core, and no protocol imports another', () => {
    expect(wrongDirections(sources)).toEqual([])
  })

  it('imports only the packages that each layer may use', () => {
    expect(foreignPackages(sources)).toEqual([])
  })

  it('names no protocol in the gateway, in shared code or in another protocol', () => {
    expect(namedProtocols(sources)).toEqual([])
  })

  it('imports another package only by its name', () => {
    expect(deepImports(sources)).toEqual([])
  })

  it('has no barrels except the entries of packages', () => {
    expect(barrels(sources, entryFiles())).toEqual([])
  })

  it('generates the same values in every run', () => {
    const folders = sources.flatMap(({ file, text }) =>
      file.endsWith('.test.ts') && text.includes("'fast-check'") ? file.split('/').slice(0, 2).join('/') : [],
    )
    const random = [...new Set(folders)].filter(
      (folder) => !readSource(`${folder}/vitest.config.ts`).includes('generated'),
    )
    expect(folders).toContain('packages/core')
    expect(random).toEqual([])
  })

  it('has no vague file names', () => {
    expect(vagueNames(sources)).toEqual([])
  })

  it('opens connections in the transports and the guarded downloads only', () => {
    expect(ownConnections(sources)).toEqual([])
  })

  it('requires packages with tests to run them', () => {
    const lenient = sourceFiles(
      '{packages,apps}/*/package.json',
      '{bench,verify,browser,packing,clients,audit}/package.json',
    )
      .filter((file) => readSource(file).includes('--passWithNoTests'))
      .filter((file) => sources.some((source) => isTestIn(file.replace('package.json', ''), source.file)))
    expect(lenient).toEqual([])
  })

  it('checks the types of every package at once, with the settings of that package', () => {
    const all = readSettings('tsconfig.json')
    const each = sourceFiles(
      '{packages,apps}/*/tsconfig.json',
      '{bench,verify,browser,packing,clients,audit}/tsconfig.json',
    )
    for (const file of each) {
      const { compilerOptions, include } = readSettings(file)
      const folder = file.replace('/tsconfig.json', '').replace(/^(packages|apps)\/.*/, '$1/*')
      const unchecked = include.map((files) => `${folder}/${files}`).filter((files) => !all.include.includes(files))
      expect({ file, compilerOptions, unchecked }).toEqual({
        file,
        compilerOptions: all.compilerOptions,
        unchecked: [],
      })
    }
  })

  it('has no double casts', () => {
    expect(doubleCasts(sources)).toEqual([])
  })

  it('does not spread lists of unknown length into calls', () => {
    expect(spreadLists(sources)).toEqual([])
  })
})

describe('the rules', () => {
  it('find a list that is spread into a call', () => {
    const found = spreadLists(made(`${CORE}/ir/fold.ts`, 'tokens.push(...event.tokens); Math.max(...sizes)'))
    expect(found).toEqual([`${CORE}/ir/fold.ts: .push(...`, `${CORE}/ir/fold.ts: Math.max(...`])
    expect(spreadLists(made(`${CORE}/ir/fold.test.ts`, 'tokens.push(...event.tokens)'))).toEqual([])
  })

  it.each([
    ['packages/gateway/src/models/plan.ts', "if (route.protocol.name === 'responses') return"],
    ['packages/gateway/src/models/plan.ts', "import { protocols, responses } from '@dragoman/core/protocols'"],
    ['packages/gateway-node/src/door.ts', 'const name = `responses`'],
    [`${CORE}/protocols/chat/request.ts`, "if (extras['responses'] !== undefined) return"],
    [`${CORE}/protocols/translate.ts`, "caller.name === 'responses'"],
    [`${CORE}/ir/fold.ts`, '"responses"'],
  ])('find a protocol that is named in %s', (file, text) => {
    const folder = made(`${CORE}/protocols/responses/request.ts`, "const NAME = 'responses'")
    expect(namedProtocols([...folder, ...made(file, text)])).toEqual([`${file} names responses`])
    expect(namedProtocols([...folder, ...made(file, `// ${text}`)])).toEqual([])
  })

  it('find a missing and an unexpected file in a protocol folder', () => {
    const files = ['request', 'request.test', 'check', 'cache', 'image-check'].map(
      (name) => `${CORE}/protocols/chat/${name}.ts`,
    )
    const found = misplacedFiles(files.flatMap((file) => made(file)))
    expect(found).toContain('protocols/chat has no encode-stream.ts')
    expect(found).toContain('protocols/chat has no dialect.ts')
    expect(found.filter((line) => !line.includes('has no'))).toEqual([
      'protocols/chat has check.ts, which is not listed',
    ])
    for (const name of ['request', 'cache']) expect(found).not.toContain(`protocols/chat has no ${name}.ts`)
  })

  it.each([
    ['lib/sse.ts', '../ir/part.ts'],
    ['ir/part.ts', '../protocols/protocol.ts'],
    ['protocols/chat/request.ts', '../messages/request.ts'],
    ['protocols/chat/request.ts', '../../provider/quirks.ts'],
    ['provider/quirks.ts', '../translate.ts'],
  ])('do not allow %s to import %s', (file, target) => {
    expect(wrongDirections(made(`${CORE}/${file}`, `import type {\n  Thing,\n} from '${target}'`))).toHaveLength(1)
  })

  it.each([
    ['ir/seal.ts', '../lib/base64.ts'],
    ['protocols/index.ts', './chat/index.ts'],
    ['protocols/chat/request.ts', '../protocol.ts'],
    ['protocols/chat/request.test.ts', '../messages/request.ts'],
    ['index.ts', './provider/quirks.ts'],
  ])('allow %s to import %s', (file, target) => {
    expect(wrongDirections(made(`${CORE}/${file}`, `import { thing } from '${target}'`))).toEqual([])
  })

  it('find a package that the layer may not use, in every form of import', () => {
    const text =
      "import { z } from 'zod'\nimport 'undici'\nconst load = () => import('pino')\nexport { a } from 'express'"
    expect(foreignPackages(made(`${CORE}/lib/sse.ts`, text))).toHaveLength(3)
  })

  it('find a path into another package', () => {
    expect(
      deepImports(made('apps/server/src/main.ts', "import { a } from '../../../packages/core/src/a.ts'")),
    ).toHaveLength(1)
    expect(deepImports(made('apps/server/src/main.ts', "import { a } from '../test/a.ts'"))).toEqual([])
  })

  it('find a barrel, and allow the entry of a package', () => {
    const text = "export type { Part } from './part.ts'"
    expect(barrels(made(`${CORE}/ir/index.ts`, text), new Set())).toHaveLength(1)
    expect(barrels(made(`${CORE}/index.ts`, text), new Set([`${CORE}/index.ts`]))).toEqual([])
  })

  it('find a vague name', () => {
    expect(vagueNames(made(`${CORE}/lib/string-utils.ts`))).toHaveLength(1)
  })

  it.each([
    'const answer = await fetch(url)',
    'const send = fetch',
    'globalThis.fetch(url)',
    "load('undici/lib/api')",
    'new WebSocket(url)',
    "import { request } from 'node:https'",
    "import { connect } from 'node:net'",
    "import { lookup } from 'node:dns/promises'",
    'net.connect(80)',
  ])('finds a connection of its own: %s', (text) => {
    expect(ownConnections(made('packages/gateway/src/other.ts', text))).toHaveLength(1)
    expect(ownConnections(made('packages/gateway/src/other.test.ts', text))).toEqual([])
  })

  it.each([
    'const a = b as unknown as C',
    'const a = b as JsonObject as C',
    'const a = b as { readonly c: D; e?: F } as C',
    'const a = b as readonly Map<string, (c: D) => E>[] as C',
    'const a = b as\n  | C\n  | D as E',
    'const a = b as C\n  as D',
    'const a = (b as C) as D',
    'return f((b as C) as D)',
  ])('find a double cast in %j', (text) => {
    expect(doubleCasts(made(`${CORE}/lib/sse.ts`, text))).toHaveLength(1)
  })

  it.each([
    "import { a as b, c as d } from 'e'",
    'const a = b as C // known as D',
    "const a = 'calls as many as it likes'",
    'const a = b as C\nconst d = e as F',
    'const a = f(b as C) as D',
    'const a = (b as C).d as E',
    'const a = [b as C, d as E]',
    'const a = b ? (c as D) : (e as F)',
    'const a = { b: c as D, e: f as G }',
    'const a = (b as C)[d as E] as F',
  ])('find no double cast in %j', (text) => {
    expect(doubleCasts(made(`${CORE}/lib/sse.ts`, text))).toEqual([])
  })
})

function isTestIn(folder: string, file: string): boolean {
  return file.startsWith(folder) && file.endsWith('.test.ts')
}

/** The files in `exports` of a package.json. */
type Settings = { readonly compilerOptions: object; readonly include: readonly string[] }

function readSettings(file: string): Settings {
  return JSON.parse(readSource(file)) as Settings // the compiler reads the same file
}

function entryFiles(): ReadonlySet<string> {
  return new Set(
    sourceFiles('packages/*/package.json', 'browser/package.json').flatMap((file) => {
      const manifest = JSON.parse(readSource(file)) as { exports?: Record<string, string> }
      return Object.values(manifest.exports ?? {}).map((path) => file.replace('package.json', path.replace('./', '')))
    }),
  )
}

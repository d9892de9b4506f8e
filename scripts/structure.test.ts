import { describe, expect, it } from 'vitest'
import { readSource, sourceFiles } from './sources.ts'
import {
  barrels,
  foreignPackages,
  forcedTypes,
  spreadLists,
  trespasses,
  unlikeFolders,
  vagueNames,
  wrongWays,
} from './structure.ts'
import type { Source } from './structure.ts'

const sources = sourceFiles('{packages,apps}/*/{src,test}/**/*.ts', 'bench/{src,test}/**/*.ts').map((file) => ({
  file,
  text: readSource(file),
}))

const CORE = 'packages/core/src'
const made = (file: string, text = ''): Source[] => [{ file, text }]

describe('the structure of this repository', () => {
  it('has the same file names in every protocol folder', () => {
    expect(unlikeFolders(sources)).toEqual([])
  })

  it('imports one way inside core, and no protocol from another', () => {
    expect(wrongWays(sources)).toEqual([])
  })

  it('imports only the packages that each layer may know', () => {
    expect(foreignPackages(sources)).toEqual([])
  })

  it('reaches another package by its name only', () => {
    expect(trespasses(sources)).toEqual([])
  })

  it('has no barrel but the entries of a package', () => {
    expect(barrels(sources, entryFiles())).toEqual([])
  })

  it('names no file for nothing in particular', () => {
    expect(vagueNames(sources)).toEqual([])
  })

  it('lets no package with tests pass without running one', () => {
    const lenient = sourceFiles('{packages,apps}/*/package.json', 'bench/package.json')
      .filter((file) => readSource(file).includes('--passWithNoTests'))
      .filter((file) => sources.some((source) => isTestOf(file.replace('package.json', ''), source.file)))
    expect(lenient).toEqual([])
  })

  it('forces no type', () => {
    expect(forcedTypes(sources)).toEqual([])
  })

  it('spreads no list of unknown length into a call', () => {
    expect(spreadLists(sources)).toEqual([])
  })
})

describe('the rules', () => {
  it('see a list that is spread into a call', () => {
    const found = spreadLists(made(`${CORE}/ir/fold.ts`, 'tokens.push(...event.tokens); Math.max(...sizes)'))
    expect(found).toEqual([`${CORE}/ir/fold.ts: .push(...`, `${CORE}/ir/fold.ts: Math.max(...`])
    expect(spreadLists(made(`${CORE}/ir/fold.test.ts`, 'tokens.push(...event.tokens)'))).toEqual([])
  })

  it('see a missing and a foreign file in a protocol folder', () => {
    const found = unlikeFolders(made(`${CORE}/protocols/chat/choices.ts`))
    expect(found).toContain('protocols/chat has no encode-stream.ts')
    expect(found).toContain('protocols/chat/choices.ts is no file name of a protocol')
  })

  it.each([
    ['lib/sse.ts', '../ir/part.ts'],
    ['ir/part.ts', '../protocols/protocol.ts'],
    ['protocols/chat/request.ts', '../messages/request.ts'],
    ['protocols/chat/request.ts', '../../provider/quirks.ts'],
    ['provider/quirks.ts', '../translate.ts'],
  ])('see that %s may not import %s', (file, target) => {
    expect(wrongWays(made(`${CORE}/${file}`, `import type {\n  Thing,\n} from '${target}'`))).toHaveLength(1)
  })

  it.each([
    ['ir/seal.ts', '../lib/base64.ts'],
    ['protocols/index.ts', './chat/index.ts'],
    ['protocols/chat/request.ts', '../protocol.ts'],
    ['protocols/chat/request.test.ts', '../messages/request.ts'],
    ['index.ts', './provider/quirks.ts'],
  ])('let %s import %s', (file, target) => {
    expect(wrongWays(made(`${CORE}/${file}`, `import { thing } from '${target}'`))).toEqual([])
  })

  it('see a package that the layer may not know, however it is imported', () => {
    const text =
      "import { z } from 'zod'\nimport 'undici'\nconst load = () => import('pino')\nexport { a } from 'express'"
    expect(foreignPackages(made(`${CORE}/lib/sse.ts`, text))).toHaveLength(3)
  })

  it('see a path into another package', () => {
    expect(
      trespasses(made('apps/server/src/main.ts', "import { a } from '../../../packages/core/src/a.ts'")),
    ).toHaveLength(1)
    expect(trespasses(made('apps/server/src/main.ts', "import { a } from '../test/a.ts'"))).toEqual([])
  })

  it('see a barrel, and leave the entry of a package alone', () => {
    const text = "export type { Part } from './part.ts'"
    expect(barrels(made(`${CORE}/ir/index.ts`, text), new Set())).toHaveLength(1)
    expect(barrels(made(`${CORE}/index.ts`, text), new Set([`${CORE}/index.ts`]))).toEqual([])
  })

  it('see a vague name', () => {
    expect(vagueNames(made(`${CORE}/lib/string-utils.ts`))).toHaveLength(1)
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
  ])('see a forced type in %j', (text) => {
    expect(forcedTypes(made(`${CORE}/lib/sse.ts`, text))).toHaveLength(1)
  })

  it.each([
    "import { a as b, c as d } from 'e'",
    'const a = b as C // said as D',
    "const a = 'calls as many as it likes'",
    'const a = b as C\nconst d = e as F',
    'const a = f(b as C) as D',
    'const a = (b as C).d as E',
    'const a = [b as C, d as E]',
    'const a = b ? (c as D) : (e as F)',
    'const a = { b: c as D, e: f as G }',
    'const a = (b as C)[d as E] as F',
  ])('see none in %j', (text) => {
    expect(forcedTypes(made(`${CORE}/lib/sse.ts`, text))).toEqual([])
  })
})

function isTestOf(folder: string, file: string): boolean {
  return file.startsWith(folder) && file.endsWith('.test.ts')
}

/** Files that a package.json names under exports. */
function entryFiles(): ReadonlySet<string> {
  return new Set(
    sourceFiles('packages/*/package.json').flatMap((file) => {
      const manifest = JSON.parse(readSource(file)) as { exports?: Record<string, string> }
      return Object.values(manifest.exports ?? {}).map((path) => file.replace('package.json', path.replace('./', '')))
    }),
  )
}

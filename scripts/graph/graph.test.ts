import { describe, expect, it } from 'vitest'
import { chooseTests } from './choose.ts'
import { createGraph } from './graph.ts'
import { inBatches } from './order.ts'
import { readRepository } from './repository.ts'

const TESTED = 'packages/core/src/a.test.ts'

/** The tests that need a file, in a repository of these files. */
function reached(sources: { readonly [file: string]: string }, changed: string): readonly string[] {
  const graph = createGraph({ files: Object.keys(sources), read: (file) => sources[file]! })
  return [...graph.reach([changed]).keys()]
}

describe('a test needs', () => {
  it.each([
    ['what it imports', "import { b } from './b.ts'", 'packages/core/src/b.ts'],
    ['what it loads later', "const load = () => import('./b.ts')", 'packages/core/src/b.ts'],
    ['what it exports again', "export { b } from './b.ts'", 'packages/core/src/b.ts'],
    ['the script of a thread', "new Worker(new URL('./b.ts', import.meta.url))", 'packages/core/src/b.ts'],
    ['the script of a process', "spawn('node', [join(import.meta.dirname, '../b.ts')])", 'packages/core/b.ts'],
    ['a path in parts', "join(import.meta.dirname, '..', 'test', 'b.json')", 'packages/core/test/b.json'],
    ['a path from its package', "readFileSync('fixtures/b.json')", 'packages/core/fixtures/b.json'],
    ['a document by its path from the root', 'readFileSync(`${ROOT}/docs/b.md`)', 'docs/b.md'],
    [
      'all files of a folder',
      "readdirSync(join(import.meta.dirname, '../fixtures/b'))",
      'packages/core/fixtures/b/c.txt',
    ],
    ['the files of a pattern', "globSync('fixtures/b/*.json')", 'packages/core/fixtures/b/c.json'],
    ['the configuration of its package', '', 'packages/core/vitest.config.ts'],
    ['the versions of all tools', '', 'pnpm-lock.yaml'],
    ['a file that is deleted', "import { b } from './deleted.ts'", 'packages/core/src/deleted.ts'],
  ])('%s', (_what, text, changed) => {
    const others = changed.includes('deleted') ? {} : { [changed]: '' }
    expect(reached({ [TESTED]: text, ...others }, changed)).toEqual([TESTED])
  })

  it.each([
    ['a type', "import type { b } from './b.ts'"],
    ['what a comment names', "// see './b.ts'"],
    ['its package as a whole', "const name = 'packages/core'"],
  ])('not %s', (_what, text) => {
    expect(reached({ [TESTED]: text, 'packages/core/src/b.ts': '' }, 'packages/core/src/b.ts')).toEqual([])
  })

  it('what others import for it, through the entries of packages', () => {
    const sources = {
      'apps/server/test/a.test.ts': "import { start } from './process.ts'",
      'apps/server/test/process.ts': "const MAIN = join(import.meta.dirname, '../src/main.ts')",
      'apps/server/src/main.ts': "import { chat } from '@dragoman/core/protocols'",
      'packages/core/package.json': '{ "name": "@dragoman/core", "exports": { "./protocols": "./src/protocols.ts" } }',
      'packages/core/src/protocols.ts': "export { chat } from './chat.ts'",
      'packages/core/src/chat.ts': '',
    }
    expect(reached(sources, 'packages/core/src/chat.ts')).toEqual(['apps/server/test/a.test.ts'])
  })
})

describe('the order of tests', () => {
  it('begins with the own folder, then the protocol, the package, others, and suites that take long', () => {
    const steps = {
      'verify/src/golden/golden.test.ts': 2,
      'apps/server/test/proof/text.test.ts': 6,
      'apps/server/test/prices/catalogue.test.ts': 4,
      'packages/gateway/test/media.test.ts': 4,
      'packages/core/src/far.test.ts': 5,
      'packages/gateway/test/genai-modes.test.ts': 4,
      'packages/core/src/near.test.ts': 2,
      'packages/core/test/genai.test.ts': 5,
      'packages/core/src/protocols/genai/request.test.ts': 1,
    }
    const batches = inBatches(new Map(Object.entries(steps)), ['packages/core/src/protocols/genai/request.ts'])
    expect(batches.flatMap(({ tests }) => tests)).toEqual([
      'packages/core/src/protocols/genai/request.test.ts',
      'packages/core/test/genai.test.ts',
      'packages/core/src/near.test.ts',
      'packages/gateway/test/genai-modes.test.ts',
      'packages/core/src/far.test.ts',
      'apps/server/test/prices/catalogue.test.ts',
      'packages/gateway/test/media.test.ts',
      'apps/server/test/proof/text.test.ts',
      'verify/src/golden/golden.test.ts',
    ])
  })
})

describe('in this repository', () => {
  const graph = createGraph(readRepository())

  it.each([
    ['packages/core/src/protocols/genai/usage.ts', 'packages/core/src/protocols/genai/response.test.ts'],
    ['packages/core/src/protocols/genai/usage.ts', 'apps/server/test/proof/stops-and-usage.test.ts'],
    ['packages/core/src/protocols/genai/usage.ts', 'verify/src/golden/golden.test.ts'],
    ['apps/server/src/main.ts', 'apps/server/test/drain.test.ts'],
    ['apps/worker/src/index.ts', 'apps/worker/test/worker.test.ts'],
    ['packages/store-sqlite/src/node/thread.ts', 'packages/store-sqlite/test/threads.test.ts'],
    ['packages/gateway-node/src/work-thread.ts', 'packages/gateway-node/test/large-bodies.test.ts'],
    ['packages/store-postgres/test/engine.ts', 'packages/store-postgres/test/store.test.ts'],
    ['packages/provider-openai/README.md', 'packing/test/packed.test.ts'],
    ['docs/media.md', 'apps/server/test/images/document.test.ts'],
    ['docs/traps.md', 'scripts/traps.test.ts'],
    ['verify/src/golden/record.txt', 'verify/src/golden/golden.test.ts'],
    ['README.md', 'apps/server/test/readmes.test.ts'],
  ])('%s reaches %s', (file, test) => {
    expect(graph.files.has(file)).toBe(true)
    expect([...graph.reach([file]).keys()]).toContain(test)
  })

  it('a change of one provider does not reach the others', () => {
    const tests = [...graph.reach(['packages/provider-kling/src/index.ts']).keys()]
    expect(tests).toContain('packages/provider-kling/src/kling.test.ts')
    expect(tests.filter((test) => test.startsWith('packages/provider-google'))).toEqual([])
  })
})

describe('what is named', () => {
  const files = [
    'packages/core/src/a.test.ts',
    'packages/core/src/b.ts',
    'packages/gateway/test/c.test.ts',
    'docs/d.md',
  ]
  const texts: { readonly [file: string]: string } = { 'packages/core/src/a.test.ts': "import './b.ts'" }
  const graph = createGraph({ files, read: (file) => texts[file] ?? '' })

  it('is a test, or a folder with tests of several packages', () => {
    expect(chooseTests(graph, ['packages/core/src/a.test.ts', 'packages/gateway']).batches).toEqual([
      { directory: 'packages/core', tests: ['packages/core/src/a.test.ts'] },
      { directory: 'packages/gateway', tests: ['packages/gateway/test/c.test.ts'] },
    ])
  })

  it('is a file that tests need', () => {
    expect(chooseTests(graph, ['packages/core/src/b.ts'])).toEqual({
      batches: [{ directory: 'packages/core', tests: ['packages/core/src/a.test.ts'] }],
      isReached: true,
    })
  })

  it('has to exist, and similar names are shown', () => {
    expect(() => chooseTests(graph, ['gateway/c.test'])).toThrow(
      'There is no file or folder gateway/c.test. Do you mean one of these?\n  packages/gateway/test/c.test.ts',
    )
  })

  it('has to have tests', () => {
    expect(() => chooseTests(graph, ['docs/d.md'])).toThrow('No test is in docs/d.md, and none needs it')
  })
})

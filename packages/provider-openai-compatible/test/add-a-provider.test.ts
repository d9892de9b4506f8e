import { fileURLToPath } from 'node:url'
import { codeBlocks, writeBlock } from '@dragoman/testkit'
import { expect, it } from 'vitest'

// Follows docs/add-a-provider.md to the letter: writes the files that it shows, and runs the test that it shows.
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const files = codeBlocks(at('../../../docs/add-a-provider.md')).filter(({ name }) => name?.startsWith('src/'))
const written = files.map(({ name, code }) => writeBlock(at(`../.vitest/add-a-provider/${name}`), code))

it('the guide shows a provider and its test', () => {
  expect(files.map(({ name }) => name)).toEqual(['src/index.ts', 'src/index.test.ts'])
  const provider = files[0]?.code.split('\n').filter((line) => line.trim() !== '') ?? []
  expect(provider.length).toBeLessThanOrEqual(40)
})

await import(/* @vite-ignore */ written[1] ?? 'no test')

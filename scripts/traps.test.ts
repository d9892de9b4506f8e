import { expect, it } from 'vitest'
import { readSource, sourceFiles } from './sources.ts'

const TITLE = /\((traps? [^()]*)\)/g

it('docs/traps.md explains every trap that a test names, and no others', () => {
  const tests = sourceFiles('{packages,apps}/*/{src,test}/**/*.test.ts', '{bench,verify}/**/*.test.ts')
  const titles = tests.flatMap((file) => [...readSource(file).matchAll(TITLE)].map(([, text = '']) => text))
  const named = titles.flatMap((text) => text.match(/\d+/g) ?? []).map(Number)
  const explained = [...readSource('docs/traps.md').matchAll(/^\| (\d+) \|/gm)].map(([, number]) => Number(number))
  expect([...new Set(named)].sort((left, right) => left - right)).toEqual(explained)
})

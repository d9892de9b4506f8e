import { expect, it } from 'vitest'
import { readSource, sourceFiles } from './sources.ts'

const { ignore } = JSON.parse(readSource('.changeset/config.json')) as { readonly ignore: readonly string[] } // a file of ours
const published = sourceFiles('packages/*/package.json').map((file) => {
  const { name } = JSON.parse(readSource(file)) as { readonly name: string } // a package of ours
  return name
})

/** The packages that a changeset names. */
function packagesOf(file: string): readonly string[] {
  const [, head = ''] = /^---\n([\s\S]*?)^---\n\n\S/m.exec(readSource(file)) ?? []
  return [...head.matchAll(/^'(.+)': (?:patch|minor|major)$/gm)].map(([, name = '']) => name)
}

// The changesets CLI refuses a release if one file names both.
it('every changeset names published packages, or only ignored ones', () => {
  const files = sourceFiles('.changeset/*.md').filter((file) => !file.endsWith('README.md'))
  expect(files.length).toBeGreaterThan(0)
  const isWrong = (file: string): boolean => {
    const names = packagesOf(file)
    return names.length === 0 || ![ignore, published].some((known) => names.every((name) => known.includes(name)))
  }
  expect(files.filter(isWrong)).toEqual([])
})

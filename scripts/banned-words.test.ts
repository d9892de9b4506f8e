import { describe, expect, it } from 'vitest'
import { bannedNames, bannedWords } from './banned-words.ts'
import { readSource, sourceFiles } from './sources.ts'

const words = bannedWords(readSource('docs/glossary.md'))
const inFile = (text: string, file = 'packages/core/src/lib/a.ts'): string[] => bannedNames([{ file, text }], words)

describe('words that the glossary bans', () => {
  it('are read from its table, without those that are right in another meaning', () => {
    expect([...words]).toEqual(expect.arrayContaining(['wish', 'picture', 'lane', 'unsaid', 'shelf']))
    expect(words.has('place')).toBe(false)
    expect(words.has('say')).toBe(false)
  })

  it.each([
    ['const sliceWishes = []', 'sliceWishes'],
    ['export const MOST_PICTURES = 1', 'MOST_PICTURES'],
    ['type PictureForm = string', 'PictureForm'],
    ['const { wished } = slice', 'wished'],
    ['call({ unsaid: 1 })', 'unsaid'],
    ['const LONGEST_SAID = 1', 'LONGEST_SAID'],
    ['function bareOf() {}', 'bareOf'],
  ])('are found in %s', (text, name) => {
    expect(inFile(text)).toEqual([`packages/core/src/lib/a.ts: ${name}`])
  })

  it('are found in names of files, and not in strings, comments and other words', () => {
    expect(inFile('', 'packages/core/src/lib/picture.ts')).toEqual(['packages/core/src/lib/picture.ts: its name'])
    expect(inFile("// a wish\nconst plane = 'picture'")).toEqual([])
  })

  it('are in no identifier and no file name of this repository', () => {
    const sources = sourceFiles(
      '{packages,apps}/*/{src,test}/**/*.ts',
      '{bench,verify,browser,packing,clients,audit,catalogue}/{src,test}/**/*.ts',
      'scripts/**/*.ts',
    ).map((file) => ({ file, text: readSource(file) }))
    expect(sources.length).toBeGreaterThan(1000)
    expect(bannedNames(sources, words)).toEqual([])
  })
})

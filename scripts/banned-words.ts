import { parseSync } from 'oxc-parser'
import type { Source } from './structure.ts'

/** Words of the glossary's table "Words that are not used" that are marked as never right in an identifier. */
export function bannedWords(glossary: string): ReadonlySet<string> {
  const [, section = ''] = glossary.split('\n## Words that are not used\n')
  const [table = ''] = section.split('\n## ')
  const rows = table.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
  return new Set(
    rows.flatMap(([, words = '', , mark]) =>
      mark === 'never'
        ? words
            .replaceAll(/\([^)]*\)/g, '')
            .split(',')
            .map((word) => word.trim())
        : [],
    ),
  )
}

/** File names and identifiers of sources with a banned word, each once per file. Strings, comments and wire members in quotes are free. */
export function bannedNames(sources: readonly Source[], words: ReadonlySet<string>): string[] {
  const pattern = new RegExp([...words].join('|'), 'i')
  return sources.flatMap(({ file, text }) => {
    const name = hasBanned(file, words) ? [`${file}: its name`] : []
    if (!pattern.test(text)) return name
    const found = [...identifiersOf(file, text)].filter((each) => hasBanned(each, words))
    return [...name, ...found.map((each) => `${file}: ${each}`)]
  })
}

function hasBanned(name: string, words: ReadonlySet<string>): boolean {
  return partsOf(name).some((part) =>
    [part, part.replace(/s$/, ''), part.replace(/e[sd]$/, '')].some((form) => words.has(form)),
  )
}

/** The words of a name in any case: `readSliceWishes`, `SLICE_WISHES`, `slice-wishes.ts`. */
function partsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
}

function identifiersOf(file: string, text: string): ReadonlySet<string> {
  const names = new Set<string>()
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit)
    else if (typeof node === 'object' && node !== null) {
      if ('type' in node && node.type === 'Identifier' && 'name' in node) names.add(String(node.name))
      Object.values(node).forEach(visit)
    }
  }
  visit(parseSync(file, text).program)
  return names
}

import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

// What the entries of the package promise: a sentence for every export, and all that a protocol elsewhere needs.
const SRC = join(import.meta.dirname, '../src')
const read = (file: string): string => readFileSync(join(SRC, file), 'utf8')

interface Exported {
  readonly name: string
  readonly file: string
}

const { exports: paths } = JSON.parse(readFileSync(join(SRC, '../package.json'), 'utf8')) as { exports: object } // our own
const entries = Object.values(paths).map((path: string) => path.replace('./src/', ''))
const all = entries.flatMap(exportsOf)

describe('every export', () => {
  it('has a sentence', () => {
    const documented = (each: Exported) => /\w.*[.:]$/.test(sentenceOf(each.name, read(each.file)) ?? '')
    expect(all.filter((each) => !documented(each))).toEqual([])
  })

  it('is exported by one entry', () => {
    expect(entries.length).toBeGreaterThan(2)
    const names = all.map(({ name, file }) => `${name} of ${file}`)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })
})

describe('a protocol elsewhere', () => {
  const exported = new Set(all.map(({ name, file }) => `${name} of ${file}`))

  it('has everything that two of the protocols here share', () => {
    const users = new Map<string, Set<string>>()
    for (const file of globSync('protocols/*/*.ts', { cwd: SRC }).filter((file) => !file.endsWith('.test.ts'))) {
      for (const { name, file: from } of namesIn(file, 'import')) {
        if (dirname(from) === dirname(file)) continue
        const key = `${name} of ${from}`
        users.set(key, (users.get(key) ?? new Set()).add(dirname(file)))
      }
    }
    const shared = [...users].filter(([, protocols]) => protocols.size > 1).map(([name]) => name)
    expect(shared.length).toBeGreaterThan(50)
    const whole = [...read('codec.ts').matchAll(/^export \* as \w+ from '\.\/([^']+)'/gm)].map(
      ([, file]) => `of ${file}`,
    )
    const missing = shared.filter((each) => !exported.has(each) && !whole.some((file) => each.endsWith(file)))
    expect(missing).toEqual([])
  })

  it('has everything that the guide names', () => {
    const guide = readFileSync(join(SRC, '../../../docs/add-a-protocol.md'), 'utf8')
    const documented = new Set([...guide.matchAll(/`([a-zA-Z_]+)`/g)].map(([, name = '']) => name))
    const shared = globSync('{ir,lib,protocols}/*.ts', { cwd: SRC }).filter((file) => !file.endsWith('.test.ts'))
    const named = shared.flatMap((file) =>
      [...read(file).matchAll(/^export (?:function|const|class) (\w+)/gm)]
        .filter(([, name = '']) => documented.has(name))
        .map(([, name]) => `${name} of ${file}`),
    )
    expect(named.length).toBeGreaterThan(15)
    expect(named.filter((each) => !exported.has(each))).toEqual([])
  })
})

function exportsOf(entry: string): Exported[] {
  return namesIn(entry, 'export')
}

/** The names that a file takes from or hands on of others, with the files that declare them. */
function namesIn(file: string, verb: 'import' | 'export'): Exported[] {
  const lists = read(file).matchAll(new RegExp(`^${verb} (?:type )?\\{([^}]*)\\} from '(\\.[^']+)'`, 'gm'))
  return [...lists].flatMap(([, names = '', from = '']) =>
    names
      .split(',')
      .map((name) =>
        name
          .trim()
          .replace(/^type /, '')
          .replace(/ as .*/, ''),
      )
      .filter((name) => name !== '')
      .map((name) => ({ name, file: join(dirname(file), from) })),
  )
}

/** The doc comment right above a declaration. */
function sentenceOf(name: string, text: string): string | undefined {
  const declared = new RegExp(
    `/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\nexport (?:async )?(?:function|const|class|interface|type) ${name}\\b`,
  )
  return declared
    .exec(text)?.[1]
    ?.replaceAll(/\s*\n \* ?/g, ' ')
    .trim()
}

import { dirname, join } from 'node:path/posix'

/** A file of the repository: its path from the root, and what is in it. */
export type Source = { readonly file: string; readonly text: string }

/** The same file names in every protocol folder; the optional ones where the protocol has such an operation. */
const PROTOCOL_FILES = (
  'index schema check http content media citations reasoning tools calls settings usage request response ' +
  'decode-stream encode-stream encode-blocks frame error models relay'
).split(' ')
/** What not every protocol has: a shape of its own for an assistant's turn, cache marks, dialects, log probabilities, media endpoints. */
const OPTIONAL_PROTOCOL_FILES = ['assistant', 'cache', 'count', 'dialect', 'logprobs', 'image', 'video']

/** Layers of core from the bottom: a file imports from its own layer and the ones below. */
const LAYERS = ['lib', 'ir', 'protocols', 'provider']

/** What a package may import besides itself; packages not named here may import what their package.json declares. */
const PACKAGES_OF: readonly (readonly [RegExp, RegExp])[] = [
  [/^packages\/core\/src\//, /^(zod|eventsource-parser)(\/|$)/],
  [/^packages\/gateway\/src\//, /^@dragoman\/core$/],
  [/^packages\/provider-[^/]+\/src\//, /^@dragoman\/core$/],
]

const VAGUE_NAME = /(^|[-/.])(utils?|helpers?|common|misc)([-/.]|$)/
const REEXPORT = /^\s*export\s+(?:type\s+)?(?:\*|\{[^}]*\})[^'"\n]*\bfrom\s*['"]/m
const IMPORT = /^\s*(?:import|export)\b[^'";]*?\bfrom\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/gm

/** Protocol folders whose file names differ from the agreed ones. */
export function unlikeFolders(sources: readonly Source[]): string[] {
  const files = sources.flatMap(({ file }) => {
    const [, protocol, name] = /^packages\/core\/src\/protocols\/([^/]+)\/([^/]+)\.ts$/.exec(file) ?? []
    return protocol === undefined || name === undefined || isTest(file) ? [] : [{ protocol, name }]
  })
  return [...Map.groupBy(files, ({ protocol }) => protocol)].flatMap(([protocol, entries]) => {
    const names = entries.map(({ name }) => name)
    const missing = PROTOCOL_FILES.filter((name) => !names.includes(name))
    const foreign = names.filter((name) => ![...PROTOCOL_FILES, ...OPTIONAL_PROTOCOL_FILES].includes(name))
    return [
      ...missing.map((name) => `protocols/${protocol} has no ${name}.ts`),
      ...foreign.map((name) => `protocols/${protocol}/${name}.ts is no file name of a protocol`),
    ]
  })
}

/** Imports inside core that go up a layer, or from one protocol to another. */
export function wrongWays(sources: readonly Source[]): string[] {
  return importsOf(sources).flatMap(({ file, target }) => {
    if (!target.startsWith('.') || !file.startsWith('packages/core/src/') || isTest(file)) return []
    const from = placeOf(file)
    const to = placeOf(join(dirname(file), target))
    if (to.layer > from.layer) return [`${file} imports ${target}, which is a layer above`]
    if (from.protocol !== undefined && to.protocol !== undefined && to.protocol !== from.protocol) {
      return [`${file} imports ${target}, which is another protocol`]
    }
    return []
  })
}

/** Imports of packages that the architecture does not let a package know. */
export function foreignPackages(sources: readonly Source[]): string[] {
  return importsOf(sources).flatMap(({ file, target }) => {
    const [, allowed] = PACKAGES_OF.find(([place]) => place.test(file)) ?? []
    if (allowed === undefined || target.startsWith('.') || isTest(file) || allowed.test(target)) return []
    return [`${file} imports ${target}`]
  })
}

/** Files that reach into another package past its name. */
export function trespasses(sources: readonly Source[]): string[] {
  return importsOf(sources).flatMap(({ file, target }) => {
    const [home] = /^(?:(?:packages|apps)\/[^/]+|bench)\/(?:src|test)\//.exec(file) ?? []
    if (home === undefined || !target.startsWith('.')) return []
    const reached = join(dirname(file), target)
    return reached.startsWith(dirname(home)) ? [] : [`${file} imports ${target}`]
  })
}

/** Files that pass on another file's exports without being an entry of their package. */
export function barrels(sources: readonly Source[], entries: ReadonlySet<string>): string[] {
  return sources
    .filter(({ file, text }) => file.includes('/src/') && !entries.has(file) && REEXPORT.test(withoutComments(text)))
    .map(({ file }) => file)
}

/** Files named for nothing in particular. */
export function vagueNames(sources: readonly Source[]): string[] {
  return sources.map(({ file }) => file).filter((file) => VAGUE_NAME.test(file))
}

/** Files that talk the compiler out of a type: a cast of a cast, whatever stands between. */
export function forcedTypes(sources: readonly Source[]): string[] {
  return sources
    .filter(({ file, text }) => file.includes('/src/') && !isTest(file) && hasDoubleCast(withoutComments(text)))
    .map(({ file }) => file)
}

function hasDoubleCast(source: string): boolean {
  const text = source.replaceAll(/'(?:[^'\\\n]|\\.)*'/g, "''")
  return [...text.matchAll(/\sas\s+/g)].some(({ index, 0: found }) => {
    const end = endOfType(text, index + found.length)
    const behind = text.slice(end)
    if (/^\s+as\s/.test(behind)) return true
    return /^\s*\)\s+as\s/.test(behind) && !isCall(text, text.slice(0, end).trimEnd().length)
  })
}

/** Index behind a type: before what cannot go on with it, outside of all brackets. */
function endOfType(text: string, start: number): number {
  let depth = 0
  for (let i = start; i < text.length; i++) {
    if (text.startsWith('=>', i)) i++
    else if ('([{<'.includes(text.charAt(i))) depth++
    else if (')]}>'.includes(text.charAt(i)) && --depth < 0) return i
    else if (depth === 0 && /^(?:[,;=?:]|\s+as\s|\s*\n(?!\s*[|&]))/.test(text.slice(i, i + 80))) return i
  }
  return text.length
}

/** Whether the bracket that is open at a place belongs to a call. */
function isCall(text: string, place: number): boolean {
  let depth = 0
  for (let i = place - 1; i > 0; i--) {
    if (text[i] === ')') depth++
    else if (text[i] === '(' && --depth < 0) return /[\w)\]>]/.test(text.charAt(i - 1))
  }
  return false
}

function importsOf(sources: readonly Source[]): { readonly file: string; readonly target: string }[] {
  return sources.flatMap(({ file, text }) =>
    [...withoutComments(text).matchAll(IMPORT)].map(([, named, bare]) => ({ file, target: named ?? bare ?? '' })),
  )
}

/** The layer of a file of core (files beside the folders are above all of them) and the protocol it belongs to. */
function placeOf(file: string): { readonly layer: number; readonly protocol: string | undefined } {
  const [folder = '', ...rest] = file.replace('packages/core/src/', '').split('/')
  const layer = LAYERS.indexOf(folder)
  const protocol = folder === 'protocols' && rest.length > 1 ? rest[0] : undefined
  return { layer: layer === -1 ? LAYERS.length : layer, protocol }
}

function isTest(file: string): boolean {
  return /\.test(-d)?\.ts$/.test(file)
}

function withoutComments(text: string): string {
  return text.replaceAll(/(?:^|[ \t])\/\/.*$|\/\*[\s\S]*?\*\//gm, '')
}

/** Lists spread into a call, in code that works on what others send: a long one exhausts the stack. */
export function spreadLists(sources: readonly Source[]): string[] {
  return sources.flatMap(({ file, text }) => {
    if (!file.startsWith('packages/core/src/') || file.endsWith('.test.ts')) return []
    const found = text.match(/\.(?:push|unshift|concat)\(\.\.\.|Math\.(?:max|min)\(\.\.\./g) ?? []
    return found.map((call) => `${file}: ${call}`)
  })
}

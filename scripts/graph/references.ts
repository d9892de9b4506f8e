import { parseSync, type StaticExport } from 'oxc-parser'

/** What a source names: modules that it loads, and strings that can be paths. */
export type References = { readonly modules: readonly string[]; readonly paths: readonly string[] }

const STRING = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g
const COMMENT = /\/\*[\s\S]*?\*\/|(?:^|\s)\/\/.*$/gm
/** A path has a separator or an extension, and nothing that paths in this repository do not have. */
const PATH = /^(?=.*[/.])[\w@.*{},/-]*\w[\w@.*{},/-]*$/

/** The references of a source. Imports of types alone are left out: they do not exist when a test runs. */
export function referencesOf(file: string, text: string): References {
  if (file.endsWith('.jsonc')) return { modules: [], paths: pathsOf(text) }
  const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module
  const imported = staticImports
    .filter(({ start }) => !text.startsWith('import type', start))
    .map(({ moduleRequest }) => moduleRequest.value)
  const exported = staticExports
    .filter(({ start }) => !text.startsWith('export type', start))
    .flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []))
  const loaded = dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1))
  return {
    modules: [...new Set([...imported, ...exported, ...loaded])],
    paths: pathsOf(without(text, [...staticImports, ...staticExports.filter(isForwarding)])),
  }
}

function isForwarding({ entries }: StaticExport): boolean {
  return entries.some(({ moduleRequest }) => moduleRequest !== null)
}

/** A text without the parts between these positions. */
function without(text: string, parts: readonly { readonly start: number; readonly end: number }[]): string {
  const ordered = parts.toSorted((left, right) => left.start - right.start)
  const kept = ordered.map(({ start }, index) => text.slice(ordered[index - 1]?.end ?? 0, start))
  return [...kept, text.slice(ordered.at(-1)?.end ?? 0)].join('')
}

/** The strings of a text that can be paths, and the strings of one call of `join` or `resolve` together. */
function pathsOf(text: string): readonly string[] {
  const code = text.replaceAll(COMMENT, '')
  const joined = [...code.matchAll(/\b(?:join|resolve)\(([^()]*)\)/g)].map(([, list = '']) => stringsOf(list).join('/'))
  return [...new Set([...stringsOf(code), ...joined].filter((string) => PATH.test(string)))]
}

/** The strings of a text. A template is read after its first value: `${folder}/fixtures`. */
function stringsOf(text: string): readonly string[] {
  return [...text.matchAll(STRING)].map(([, single, double, template]) =>
    (single ?? double ?? template ?? '').replace(/^\$\{[^}]*\}\//, ''),
  )
}

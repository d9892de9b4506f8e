import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))

/** The source files that match any of the patterns, as paths from the root of the repository. */
export function sourceFiles(...patterns: readonly string[]): string[] {
  const found = globSync(patterns, { cwd: ROOT, exclude: (name) => /(^|\/)(node_modules|dist|fixtures)$/.test(name) })
  return [...new Set(found)].map((path) => path.replaceAll('\\', '/')).sort()
}

export function readSource(file: string): string {
  return readFileSync(`${ROOT}/${file}`, 'utf8')
}

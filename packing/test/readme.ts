import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './pack.ts'

/** A program that a README shows: the blocks of TypeScript from one that imports to the next. */
export interface Program {
  readonly code: string
  /** What it logs, by its comments: `// → text`. */
  readonly logs: readonly string[]
}

/** The programs in the README of a package. */
export function readmePrograms(folder: string): readonly Program[] {
  const markdown = readFileSync(join(ROOT, 'packages', folder, 'README.md'), 'utf8')
  const programs: string[] = []
  for (const [, code = ''] of markdown.matchAll(/^```ts\n([\s\S]*?)^```$/gm)) {
    if (code.startsWith('import ') || programs.length === 0) programs.push(code)
    else programs.push(`${programs.pop()}\n${code}`)
  }
  return programs.map((code) => ({ code, logs: [...code.matchAll(/\/\/ → (.*)$/gm)].map(([, text = '']) => text) }))
}

/** The files that the guide to providers shows, by their names. */
export function guideFiles(): readonly { readonly name: string; readonly code: string }[] {
  const markdown = readFileSync(join(ROOT, 'docs/add-a-provider.md'), 'utf8')
  return [...markdown.matchAll(/`(src\/[^`\n]+)`:?\n\n```ts\n([\s\S]*?)```/g)].map(([, name = '', code = '']) => ({
    name,
    code,
  }))
}

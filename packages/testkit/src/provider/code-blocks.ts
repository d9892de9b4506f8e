import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A fenced block of a document. Its name is the path in backticks at the end of the line before the fence. */
export interface CodeBlock {
  readonly name: string | undefined
  readonly code: string
}

/** The TypeScript blocks of a Markdown file. */
export function codeBlocks(markdown: string): readonly CodeBlock[] {
  const text = readFileSync(markdown, 'utf8')
  return [...text.matchAll(/(?:`([^`\n]+)`:?\n\n)?```ts\n([\s\S]*?)```/g)].map(([, name, code = '']) => ({
    name,
    code,
  }))
}

/** Writes a block to a file of the package under test. Imports of that package by name become imports of its sources. */
export function writeBlock(
  file: string,
  code: string,
  own?: { readonly name: string; readonly source: string },
): string {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, own === undefined ? code : code.replaceAll(`'${own.name}'`, `'${join(own.source)}'`))
  return file
}

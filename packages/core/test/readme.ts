import { readFileSync } from 'node:fs'

/** A program of the README: the blocks of TypeScript from one that imports to the next, and what it says that they log. */
export interface Example {
  readonly title: string
  readonly blocks: readonly string[]
  readonly code: string
  readonly logs: readonly string[]
}

/** The programs of the README. A block without an import goes on with the one before; `// → text` is a line that is logged. */
export function readmeExamples(): readonly Example[] {
  const markdown = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const found: { title: string; blocks: string[] }[] = []
  let title = ''
  for (const [, heading, code = ''] of markdown.matchAll(/^#+ (.+)$|^```ts\n([\s\S]*?)^```$/gm)) {
    if (heading !== undefined) title = heading
    else if (code.startsWith('import ')) found.push({ title, blocks: [code] })
    else found.at(-1)?.blocks.push(code)
  }
  return found.map(({ title, blocks }) => {
    const code = blocks.join('\n')
    return { title, blocks, code, logs: [...code.matchAll(/\/\/ → (.*)$/gm)].map(([, text = '']) => text) }
  })
}

import type { Part } from './part.ts'

/** What a part says in words, for targets without a form of its own for it; undefined where words would not do. */
export function wordsOf(part: Part): string | undefined {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text
    case 'code':
      return `\`\`\`${part.language.toLowerCase()}\n${part.text}\n\`\`\``
    case 'code-output':
      return `\`\`\`\n${part.text}\n\`\`\``
    case 'search-hit':
      return joinLines([part.title, part.url, ...textsOf(part.parts)])
    default:
      return undefined
  }
}

/** The texts among some parts. */
export function textsOf(parts: readonly Part[] = []): string[] {
  return parts.flatMap((part) => (part.type === 'text' ? part.text : []))
}

function joinLines(lines: readonly (string | undefined)[]): string {
  return lines.filter((line) => line !== undefined && line !== '').join('\n')
}

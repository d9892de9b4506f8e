import type { Media, Part } from './part.ts'
import type { BuiltinTool } from './tool.ts'

/** A part as text, for targets without an equivalent; undefined if text would not do. */
export function textOfPart(part: Part): string | undefined {
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
    case 'opaque':
      return part.words
    default:
      return undefined
  }
}

/** The transcript of an audio, for targets without audio; undefined for everything else. */
export function transcriptOf(part: Part): string | undefined {
  const transcript = part.type === 'media' && part.kind === 'audio' ? part.transcript : undefined
  return transcript === '' ? undefined : transcript
}

/** The texts of some parts. */
export function textsOf(parts: readonly Part[] = []): string[] {
  return parts.flatMap((part) => (part.type === 'text' ? part.text : []))
}

/** The media inside a document that is made of parts. */
export function mediaInside(part: Part): Media[] {
  if (part.type !== 'media' || part.source.kind !== 'parts') return []
  return part.source.parts.filter((inner) => inner.type === 'media')
}

function joinLines(lines: readonly (string | undefined)[]): string {
  return lines.filter((line) => line !== undefined && line !== '').join('\n')
}

/** Why a part is lost in a protocol that has no such parts, or does not allow them here. */
export function lostPart(part: Part, protocol: string): string {
  if (part.type === 'opaque') return `only ${part.protocol} has this`
  const what = part.type === 'media' ? `${part.kind} by ${part.source.kind}` : part.type
  return `${protocol} has no ${what} here`
}

/** Why a tool of the upstream is lost in a protocol that has none of its kind. */
export function lostTool({ kind, version, protocol: owner }: BuiltinTool, protocol: string): string {
  return `${protocol} has no ${kind === 'other' ? (version ?? kind) : kind} tool of ${owner}`
}

/** The reason for a result that is replaced as a whole, with the positions of the media that its new form cannot hold. */
export function withoutMedia(reason: string, lost: readonly number[]): string {
  return lost.length === 0 ? reason : `${reason}, without parts[${lost.join('], parts[')}]`
}

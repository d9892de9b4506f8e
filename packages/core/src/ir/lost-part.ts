import type { Part } from './part.ts'
import type { BuiltinTool } from './tool.ts'

/** Why a part is lost in a protocol that has no such parts, or not in this place. */
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

import type { Path } from './loss.ts'
import type { Message } from './message.ts'
import type { Media, Part, Source } from './part.ts'
import type { ModelRequest } from './request.ts'

/** Media that is named by a URL. */
export interface LinkedMedia extends Media {
  readonly source: Extract<Source, { readonly kind: 'url' }>
}

/** Returns the media to use instead, or undefined if it stays. The path is that of the part. */
export type ReplaceLinked = (media: LinkedMedia, path: Path) => Media | undefined

/** The request with media that is named by URLs replaced, also inside results and documents. Everything else is the same object. */
export function replaceLinked(request: ModelRequest, replace: ReplaceLinked): ModelRequest {
  const messages = mapChanged(request.messages, (message, index): Message => {
    const parts = replaceIn(message.parts, ['messages', index, 'parts'], replace)
    return parts === message.parts ? message : { ...message, parts }
  })
  return messages === request.messages ? request : { ...request, messages }
}

function replaceIn(parts: readonly Part[], path: Path, replace: ReplaceLinked): readonly Part[] {
  return mapChanged(parts, (part, index) => replacePart(part, [...path, index], replace))
}

function replacePart(part: Part, path: Path, replace: ReplaceLinked): Part {
  if (part.type === 'media') {
    const { source } = part
    if (source.kind === 'url') return replace({ ...part, source }, path) ?? part
    if (source.kind !== 'parts') return part
    const parts = replaceIn(source.parts, [...path, 'source', 'parts'], replace)
    return parts === source.parts ? part : { ...part, source: { ...source, parts } }
  }
  if (part.type === 'tool-result' && part.output.parts !== undefined) {
    const parts = replaceIn(part.output.parts, [...path, 'output', 'parts'], replace)
    return parts === part.output.parts ? part : { ...part, output: { ...part.output, parts } }
  }
  if (part.type === 'search-hit' && part.parts !== undefined) {
    const parts = replaceIn(part.parts, [...path, 'parts'], replace)
    return parts === part.parts ? part : { ...part, parts }
  }
  return part
}

/** The same list if nothing in it has changed. */
function mapChanged<T>(list: readonly T[], change: (item: T, index: number) => T): readonly T[] {
  const changed = list.map(change)
  return changed.every((item, index) => item === list[index]) ? list : changed
}

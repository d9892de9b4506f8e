import type { Path } from './loss.ts'
import type { Message, ModelRequest } from './request.ts'
import type { Media, Part, Source } from './part.ts'
import type { ImageRequest } from './image.ts'
import type { VideoRequest } from './video.ts'

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

/** An image that is named by a URL. */
export type LinkedSource = Extract<Source, { readonly kind: 'url' }>

/** Returns the source to use instead, or undefined if it stays. */
export type ReplaceSource = (source: LinkedSource, path: Path) => Source | undefined

/** The request with images that are named by URLs replaced. It is the same object if none is. */
export function replaceLinkedImages(request: ImageRequest, replace: ReplaceSource): ImageRequest {
  const references = replaceEach(request.references, ['references'], replace)
  const mask = replaceSource(request.mask, ['mask'], replace)
  if (references === request.references && mask === request.mask) return request
  return { ...request, ...(references && { references }), ...(mask && { mask }) }
}

/** The same for the frames and the images that a video follows. */
export function replaceLinkedFrames(request: VideoRequest, replace: ReplaceSource): VideoRequest {
  const image = replaceSource(request.image, ['image'], replace)
  const lastFrame = replaceSource(request.lastFrame, ['lastFrame'], replace)
  const references = replaceEach(request.references, ['references'], replace)
  if (image === request.image && lastFrame === request.lastFrame && references === request.references) return request
  return { ...request, ...(image && { image }), ...(lastFrame && { lastFrame }), ...(references && { references }) }
}

interface WithSource {
  readonly source?: Source
}

function replaceEach<T extends WithSource>(
  images: readonly T[] | undefined,
  path: Path,
  replace: ReplaceSource,
): readonly T[] | undefined {
  const replaced = images?.map((image, index) => replaceSource(image, [...path, index], replace))
  return replaced?.some((image, index) => image !== images?.[index]) === true ? replaced : images
}

function replaceSource<T extends WithSource | undefined>(image: T, path: Path, replace: ReplaceSource): T {
  if (image?.source?.kind !== 'url') return image
  const source = replace(image.source, [...path, 'source'])
  return source === undefined ? image : { ...image, source }
}

import type { ImageRequest } from './image.ts'
import type { Path } from './loss.ts'
import type { Source } from './part.ts'
import type { VideoRequest } from './video.ts'

/** An image that is named by a URL. */
export type LinkedSource = Extract<Source, { readonly kind: 'url' }>

/** Returns the source to use instead, or undefined if it stays. */
export type ReplaceSource = (source: LinkedSource, path: Path) => Source | undefined

/** The request with images that are named by URLs replaced. It is the same object if none is. */
export function replaceLinkedImages(request: ImageRequest, replace: ReplaceSource): ImageRequest {
  const references = replaceEach(request.references, ['references'], replace)
  const mask = replaceIn(request.mask, ['mask'], replace)
  if (references === request.references && mask === request.mask) return request
  return { ...request, ...(references && { references }), ...(mask && { mask }) }
}

/** The same for the frames and the images that a video follows. */
export function replaceLinkedFrames(request: VideoRequest, replace: ReplaceSource): VideoRequest {
  const image = replaceIn(request.image, ['image'], replace)
  const lastFrame = replaceIn(request.lastFrame, ['lastFrame'], replace)
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
  const replaced = images?.map((image, index) => replaceIn(image, [...path, index], replace))
  return replaced?.some((image, index) => image !== images?.[index]) === true ? replaced : images
}

function replaceIn<T extends WithSource | undefined>(image: T, path: Path, replace: ReplaceSource): T {
  if (image?.source?.kind !== 'url') return image
  const source = replace(image.source, [...path, 'source'])
  return source === undefined ? image : { ...image, source }
}

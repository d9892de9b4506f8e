import type { ImageRequest } from './image.ts'
import type { Path } from './loss.ts'
import type { Source } from './part.ts'
import type { VideoRequest } from './video.ts'

/** A picture that is named by a URL. */
export type LinkedSource = Extract<Source, { readonly kind: 'url' }>

/** Returns the source to use instead, or undefined if it stays. */
export type ReplaceSource = (source: LinkedSource, path: Path) => Source | undefined

/** The request with pictures that are named by URLs replaced. It is the same object if none is. */
export function replaceLinkedPictures(request: ImageRequest, replace: ReplaceSource): ImageRequest {
  const references = replaceEach(request.references, ['references'], replace)
  const mask = replaceIn(request.mask, ['mask'], replace)
  if (references === request.references && mask === request.mask) return request
  return { ...request, ...(references && { references }), ...(mask && { mask }) }
}

/** The same for the frames and the pictures that a video follows. */
export function replaceLinkedFrames(request: VideoRequest, replace: ReplaceSource): VideoRequest {
  const image = replaceIn(request.image, ['image'], replace)
  const lastFrame = replaceIn(request.lastFrame, ['lastFrame'], replace)
  const references = replaceEach(request.references, ['references'], replace)
  if (image === request.image && lastFrame === request.lastFrame && references === request.references) return request
  return { ...request, ...(image && { image }), ...(lastFrame && { lastFrame }), ...(references && { references }) }
}

interface Picture {
  readonly source?: Source
}

function replaceEach<T extends Picture>(
  pictures: readonly T[] | undefined,
  path: Path,
  replace: ReplaceSource,
): readonly T[] | undefined {
  const replaced = pictures?.map((picture, index) => replaceIn(picture, [...path, index], replace))
  return replaced?.some((picture, index) => picture !== pictures?.[index]) === true ? replaced : pictures
}

function replaceIn<T extends Picture | undefined>(picture: T, path: Path, replace: ReplaceSource): T {
  if (picture?.source?.kind !== 'url') return picture
  const source = replace(picture.source, [...path, 'source'])
  return source === undefined ? picture : { ...picture, source }
}

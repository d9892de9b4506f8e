import { defined } from '../lib/defined.ts'
import { DragomanError } from './error.ts'
import type { DrawnImage, ImageAnswer } from './image.ts'
import { NO_LOSSES, type Losses } from './loss.ts'
import type { Media, Part } from './part.ts'
import type { Candidate, ModelResponse } from './response.ts'

/**
 * The images in the answer of a conversation. Without any, the reason is why: the filter's or the model's own words. Throws if there
 * is neither. Text beside images is reported as lost.
 */
export function drawnImages(response: ModelResponse, losses: Losses = NO_LOSSES): ImageAnswer {
  const { candidates, created, usage } = response
  const images = candidates.flatMap((candidate, index) => imagesOf(candidate, losses.at('candidates', index)))
  if (images.length > 0) return defined({ images, created, usage })
  return defined({ images: [{ blocked: whyNone(response) }], created, usage })
}

function imagesOf({ parts }: Candidate, losses: Losses): readonly DrawnImage[] {
  const images = parts.filter(isImage)
  if (images.length === 0) return []
  for (const [index, part] of parts.entries())
    if (part.type === 'text' && part.text.trim() !== '')
      losses.dropped(['parts', index], 'an answer with images has no text')
  return images.map(({ source }) => ({ source }))
}

/** Models that reason draw drafts in their thoughts: the wire marks them as such. */
function isImage(part: Part): part is Media {
  if (part.type !== 'media' || part.kind !== 'image') return false
  return !Object.values(part.extras ?? {}).some(({ thought }) => thought === true)
}

function whyNone({ blocked, candidates }: ModelResponse): string {
  if (blocked !== undefined) return blocked.message ?? blocked.reason
  const [candidate] = candidates
  const { finish, parts = [] } = candidate ?? {}
  const words = parts
    .flatMap((part) => (part.type === 'text' || part.type === 'refusal' ? part.text.trim() : []))
    .join('')
  if (finish?.reason === 'content-filter' || finish?.reason === 'refusal')
    return finish.message ?? (words === '' ? (finish.raw?.value ?? finish.reason) : words)
  if (finish?.message !== undefined) return finish.message
  if (words !== '' && finish?.reason !== 'length' && finish?.reason !== 'error') return words
  throw new DragomanError('upstream', 'The model answered without an image.')
}

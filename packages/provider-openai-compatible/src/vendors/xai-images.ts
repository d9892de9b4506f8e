import { DragomanError, type JsonObject, type Losses } from '@dragoman/core'
import type { ImageRequest } from '@dragoman/core/media'
import {
  collectImages,
  imageUrl,
  readBody,
  reportImageExtras,
  type ImageDriver,
  type ImageResults,
} from '@dragoman/core/provider'
import { BLOCKED, readError } from './xai-errors.ts'

/** The paths of OpenAI's API, with other members: ratios and resolutions instead of sizes, and edits in JSON. */
export const images: ImageDriver = {
  async draw(request, upstream, losses) {
    reportImageExtras(request, losses)
    for (const [index, { role }] of (request.references ?? []).entries())
      if (role !== undefined) losses.dropped(['references', index, 'role'], 'images have no roles here')
    const edits = (request.references ?? []).length > 0
    const path = edits ? '/images/edits' : '/images/generations'
    const answer = await upstream.send({ path, headers: {} }, encodeImages(request, upstream.model, losses))
    const body = readBody({ error: readError }, answer)
    if (DragomanError.isInstance(body)) throw body
    return { images: await collectImages(RESULTS, body, request, upstream) }
  },
}

const RESULTS: ImageResults = {
  list: 'data',
  url: 'url',
  base64: 'b64_json',
  prompt: 'revised_prompt',
  blocked: (entry) => (entry['respect_moderation'] === false ? BLOCKED : undefined),
}

function encodeImages(
  { prompt, references = [], settings, delivery, user }: ImageRequest,
  model: string,
  losses: Losses,
): JsonObject {
  const { count, aspectRatio, tier } = settings
  const given = references.map(({ source }) => ({ url: imageUrl(source), type: 'image_url' }))
  const [first, ...others] = given
  const isSingle = first !== undefined && others.length === 0
  if (isSingle && aspectRatio !== undefined)
    losses.dropped(['settings', 'aspectRatio'], 'an edit of one image has its aspect ratio')
  return {
    model,
    prompt,
    ...(first === undefined ? {} : isSingle ? { image: first } : { images: given }),
    ...(count === undefined ? {} : { n: count }),
    ...(aspectRatio === undefined || isSingle ? {} : { aspect_ratio: aspectRatio }),
    ...(tier === undefined ? {} : { resolution: tier.toLowerCase() }),
    response_format: delivery.form === 'url' ? 'url' : 'b64_json',
    ...(user === undefined ? {} : { user }),
  }
}

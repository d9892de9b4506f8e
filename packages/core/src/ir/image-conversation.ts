import { defined } from '../lib/members.ts'
import { isEmpty, type JsonObject } from '../lib/json.ts'
import { reportForeignExtras } from './foreign-extras.ts'
import type { ImageRequest, ImageSettings, ReferenceImage, DrawnImage, ImageAnswer } from './image.ts'
import { type Losses, NO_LOSSES } from './loss.ts'
import type { Media, Part } from './part.ts'
import type { ModelRequest } from './request.ts'
import { DragomanError } from './error.ts'
import type { Candidate, ModelResponse } from './response.ts'

/**
 * A request for images as a conversation, for a model that draws as part of its answer. It is already fitted to the card. What a
 * conversation cannot express is reported. Each conversation gives one image or a few, as the model decides: the gateway has several of
 * them if more are asked for.
 */
export function imageConversation(request: ImageRequest, losses: Losses): ModelRequest {
  const { model, prompt, references = [], mask, settings, delivery, user, extras } = request
  if (mask !== undefined) losses.dropped(['mask'], 'conversations have no masks')
  reportForeignExtras(extras, undefined, losses)
  if (delivery.form === 'url') losses.dropped(['delivery', 'form'], 'conversations have their images inside')
  const images = references.map((reference, index) => imageOf(reference, losses.at('references', index)))
  reportSettings(settings, losses.at('settings'))
  const image = imageOptions(settings)
  const text = settings.negativePrompt === undefined ? prompt : `${prompt}\n\nAvoid: ${settings.negativePrompt}`
  return defined({
    model,
    messages: [{ role: 'user', parts: [...images, { type: 'text', text }] }],
    settings: defined({ seed: settings.seed }),
    output: defined({ modalities: ['text', 'image'], image: isEmpty(image) ? undefined : image }),
    safety: settings.safety === undefined ? undefined : safetyOf(settings.safety),
    user,
    delivery: {},
  } satisfies { readonly [Member in keyof ModelRequest]?: ModelRequest[Member] | undefined })
}

function imageOf({ source, id, role, extras }: ReferenceImage, losses: Losses): Media {
  if (role !== undefined) losses.dropped(['role'], 'conversations have no roles of images')
  if (id !== undefined) losses.dropped(['id'], 'conversations do not number their images')
  reportForeignExtras(extras, undefined, losses)
  return { type: 'media', kind: 'image', source }
}

/** The members of image options that all protocols with such options have. */
function imageOptions({ aspectRatio, tier, format, compression, people }: ImageSettings): JsonObject {
  return defined({
    aspectRatio,
    imageSize: tier,
    outputMimeType: format,
    outputCompressionQuality: compression,
    personGeneration: people === undefined ? undefined : (PEOPLE_OF.get(people) ?? people),
  })
}

const PEOPLE_OF: ReadonlyMap<string, string> = new Map([
  ['dont_allow', 'ALLOW_NONE'],
  ['allow_adult', 'ALLOW_ADULT'],
  ['allow_all', 'ALLOW_ALL'],
])

const CATEGORIES = ['HATE_SPEECH', 'HARASSMENT', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT']
const LEVEL_OF: ReadonlyMap<string, string> = new Map([
  ['low', 'BLOCK_ONLY_HIGH'],
  ['auto', 'BLOCK_MEDIUM_AND_ABOVE'],
])

/** One level for everything. */
function safetyOf(safety: string): readonly JsonObject[] {
  const threshold = LEVEL_OF.get(safety) ?? safety
  return CATEGORIES.map((category) => ({ category: `HARM_CATEGORY_${category}`, threshold }))
}

/** Why a conversation cannot express a setting; undefined if it can. A setting without an entry does not compile. */
const REASON_OF: { readonly [Setting in keyof ImageSettings]-?: string | undefined } = {
  count: undefined, // the number of conversations
  explainBlocks: undefined, // an answer without an image always has the reason
  aspectRatio: undefined,
  tier: undefined,
  format: undefined,
  compression: undefined,
  people: undefined,
  safety: undefined,
  seed: undefined,
  negativePrompt: undefined,
  size: 'conversations have aspect ratios and resolutions instead',
  quality: 'conversations have no quality of images',
  background: 'conversations have no background of images',
  enhance: 'conversations have no option to refine prompts',
  watermark: 'conversations have no watermarks',
  guidance: 'conversations have no guidance scale',
  fidelity: 'conversations have no fidelity to given images',
  style: 'conversations have no style of images',
}

function reportSettings(settings: ImageSettings, losses: Losses): void {
  for (const setting of Object.keys(settings) as (keyof ImageSettings)[]) {
    const reason = REASON_OF[setting]
    if (reason !== undefined) losses.dropped([setting], reason)
  }
}

/**
 * The images in the answer of a conversation. Without images, the answer has the reason: the text of the filter or of the model. Throws if
 * there is neither. Text beside images is reported as lost.
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

import {
  about,
  count,
  flag,
  listCheck,
  mapCheck,
  matching,
  number,
  objectCheck,
  oneOf,
  required,
  text,
  whole,
  type Check,
  type Checks,
} from '../lib/check-value.ts'
import type { Billed } from './billed.ts'
import { fitImage } from './fit-image.ts'
import { drawnImages, imageConversation } from './image-conversation.ts'
import type { ImageAnswer, ImageFacts, ImageOption, ImageRequest, ImageSettings, SizeRule } from './image.ts'
import { replaceLinkedImages } from './linked-media.ts'
import type { MediaKind } from './media-kind.ts'
import { refuseLostImages } from './refuse.ts'
import { addUsage, countWithin, type Usage } from './usage.ts'

const OPTIONS: Record<ImageOption, true> = {
  quality: true,
  background: true,
  compression: true,
  negativePrompt: true,
  seed: true,
  enhance: true,
  watermark: true,
  guidance: true,
  people: true,
  safety: true,
  explainBlocks: true,
  fidelity: true,
  style: true,
}
const SETTINGS: Record<keyof ImageSettings | 'mask' | 'references', true> = {
  ...OPTIONS,
  count: true,
  size: true,
  tier: true,
  aspectRatio: true,
  format: true,
  mask: true,
  references: true,
}

/** Shapes of images and videos. */
export const ratio: Check = matching(/^(\d+(\.\d+)?:\d+(\.\d+)?|auto)$/, 'a ratio like "16:9", or auto')
const size = matching(/^([1-9]\d{0,5}x[1-9]\d{0,5}|auto)$/, 'a size like "1024x1024", or auto')
const format = matching(/^image\/[a-z0-9.+-]+$/, 'a media type like "image/png"')

const SIZE_RULE: Checks<SizeRule> = {
  multiple: required(about('Width and height are multiples of this.', count)),
  minSide: count,
  maxSide: required(count),
  maxRatio: about('How much longer one side may be than the other.', number(1, 1000)),
  minPixels: count,
  maxPixels: count,
}

const FACTS: Checks<ImageFacts> = {
  via: about(
    'generate: it draws in conversations, as a part of its answer; by a call of its own when absent.',
    oneOf('generate'),
  ),
  most: about('The most images of a request; 1 when absent.', count),
  perCall: about('The most images of one upstream call: further ones are drawn by other calls.', count),
  references: about('The most images that can be given; 0 when absent, which means that it cannot edit.', whole(0)),
  mask: about('It takes a mask: what to change in the first image.', flag),
  sizes: about('The sizes that can be asked for: "1024x1024", "auto".', listCheck(size)),
  custom: about('The rule of further sizes.', objectCheck(SIZE_RULE)),
  ratios: about('The aspect ratios that can be asked for: "16:9".', listCheck(ratio)),
  tiers: about('The resolutions that can be asked for: "2K".', listCheck(text)),
  pixels: about('For a model that takes pixels: the size of each ratio in each resolution.', mapCheck(mapCheck(size))),
  partials: about('The most unfinished images of a stream; it cannot stream when absent.', whole(0)),
  formats: about('The media types that can be asked for, the default first: "image/png".', listCheck(format)),
  words: about(
    'The values of these settings that can be asked for.',
    objectCheck({ quality: listCheck(text), background: listCheck(text) }),
  ),
  takes: about('Further settings that it takes; others are left out.', listCheck(oneOf(...Object.keys(OPTIONS)))),
  refuses: about('Settings that are refused instead of left out.', listCheck(oneOf(...Object.keys(SETTINGS)))),
}

/** Images: new ones, and edits of given ones. Their answers repeat the request, so it is its own brief. */
export const images: MediaKind<ImageRequest, ImageAnswer, ImageFacts, ImageRequest> = {
  name: 'image',
  plural: 'images',
  operations: { image: 'json', 'image-edit': 'json or multipart', predict: 'json' },
  facts: about('It draws. Without "via", it has no conversations.', objectCheck(FACTS)),
  modalities: ({ references = 0, via }) => ({
    input: references > 0 ? ['text', 'image'] : ['text'],
    output: via === 'generate' ? ['text', 'image'] : ['image'],
  }),
  fit: (request, { facts, losses, locate }) =>
    facts === undefined ? request : fitImage(request, facts, losses, locate),
  links: replaceLinkedImages,
  refuse: refuseLostImages,
  split(request, facts) {
    const { count: asked = 1 } = request.settings
    // A conversation draws one image or a few, as the model decides.
    const { perCall = facts.via === 'generate' ? 1 : asked } = facts
    const calls = Math.ceil(asked / perCall)
    if (calls <= 1) return [request]
    return Array.from({ length: calls }, (_, index) => ({
      ...request,
      settings: { ...request.settings, count: Math.min(perCall, asked - index * perCall) },
    }))
  },
  brief: ({ references: _, mask: __, extras: ___, ...request }) => request,
  /** The usages are added; what the answers say about their images is the same. */
  join(answers) {
    const usage = answers.map((answer) => answer.usage).reduce(addUsage)
    const images = answers.flatMap((answer) => answer.images)
    return { ...answers[0], images, ...(usage === undefined ? {} : { usage }) }
  },
  requested: ({ model, settings }) => ({ asked: { model }, requested: settings }),
  bill({ images, usage, size, quality }, asked) {
    const drawn = images.filter(({ source }) => source !== undefined).length
    return billImageCount({ usage, images: drawn, size, quality }, asked)
  },
  expect: (asked) => billImageCount({ images: asked.settings.count ?? 1 }, asked),
  hasFiles: true,
  conversation: { has: ({ via }) => via === 'generate', encode: imageConversation, decode: drawnImages },
  stream: {
    isAsked: ({ delivery }) => delivery.stream === true,
    /** The card says how many unfinished images a stream shows, if there is one. */
    isAble: ({ partials }) => partials !== undefined,
    asWhole({ delivery, ...request }, losses) {
      const { stream: _, partials, ...rest } = delivery
      if (partials !== undefined) losses.dropped(['delivery', 'partials'], 'the upstream shows no unfinished images')
      return { ...request, delivery: rest }
    },
  },
}

interface ImageCount {
  readonly usage?: Usage | undefined
  readonly images?: number | undefined
  readonly size?: string | undefined
  readonly quality?: string | undefined
}

/**
 * What images are billed for: their tokens if the upstream counts them, their number and their size. What the answer does not tell is what
 * was asked for.
 */
export function billImageCount({ usage, images, ...look }: ImageCount, { settings }: ImageRequest): Billed | undefined {
  if (images === undefined || images === 0) return usage
  const size = look.size ?? settings.size
  const quality = look.quality ?? settings.quality
  const drawn = pixelsOf(size)
  const pixels = drawn && countWithin(drawn)
  return {
    ...usage,
    images,
    ...(pixels === undefined ? {} : { pixels: Array.from({ length: images }, () => pixels) }),
    ...(pixels === drawn ? {} : { clamped: true }),
    ...(size === undefined ? {} : { size }),
    ...(quality === undefined ? {} : { quality }),
    ...(settings.tier === undefined ? {} : { resolution: settings.tier }),
  }
}

function pixelsOf(size: string | undefined): number | undefined {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size ?? '') ?? []
  return width === undefined ? undefined : Number(width) * Number(height)
}

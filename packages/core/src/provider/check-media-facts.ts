import type { EmbeddingFacts } from '../ir/embedding.ts'
import type { ImageFacts, ImageOption, ImageSettings, SizeRule } from '../ir/image.ts'
import type { VideoFacts, VideoOption, VideoSettings } from '../ir/video.ts'
import {
  count,
  flag,
  listOf,
  mapOf,
  matching,
  objectOf,
  oneOf,
  required,
  text,
  whole,
  type Check,
  type Checks,
} from './check-value.ts'

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
const VIDEO_OPTIONS: Record<VideoOption, true> = { negativePrompt: true, enhance: true, seed: true, user: true }
const VIDEO_SETTINGS: Record<keyof VideoSettings, true> = {
  count: true,
  aspectRatio: true,
  resolution: true,
  seconds: true,
  audio: true,
  negativePrompt: true,
  enhance: true,
  people: true,
  seed: true,
  fps: true,
}

/** The words of facts, for schemas of configuration files. */
export const MEDIA_WORDS = {
  imageTakes: namesOf(OPTIONS),
  imageRefuses: namesOf(SETTINGS),
  videoTakes: namesOf(VIDEO_OPTIONS),
  videoRefuses: namesOf(VIDEO_SETTINGS),
  audio: ['always', 'never', 'on', 'off'],
  frames: ['first', 'last'],
} as const

/** Forms of texts in facts, with the words of a message. */
export const MEDIA_FORMS = {
  ratio: [/^(\d+(\.\d+)?:\d+(\.\d+)?|auto)$/, 'a ratio like "16:9", or auto'],
  size: [/^([1-9]\d{0,5}x[1-9]\d{0,5}|auto)$/, 'a size like "1024x1024", or auto'],
  format: [/^image\/[a-z0-9.+-]+$/, 'a media type like "image/png"'],
} as const

const ratio = matching(...MEDIA_FORMS.ratio)
const size = matching(...MEDIA_FORMS.size)

const custom: Checks<SizeRule> = {
  multiple: required(count),
  minSide: count,
  maxSide: required(count),
  maxRatio: atLeastOne,
  minPixels: count,
  maxPixels: count,
}

const image: Checks<ImageFacts> = {
  via: oneOf('generate'),
  most: count,
  perCall: count,
  references: whole(0),
  mask: flag,
  sizes: listOf(size),
  custom: objectOf(custom),
  ratios: listOf(ratio),
  tiers: listOf(text),
  pixels: mapOf(mapOf(size)),
  partials: whole(0),
  formats: listOf(matching(...MEDIA_FORMS.format)),
  words: objectOf({ quality: listOf(text), background: listOf(text) }),
  takes: listOf(oneOf(...MEDIA_WORDS.imageTakes)),
  refuses: listOf(oneOf(...MEDIA_WORDS.imageRefuses)),
}

const numbers = listOrRange(count)

const video: Checks<VideoFacts> = {
  most: count,
  ratios: listOf(ratio),
  resolutions: listOf(text),
  seconds: numbers,
  secondsAt: mapOf(numbers),
  secondsWithReferences: numbers,
  defaultSeconds: count,
  audio: oneOf(...MEDIA_WORDS.audio),
  frames: listOf(oneOf(...MEDIA_WORDS.frames)),
  references: whole(0),
  people: listOf(text),
  fps: numbers,
  takes: listOf(oneOf(...MEDIA_WORDS.videoTakes)),
  refuses: listOf(oneOf(...MEDIA_WORDS.videoRefuses)),
}

const embedding: Checks<EmbeddingFacts> = {
  dimensions: count,
  sizes: numbers,
  most: count,
  perCall: count,
  maxTokens: count,
  tasks: listOf(text),
  title: flag,
  tokens: flag,
  truncate: flag,
  base64: flag,
  user: flag,
}

/** The facts of cards about images, videos and embeddings. */
export const mediaFacts = { image: objectOf(image), video: objectOf(video), embedding: objectOf(embedding) }

/** A list of numbers, or the range between two. */
function listOrRange(check: Check): Check {
  const list = listOf(check)
  const range = objectOf({ min: required(check), max: required(check) })
  return (value, path, wrong) => (Array.isArray(value) ? list : range)(value, path, wrong)
}

function atLeastOne(...[value, path, wrong]: Parameters<Check>): void {
  if (value !== undefined && !(typeof value === 'number' && value >= 1 && value <= 1000))
    throw wrong(path, 'must be a number from 1 to 1000')
}

function namesOf<Name extends string>(names: Record<Name, true>): readonly Name[] {
  return Object.keys(names) as Name[] // its own keys
}

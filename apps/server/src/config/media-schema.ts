import type { EmbeddingFacts, ImageFacts, VideoFacts } from '@dragoman/core/media'
import { MEDIA_FORMS, MEDIA_WORDS } from '@dragoman/core/provider'
import * as z from 'zod'
import { object, text } from './parts.ts'

/** Every fact of a type, and no other. */
type Shape<Facts> = { readonly [Member in keyof Facts]-?: z.ZodType }

const size = z.int().positive()
const formed = ([pattern, form]: readonly [RegExp, string]) => z.string().regex(pattern, `must be ${form}`)
const words = <Name extends string>(names: readonly Name[]) => z.array(z.enum(names))
const range = object({ min: size, max: size })
const numbers = z.union([z.array(size).min(1), range])
const about = (description: string) => ({ description })

/** What a model can embed. */
export const embedding = object({
  dimensions: size.optional().meta(about('The length of its embeddings, if the request does not say.')),
  sizes: numbers.optional().meta(about('The lengths that can be asked for: a list, or a range.')),
  most: size.optional().meta(about('The most inputs of a request.')),
  perCall: size.optional().meta(about('The most inputs of one upstream call: further ones go in other calls.')),
  maxTokens: size.optional().meta(about('The most tokens of one input.')),
  tasks: z.array(text).optional().meta(about('Its task types.')),
  title: z.boolean().optional().meta(about('It takes the titles of documents.')),
  tokens: z.boolean().optional().meta(about('It takes tokens as input.')),
  truncate: z.boolean().optional().meta(about('It can be told whether to cut long inputs.')),
  base64: z.boolean().optional().meta(about('false: it writes embeddings only as numbers.')),
  user: z.boolean().optional().meta(about('false: it refuses the identifier of an end user.')),
} satisfies Shape<EmbeddingFacts>)

/** What a model can draw. */
export const image = object({
  via: z
    .literal('generate')
    .optional()
    .meta(about('generate: it draws in conversations, as a part of its answer; by a call of its own when absent.')),
  most: size.optional().meta(about('The most images of a request; 1 when absent.')),
  perCall: size.optional().meta(about('The most images of one upstream call: further ones are drawn by other calls.')),
  references: z
    .int()
    .nonnegative()
    .optional()
    .meta(about('The most images that can be given; 0 when absent, which means that it cannot edit.')),
  mask: z.boolean().optional().meta(about('It takes a mask: what to change in the first image.')),
  sizes: z
    .array(formed(MEDIA_FORMS.size))
    .optional()
    .meta(about('The sizes that can be asked for: "1024x1024", "auto".')),
  custom: object({
    multiple: size.meta(about('Width and height are multiples of this.')),
    minSide: size.optional(),
    maxSide: size,
    maxRatio: z.number().min(1).max(1000).optional().meta(about('How much longer one side may be than the other.')),
    minPixels: size.optional(),
    maxPixels: size.optional(),
  })
    .optional()
    .meta(about('The rule of further sizes.')),
  ratios: z.array(formed(MEDIA_FORMS.ratio)).optional().meta(about('The aspect ratios that can be asked for: "16:9".')),
  tiers: z.array(text).optional().meta(about('The resolutions that can be asked for: "2K".')),
  pixels: z
    .record(text, z.record(text, formed(MEDIA_FORMS.size)))
    .optional()
    .meta(about('For a model that takes pixels: the size of each ratio in each resolution.')),
  partials: z
    .int()
    .nonnegative()
    .optional()
    .meta(about('The most unfinished images of a stream; it cannot stream when absent.')),
  formats: z
    .array(formed(MEDIA_FORMS.format))
    .optional()
    .meta(about('The media types that can be asked for, the default first: "image/png".')),
  words: object({ quality: z.array(text).optional(), background: z.array(text).optional() })
    .optional()
    .meta(about('The values of these settings that can be asked for.')),
  takes: words(MEDIA_WORDS.imageTakes).optional().meta(about('Further settings that it takes; others are left out.')),
  refuses: words(MEDIA_WORDS.imageRefuses).optional().meta(about('Settings that are refused instead of left out.')),
} satisfies Shape<ImageFacts>)

/** What videos a model can generate. */
export const video = object({
  most: size.optional().meta(about('The most videos of a request; 1 when absent.')),
  ratios: z
    .array(formed(MEDIA_FORMS.ratio))
    .optional()
    .meta(about('The aspect ratios, the default first; any when absent.')),
  resolutions: z.array(text).optional().meta(about('The resolutions, the default first: "720p".')),
  seconds: numbers.optional().meta(about('The lengths that can be asked for: a list, or a range; any when absent.')),
  secondsAt: z.record(text, numbers).optional().meta(about('The lengths that are possible in some resolutions.')),
  secondsWithReferences: numbers.optional().meta(about('The lengths that are possible with given images.')),
  defaultSeconds: size.optional().meta(about('The length without one in the request, which is billed.')),
  audio: z.enum(MEDIA_WORDS.audio).optional().meta(about('Whether there is a sound track; never when absent.')),
  frames: words(MEDIA_WORDS.frames).optional().meta(about('The frames that can be given; none when absent.')),
  references: z.int().nonnegative().optional().meta(about('The most images that a video can follow; 0 when absent.')),
  people: z.array(text).optional().meta(about('Whether people may be shown: the values that can be asked for.')),
  fps: numbers.optional().meta(about('The frame rates that can be asked for.')),
  takes: words(MEDIA_WORDS.videoTakes).optional().meta(about('Further settings that it takes; others are left out.')),
  refuses: words(MEDIA_WORDS.videoRefuses).optional().meta(about('Settings that are refused instead of left out.')),
} satisfies Shape<VideoFacts>)

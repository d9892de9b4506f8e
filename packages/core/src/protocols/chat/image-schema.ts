import {
  atLeast,
  atMost,
  either,
  filled,
  flag,
  kept,
  list,
  maybe,
  number,
  object,
  only,
  optional,
  refine,
  text,
  textOr,
  upTo,
  whole,
  words,
  type Infer,
  type Unread,
} from '../../lib/grammar/schema.ts'
import { routingMembers } from './schema.ts'

/** The wire of `/images/generations` and `/images/edits`, as clients send it and as upstreams answer. */

const LONGEST_PROMPT = 32_000
const within = (least: number, most: number) => atMost(atLeast(whole, least), most)
const size = refine(
  text,
  (value) => /^(auto|[1-9]\d{0,4}x[1-9]\d{0,4})$/.test(value),
  'must be "auto" or "<width>x<height>"',
)

const members = {
  model: filled(text),
  prompt: upTo(LONGEST_PROMPT, filled(text)),
  n: maybe(within(1, 10)),
  size: maybe(size),
  quality: maybe(only('low', 'medium', 'high', 'xhigh', 'max', 'auto', 'standard', 'hd')),
  background: maybe(only('transparent', 'opaque', 'auto')),
  moderation: maybe(only('low', 'auto')),
  output_format: maybe(only('png', 'jpeg', 'webp', 'gif', 'svg')),
  output_compression: maybe(within(0, 100)),
  partial_images: maybe(within(0, 3)),
  response_format: maybe(only('url', 'b64_json')),
  stream: maybe(flag),
  safety_identifier: optional(text),
  user: optional(text),
  ...routingMembers,
  complexity: kept,
  frame_count: kept,
  frame_duration_ms: kept,
}

export const imageGeneration = object({
  ...members,
  style: maybe(only('vivid', 'natural')),
  svg: kept,
})

/** An image as an object: OpenAI's form, and the ones of xAI and of chat messages. */
export const imageObject = refine(
  object({
    image_url: optional(textOr(object({ url: text }))),
    url: optional(text),
    file_id: optional(text),
    type: optional(words<'image_url'>()),
  }),
  ({ image_url, url, file_id }) => [image_url, url, file_id].filter((each) => each !== undefined).length === 1,
  'needs one of image_url and file_id',
)
const imageSource = textOr(imageObject)

export const imageEdit = refine(
  object({
    ...members,
    image: maybe(either(text, filled(list(imageSource)), imageObject)),
    images: maybe(filled(list(imageSource))),
    mask: maybe(imageSource),
    input_fidelity: maybe(only('low', 'high')),
    markup: kept,
  }),
  ({ image, images }) => image != null || images != null,
  'is required',
  ['image'],
)

/** Answers are read leniently: any member can be absent or different. */
export const imageUsage = object({
  input_tokens: optional(number),
  input_tokens_details: optional(
    object({ image_tokens: optional(number), text_tokens: optional(number), cached_tokens: optional(number) }),
  ),
  output_tokens: optional(number),
  output_tokens_details: optional(object({ image_tokens: optional(number), text_tokens: optional(number) })),
  total_tokens: optional(number),
})

export const drawnImage = object({ b64_json: optional(text), url: optional(text), revised_prompt: optional(text) })

const look = {
  background: optional(words<'transparent' | 'opaque' | 'auto'>()),
  output_format: optional(words<'png' | 'webp' | 'jpeg' | 'gif' | 'svg'>()),
  quality: optional(words<'low' | 'medium' | 'high' | 'xhigh' | 'max' | 'auto'>()),
  size: optional(text),
}

export const imageAnswer = object({
  created: optional(number),
  data: optional(list(drawnImage)),
  ...look,
  usage: optional(imageUsage),
  ...({} as Unread<'safety_identifier' | 'svg_usage'>),
})

type EventKind = `image_${'generation' | 'edit'}.${'partial_image' | 'completed'}`

export const imageEvent = object({
  type: words<EventKind>(),
  b64_json: optional(text),
  url: optional(text),
  created_at: optional(number),
  partial_image_index: optional(number),
  ...look,
  usage: optional(imageUsage),
  ...({} as Unread<'safety_identifier'>),
})

/** The body of `POST /images/generations`. */
export type WireGeneration = Infer<typeof imageGeneration>
/** The body of `POST /images/edits` as JSON. */
export type WireEdit = Infer<typeof imageEdit>
export type WireImageSource = Infer<typeof imageSource>
export type WireImageUsage = Infer<typeof imageUsage>
export type WireDrawn = Infer<typeof drawnImage>
/** The answer to both calls. */
export type WireImageAnswer = Infer<typeof imageAnswer>
/** One event of a streamed answer. */
export type WireImageEvent = Infer<typeof imageEvent>

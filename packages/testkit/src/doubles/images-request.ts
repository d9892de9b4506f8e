import {
  base64,
  flag,
  list,
  nonEmpty,
  object,
  oneOf,
  only,
  optional,
  refuse,
  string,
  whole,
  type Wire,
} from './refuse.ts'

/** The members of both calls. */
const MEMBERS =
  'model prompt n size quality background moderation output_format output_compression partial_images stream response_format ' +
  'safety_identifier user complexity frame_count frame_duration_ms'
const IMAGES = ['image/png', 'image/jpeg', 'image/webp']

/** Throws if OpenAI would refuse a request for new images. Members that begin with `x_` stand for future ones. */
export function acceptGeneration(body: Wire): void {
  only(body, `${MEMBERS} style svg`, 'body')
  acceptMembers(body)
  optional(body['style'], (style) => oneOf(style, ['vivid', 'natural'], 'style'))
  if (isGpt(body) && body['style'] !== undefined) refuse('style', 'is not supported by this model')
}

/** The same for an edit as JSON. */
export function acceptJsonEdit(body: Wire): void {
  only(body, `${MEMBERS} images mask input_fidelity`, 'body')
  acceptMembers(body)
  const images = list(body['images'], 'images')
  if (images.length === 0 || images.length > 16) refuse('images', 'must have 1 to 16 images')
  images.forEach((image, index) => acceptReference(image, `images.${index}`))
  optional(body['mask'], (mask) => acceptReference(mask, 'mask'))
  optional(body['input_fidelity'], (fidelity) => oneOf(fidelity, ['low', 'high'], 'input_fidelity'))
}

/** The text members of an edit as a form, and the media types of its files by name. */
export function acceptFormEdit(body: Wire, files: { readonly [name: string]: readonly string[] }): void {
  only(body, `${MEMBERS} input_fidelity`, 'body')
  acceptMembers(body)
  optional(body['input_fidelity'], (fidelity) => oneOf(fidelity, ['low', 'high'], 'input_fidelity'))
  const { image = [], 'image[]': several = [], mask = [], markup = [], ...others } = files
  const given = [...image, ...several]
  if (Object.keys(others).length > 0) refuse(Object.keys(others).join(), 'is an unknown parameter')
  if (image.length > 1) refuse('image', 'is a duplicate parameter: use image[]')
  if (given.length === 0 || given.length > 16) refuse('image', 'must have 1 to 16 images')
  if (mask.length + markup.length > 1) refuse('mask', 'must not be repeated, or combined with markup')
  for (const type of given) oneOf(type, IMAGES, 'image')
  for (const type of [...mask, ...markup]) oneOf(type, ['image/png'], 'mask')
}

function acceptMembers(body: Wire): void {
  nonEmpty(body['model'], 'model')
  if (nonEmpty(body['prompt'], 'prompt').length > 32_000) refuse('prompt', 'is longer than 32000 characters')
  optional(body['n'], (n) => whole(n, 1, 10, 'n'))
  optional(body['size'], acceptSize)
  optional(body['quality'], (quality) =>
    oneOf(quality, ['low', 'medium', 'high', 'xhigh', 'max', 'auto', 'standard', 'hd'], 'quality'),
  )
  optional(body['background'], (background) => oneOf(background, ['transparent', 'opaque', 'auto'], 'background'))
  optional(body['moderation'], (moderation) => oneOf(moderation, ['low', 'auto'], 'moderation'))
  optional(body['output_format'], (format) => oneOf(format, ['png', 'jpeg', 'webp', 'gif', 'svg'], 'output_format'))
  optional(body['output_compression'], (compression) => whole(compression, 0, 100, 'output_compression'))
  optional(body['partial_images'], (partials) => whole(partials, 0, 3, 'partial_images'))
  optional(body['stream'], (stream) => flag(stream, 'stream'))
  optional(body['response_format'], (format) => oneOf(format, ['url', 'b64_json'], 'response_format'))
  for (const member of ['safety_identifier', 'user'])
    optional(body[member], (user) => {
      if (string(user, member).length > 128) refuse(member, 'is longer than 128 characters')
    })
  acceptCombinations(body)
}

function acceptSize(size: unknown): void {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(string(size, 'size')) ?? []
  if (size === 'auto') return
  if (width === undefined || height === undefined) refuse('size', 'must be auto or <width>x<height>')
}

/** Refuses members that are valid alone, but not together. */
function acceptCombinations(body: Wire): void {
  const { output_format = 'png', output_compression, partial_images, stream, response_format, background } = body
  if (output_compression !== undefined && output_format !== 'jpeg' && output_format !== 'webp')
    refuse('output_compression', 'is only supported for jpeg and webp')
  if (partial_images !== undefined && stream !== true) refuse('partial_images', 'is only allowed when stream is true')
  if (!isGpt(body)) return
  if (response_format !== undefined) refuse('response_format', 'is an unknown parameter')
  if (background === 'transparent' && output_format === 'jpeg') refuse('background', 'transparency needs png or webp')
}

/** The models that always answer with base64. */
function isGpt({ model }: Wire): boolean {
  return typeof model === 'string' && model.startsWith('gpt-image')
}

function acceptReference(value: unknown, path: string): void {
  const image = object(value, path)
  only(image, 'image_url file_id', path)
  const { image_url, file_id } = image
  if ((image_url === undefined) === (file_id === undefined)) refuse(path, 'needs image_url or file_id')
  if (file_id !== undefined) return void nonEmpty(file_id, `${path}.file_id`)
  const url = string(image_url, `${path}.image_url`)
  if (/^https?:\/\//.test(url)) return
  const [, type, data] = /^data:([^;,]*);base64,(.*)$/s.exec(url) ?? []
  oneOf(type, IMAGES, `${path}.image_url`)
  base64(data, `${path}.image_url`)
}

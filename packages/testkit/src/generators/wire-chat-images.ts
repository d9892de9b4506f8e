import type { Json, JsonObject } from '@dragoman/core'
import type { MediaCall } from '@dragoman/core/media'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import type { WireImageStream } from '../laws/image-subject.ts'
import { anyBase64, base64, count, unknownMembers, url, word, writing } from './json.ts'
import { maybe } from './record.ts'
import { nullable } from './wire-chat-answer.ts'
import { loose, strict } from './wire.ts'

const SIZES = ['1024x1024', '1536x864', 'auto']

/** Requests of `/images/generations` and `/images/edits`, as JSON: every member, and every spelling of an image. */
export function chatImageCall(): Arbitrary<MediaCall> {
  return fc.oneof(
    generation().map((body) => ({ operation: 'image', body })),
    edit().map((body) => ({ operation: 'image-edit', body })),
  )
}

const model = { model: word().map((name) => `some/${name}`), prompt: writing() }
const members: { readonly [member: string]: Arbitrary<Json> } = {
  n: nullable(fc.integer({ min: 1, max: 10 })),
  size: nullable(fc.constantFrom(...SIZES)),
  quality: nullable(fc.constantFrom('low', 'high', 'xhigh', 'auto', 'hd')),
  background: nullable(fc.constantFrom('transparent', 'opaque', 'auto')),
  moderation: nullable(fc.constantFrom('low', 'auto')),
  response_format: nullable(fc.constantFrom('b64_json')),
  safety_identifier: fc.oneof(word(), fc.constant('')),
  user: word(),
  provider: fc.record({ type: fc.constant('priority') }),
  complexity: fc.constantFrom('low', 'high'),
  frame_count: fc.integer({ min: 2, max: 16 }),
}

function generation(): Arbitrary<JsonObject> {
  const body = loose(model, {
    ...members,
    style: nullable(fc.constantFrom('vivid', 'natural')),
    svg: fc.constant({ model: 'x' }),
  })
  return withGroups(body)
}

function edit(): Arbitrary<JsonObject> {
  const body = loose(model, {
    ...members,
    input_fidelity: nullable(fc.constantFrom('low', 'high')),
    mask: imageSource(),
  })
  const imageMembers = fc.oneof<Arbitrary<JsonObject>[]>(
    imageSource().map((image) => ({ image })),
    fc.array(imageSource(), { minLength: 1, maxLength: 3 }).map((image) => ({ image })),
    fc.array(imageSource(), { minLength: 1, maxLength: 3 }).map((images) => ({ images })),
    fc
      .tuple(imageSource(), fc.array(imageSource(), { minLength: 1, maxLength: 2 }))
      .map(([image, images]) => ({ image, images })),
  )
  return fc.tuple(withGroups(body), imageMembers).map(([rest, given]) => ({ ...rest, ...given }))
}

/** Members that are only possible together. */
function withGroups(body: Arbitrary<JsonObject>): Arbitrary<JsonObject> {
  const format = fc.oneof<Arbitrary<JsonObject>[]>(
    fc.constant({}),
    fc.constantFrom('png', 'gif', 'svg').map((output_format) => ({ output_format })),
    strict(
      { output_format: fc.constantFrom('jpeg', 'webp') },
      { output_compression: fc.integer({ min: 0, max: 100 }) },
    ),
  )
  const stream = fc.oneof<Arbitrary<JsonObject>[]>(
    fc.constantFrom<JsonObject>({}, { stream: null }, { stream: false }),
    strict({ stream: fc.constant(true) }, { partial_images: fc.integer({ min: 0, max: 3 }) }),
  )
  return fc.tuple(body, format, stream).map(([rest, ...groups]) => ({ ...rest, ...groups[0], ...groups[1] }))
}

function imageSource(): Arbitrary<Json> {
  const address = fc.oneof(
    { weight: 1, arbitrary: url() },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom('image/png', 'image/jpeg', 'image/jpg', 'image/webp'), anyBase64())
        .map(([type, data]) => `data:${type};base64,${data}`),
    },
  )
  return fc.oneof<Arbitrary<Json>[]>(
    address,
    loose({ image_url: address }),
    fc.record({ image_url: fc.record({ url: address }) }),
    fc.record({ url: address, type: fc.constant('image_url') }),
    loose({ file_id: word() }),
  )
}

const look = {
  background: fc.constantFrom('transparent', 'opaque', 'auto'),
  output_format: fc.constantFrom('png', 'webp', 'jpeg'),
  quality: fc.constantFrom('low', 'high', 'auto'),
  size: fc.constantFrom(...SIZES),
}

function wireUsage(): Arbitrary<JsonObject> {
  const details = { image_tokens: count(), text_tokens: count() }
  return fc
    .tuple(
      loose(
        { input_tokens_details: loose(details, { cached_tokens: count() }) },
        { output_tokens_details: loose(details) },
      ),
      count(),
      count(),
    )
    .map(([usage, input, output]) => ({
      ...usage,
      input_tokens: input,
      output_tokens: output,
      total_tokens: input + output,
    }))
}

export function chatImageAnswer(): Arbitrary<JsonObject> {
  const drawn = fc.oneof(
    loose({ b64_json: base64() }, { revised_prompt: writing() }),
    loose({ url: url() }, { revised_prompt: writing() }),
  )
  return loose(
    { created: count(), data: fc.array(drawn, { minLength: 1, maxLength: 3 }) },
    { ...look, usage: wireUsage(), safety_identifier: word() },
  )
}

/** Streams of one or more images, with unfinished ones before each. The usage and the unknown members are in the last event. */
export function chatImageStream(): Arbitrary<WireImageStream> {
  const { output_format, ...others } = look
  const event = strict({ ...others, b64_json: base64(), created_at: count() })
  const drawn = fc.tuple(fc.array(event, { maxLength: 3 }), event)
  const last = fc.tuple(maybe(wireUsage(), 7), maybe(unknownMembers(), 2))
  const operation = fc.constantFrom('image', 'image-edit')
  return fc
    .tuple(operation, fc.array(drawn, { minLength: 1, maxLength: 3 }), last, output_format)
    .map(([operation, given, [usage, unknown], output_format]) => {
      const images = given.map(([partials, image]): [typeof partials, JsonObject] => [
        partials,
        { ...image, output_format },
      ])
      const kind = operation === 'image' ? 'image_generation' : 'image_edit'
      const ending = { ...(usage === undefined ? {} : { usage }), ...unknown }
      const frames = images.flatMap(([partials, image], index) => [
        ...partials.map((partial, at) =>
          frame(`${kind}.partial_image`, { ...partial, output_format, partial_image_index: at }),
        ),
        frame(`${kind}.completed`, { ...image, ...(index === images.length - 1 ? ending : {}) }),
      ])
      const { b64_json: _data, created_at: created = 0, ...shown } = images.at(-1)?.[1] ?? {}
      const data = images.map(([, { b64_json = '' }]) => ({ b64_json }))
      return { operation, frames, answer: { created, data, ...shown, ...ending } }
    })
}

function frame(type: string, members: JsonObject): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`
}

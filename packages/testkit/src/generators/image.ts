import type { Source } from '@dragoman/core'
import {
  imageEvents,
  type DrawnImage,
  type ImageAnswer,
  type ImageDelivery,
  type ImageEvent,
  type ImageLook,
  type ImageMask,
  type ImageRequest,
  type ImageSettings,
  type ReferenceImage,
} from '@dragoman/core/media'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { base64, extras, number, url, word, writing } from './json.ts'
import { source } from './part.ts'
import { never, record } from './record.ts'
import { usage } from './response.ts'
import type { World } from './world.ts'

const TYPES = ['image/png', 'image/jpeg', 'image/webp']
const SIZES = ['1024x1024', '1536x1024', '1024x1536', '1536x864', 'auto']

/** A request for images: new ones, or edits. */
export function imageRequest(world: World): Arbitrary<ImageRequest> {
  return record<ImageRequest>(
    {
      model: word().map((name) => `some/${name}`),
      prompt: writing(),
      settings: imageSettings(),
      delivery: imageDelivery(),
    },
    {
      references: fc.array(referenceImage(world), { minLength: 1, maxLength: 3 }),
      mask: imageMask(world),
      user: fc.oneof(word(), fc.constant('x'.repeat(129))),
      extras: extras(world),
    },
  )
}

export function imageSettings(): Arbitrary<ImageSettings> {
  return record<ImageSettings>(
    {},
    {
      count: fc.integer({ min: 1, max: 15 }),
      size: fc.constantFrom(...SIZES),
      tier: fc.constantFrom('1K', '2K', '4K'),
      aspectRatio: fc.constantFrom('1:1', '16:9', '21:9'),
      quality: fc.constantFrom('low', 'medium', 'high', 'auto'),
      background: fc.constantFrom('transparent', 'opaque', 'auto'),
      format: fc.constantFrom(...TYPES),
      compression: fc.integer({ min: 0, max: 100 }),
      negativePrompt: writing(),
      seed: fc.nat(),
      enhance: fc.boolean(),
      watermark: fc.boolean(),
      guidance: number(0, 20),
      people: fc.constantFrom('dont_allow', 'allow_adult', 'allow_all'),
      safety: fc.constantFrom('low', 'auto', 'BLOCK_ONLY_HIGH', 'BLOCK_LOW_AND_ABOVE'),
      explainBlocks: fc.boolean(),
      fidelity: fc.constantFrom('low', 'high'),
      style: fc.constantFrom('vivid', 'natural'),
    },
  )
}

function imageDelivery(): Arbitrary<ImageDelivery> {
  return record<ImageDelivery>(
    {},
    { stream: fc.boolean(), partials: fc.integer({ min: 0, max: 5 }), form: fc.constant('url') },
  )
}

function referenceImage(world: World): Arbitrary<ReferenceImage> {
  return record<ReferenceImage>(
    { source: source(world, TYPES, false) },
    {
      id: fc.integer({ min: 1, max: 9 }),
      role: fc.constantFrom('style', 'subject', 'control', 'content'),
      extras: extras(world),
    },
  )
}

function imageMask(world: World): Arbitrary<ImageMask> {
  const given = record<ImageMask>(
    {},
    { source: never, id: fc.integer({ min: 1, max: 9 }), mode: never, extras: extras(world) },
  )
  const made = fc.constantFrom('MASK_MODE_BACKGROUND', 'MASK_MODE_FOREGROUND')
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.tuple(given, source(world, TYPES, false)).map(([mask, source]) => ({ ...mask, source })),
    },
    { weight: 1, arbitrary: fc.tuple(given, made).map(([mask, mode]) => ({ ...mask, mode })) },
  )
}

/** The images of a request, and sometimes blocked ones. */
export function imageAnswer(world: World): Arbitrary<ImageAnswer> {
  return fc
    .tuple(imageLook(), fc.array(drawnImage(world), { minLength: 1, maxLength: 3 }), rest(world))
    .map(([look, images, more]) => ({ ...look, images, ...more }))
}

function rest(world: World): Arbitrary<Pick<ImageAnswer, 'usage' | 'extras'>> {
  return record<Pick<ImageAnswer, 'usage' | 'extras'>>({}, { usage: usage(world), extras: extras(world) })
}

function imageLook(): Arbitrary<ImageLook> {
  return record<ImageLook>(
    {},
    {
      created: fc.integer({ min: 1, max: 2_000_000_000 }),
      size: fc.constantFrom(...SIZES),
      quality: fc.constantFrom('low', 'high', 'auto'),
      background: fc.constantFrom('transparent', 'opaque', 'auto'),
      format: fc.constantFrom(...TYPES),
    },
  )
}

function drawnImage(world: World): Arbitrary<DrawnImage> {
  const drawn = record<DrawnImage>({}, { source: never, prompt: writing(), blocked: never, extras: extras(world) })
  const blocked = record<DrawnImage>({}, { source: never, prompt: never, blocked: never, extras: extras(world) })
  return fc.oneof(
    { weight: 5, arbitrary: fc.tuple(drawn, drawnSource()).map(([image, source]) => ({ ...image, source })) },
    { weight: 1, arbitrary: fc.tuple(blocked, writing()).map(([image, why]) => ({ ...image, blocked: why })) },
  )
}

function drawnSource(): Arbitrary<Source> {
  const mime = fc.constantFrom(...TYPES)
  return fc.oneof<Arbitrary<Source>[]>(
    record<Extract<Source, { kind: 'base64' }>>({ kind: fc.constant('base64'), mime, data: base64() }, {}),
    record<Extract<Source, { kind: 'url' }>>({ kind: fc.constant('url'), url: url() }, { mime }),
  )
}

/** A stream: unfinished images before each finished one, with their own looks. */
export function imageStream(world: World): Arbitrary<readonly ImageEvent[]> {
  const partials = fc.array(fc.array(fc.tuple(drawnSource(), imageLook()), { maxLength: 3 }), { maxLength: 3 })
  return fc
    .tuple(imageAnswer(world), partials, fc.array(imageLook(), { maxLength: 3 }))
    .map(([answer, shown, looks]) => {
      let images = 0
      const last = answer.images.findLastIndex(({ source }) => source !== undefined)
      return imageEvents(answer).flatMap((event): ImageEvent[] => {
        if (event.type !== 'image') return [event]
        const index = images++
        const own = last >= 0 && index !== last ? { ...event, look: looks[index] ?? event.look } : event
        const before = (shown[index] ?? []).map(([source, look], at): ImageEvent => ({
          type: 'partial',
          index: at,
          source,
          look,
        }))
        return [...before, own]
      })
    })
}

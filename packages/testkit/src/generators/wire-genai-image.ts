import type { Json, JsonObject } from '@dragoman/core'
import { genai } from '@dragoman/core/schemas'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { schemaAt, wireObject, without } from './grammar.ts'
import { anyBase64, url, word, writing } from './json.ts'
import { loose } from './wire.ts'

const at = (...path: string[]) => schemaAt(genai.image, ...path)

const PASSTHROUGH = {
  imageSize: fc.constantFrom('auto', '1024x1024', '1536x1024'),
  quality: fc.constantFrom('low', 'medium', 'high', 'auto'),
  sampleImageSize: fc.constantFrom('1K', '2K', '2k'),
}

/** A request for images: every member of the grammar, with given images in both forms, and parameters in both places. */
export function genaiImageRequest(): Arbitrary<JsonObject> {
  const beside = wireObject(genai.image, { ...without('instances'), parameters: parameters(), ...PASSTHROUGH })
  return fc.tuple(beside, instance()).map(([request, one]) => ({ ...withoutRepeats(request), instances: [one] }))
}

/** A parameter in both places has one value. */
function withoutRepeats(request: JsonObject): JsonObject {
  const repeated = Object.entries((request['parameters'] ?? {}) as JsonObject).filter(([name]) => name in PASSTHROUGH) // generated as an object
  const present = repeated.filter(([name]) => request[name] !== undefined)
  return { ...request, ...Object.fromEntries(present) }
}

function parameters(): Arbitrary<JsonObject> {
  return wireObject(at('parameters'), {
    ...PASSTHROUGH,
    negativePrompt: writing(),
    aspectRatio: fc.constantFrom('1:1', '16:9', '9:16', '2.39:1'),
    personGeneration: fc.constantFrom('dont_allow', 'ALLOW_ADULT', 'allow_all'),
    safetySetting: fc.constantFrom('BLOCK_ONLY_HIGH', 'block_medium_and_above'),
    sampleCount: fc.integer({ min: 1, max: 8 }),
    outputOptions: wireObject(at('parameters', 'outputOptions'), {
      mimeType: fc.constantFrom('image/png', 'image/JPEG'),
    }),
  })
}

function instance(): Arbitrary<JsonObject> {
  return wireObject(at('instances'), { prompt: writing(), image: image(), referenceImages: fc.constant([]) }).chain(
    (one) => {
      if (one['referenceImages'] === undefined) return fc.constant(one)
      const { referenceImages: _filled, ...own } = one
      return references(one['image'] !== undefined).map((referenceImages) => ({ ...own, referenceImages }))
    },
  )
}

/** One or more with different ids, at most one of them a mask, which is not alone. */
function references(hasImage: boolean): Arbitrary<Json[]> {
  const others = fc.array(reference(), { minLength: hasImage ? 0 : 1, maxLength: 3 })
  return fc
    .tuple(
      others,
      fc.array(mask(), { minLength: hasImage ? 1 : 0, maxLength: 1 }),
      fc.nat({ max: 3 }),
      fc.uniqueArray(fc.nat(), { minLength: 4, maxLength: 4 }),
    )
    .map(([list, masks, position, ids]) =>
      list.toSpliced(position, 0, ...masks).map((each, index) => ({ ...each, referenceId: ids[index] ?? 0 })),
    )
}

const HOOKS = { ...without('referenceId', 'maskImageConfig'), referenceImage: image() }

function reference(): Arbitrary<JsonObject> {
  const types = ['RAW', 'STYLE', 'SUBJECT', 'CONTROL', 'CONTENT'].map((type) => `REFERENCE_TYPE_${type}`)
  const referenceType = fc.constantFrom(...types, 'x_REFERENCE_TYPE_NEW')
  const own = wireObject(at('instances', 'referenceImages'), { ...HOOKS, referenceType })
  return fc.tuple(own, image()).map(([one, referenceImage]) => ({ ...one, referenceImage }))
}

function mask(): Arbitrary<JsonObject> {
  const own = wireObject(at('instances', 'referenceImages'), {
    ...HOOKS,
    referenceType: fc.constant('REFERENCE_TYPE_MASK'),
  })
  const config = (maskMode: Arbitrary<Json>) =>
    loose({ maskMode }, { dilation: fc.constant(0.03), maskClasses: fc.constant([1, 2]) })
  const given = fc.tuple(own, image(), fc.option(config(fc.constant('MASK_MODE_USER_PROVIDED')), { nil: undefined }))
  const found = fc.tuple(own, config(fc.constantFrom('MASK_MODE_BACKGROUND', 'MASK_MODE_SEMANTIC')))
  return fc.oneof(
    given.map(([one, referenceImage, maskImageConfig]) => ({
      ...one,
      referenceImage,
      ...(maskImageConfig === undefined ? {} : { maskImageConfig }),
    })),
    found.map(([one, maskImageConfig]) => ({ ...one, maskImageConfig })),
  )
}

function image(): Arbitrary<JsonObject> {
  const mimeType = fc.constantFrom('image/png', 'image/jpeg')
  return fc.oneof(
    loose({ bytesBase64Encoded: anyBase64(), mimeType }),
    loose({ gcsUri: fc.oneof(url(), fc.constant('gs://bucket/image')) }, { mimeType }),
  )
}

/** An answer with images, blocked ones, and what some upstreams report about the prompt. */
export function genaiImageAnswer(): Arbitrary<JsonObject> {
  const more = { prompt: writing(), safetyAttributes: fc.constant<Json>({ categories: ['Violence'], scores: [0.1] }) }
  const mimeType = fc.constantFrom('image/png', 'image/jpeg')
  const prediction = fc.oneof(
    { weight: 3, arbitrary: loose({ bytesBase64Encoded: anyBase64(), mimeType }, more) },
    loose({ gcsUri: fc.oneof(url(), fc.constant('gs://bucket/image')) }, { mimeType, ...more }),
    loose({ raiFilteredReason: writing() }, more),
    loose({ contentType: fc.constant('Positive Prompt'), safetyAttributes: more.safetyAttributes }),
  )
  return loose({ predictions: fc.array(prediction, { maxLength: 3 }) }, { deployedModelId: word() })
}

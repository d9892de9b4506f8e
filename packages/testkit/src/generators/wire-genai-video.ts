import type { Json, JsonObject } from '@dragoman/core'
import { genai } from '@dragoman/core/schemas'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { schemaAt, wireObject, without } from './grammar.ts'
import { anyBase64, url, word, writing } from './json.ts'
import { maybe } from './record.ts'
import { loose } from './wire.ts'

const at = (...path: string[]) => schemaAt(genai.video, ...path)

/** A request for videos: every member of the grammar, with images in both forms. */
export function genaiVideoRequest(): Arbitrary<JsonObject> {
  const plain = wireObject(genai.video, { ...without('instances'), parameters: parameters() })
  return fc.tuple(plain, instance()).map(([request, one]) => ({ ...request, instances: [one] }))
}

function parameters(): Arbitrary<JsonObject> {
  return wireObject(at('parameters'), {
    aspectRatio: fc.constantFrom('16:9', '9:16', '1:1'),
    personGeneration: fc.constantFrom('dont_allow', 'allow_adult', 'ALLOW_ADULT'),
    negativePrompt: writing(),
  })
}

function instance(): Arbitrary<JsonObject> {
  const reference = wireObject(at('instances', 'referenceImages'), {
    image: image(),
    referenceType: fc.constantFrom('ASSET', 'style'),
  })
  const plain = wireObject(at('instances'), {
    prompt: writing(),
    image: image(),
    referenceImages: fc.array(reference, { minLength: 1, maxLength: 2 }),
    ...without('lastFrame'),
  })
  return fc
    .tuple(plain, maybe(image()), writing())
    .map(([one, lastFrame, prompt]) =>
      one['image'] === undefined ? { prompt, ...one } : lastFrame === undefined ? one : { ...one, lastFrame },
    )
}

function image(): Arbitrary<JsonObject> {
  const mimeType = fc.constantFrom('image/png', 'image/jpeg')
  return fc.oneof(
    loose({ bytesBase64Encoded: anyBase64(), mimeType }),
    loose({ gcsUri: fc.oneof(url(), fc.constant('gs://bucket/image')) }, { mimeType }),
  )
}

/** An operation of Vertex AI or of the Gemini API, in any of its states. */
export function genaiOperation(): Arbitrary<JsonObject> {
  const name = word().map((id) => `models/film/operations/${id}`)
  const metadata = fc.constant<Json>({ '@type': 'x', progress: 30 })
  const blocked = {
    raiMediaFilteredCount: fc.integer({ min: 1, max: 3 }),
    raiMediaFilteredReasons: fc.array(writing(), { minLength: 1, maxLength: 2 }),
  }
  const type = fc.constantFrom('video/mp4', 'video/webm')
  const video = fc.oneof(
    loose({ gcsUri: fc.oneof(url(), fc.constant('gs://bucket/film')) }, { mimeType: type }),
    loose({ bytesBase64Encoded: anyBase64() }, { mimeType: type }),
  )
  const sample = loose({ video: fc.record<{ [key: string]: Json }>({ encodedVideo: anyBase64(), encoding: type }) })
  const vertex = loose({ videos: fc.array(video, { maxLength: 3 }) }, {}).chain((response) => withBlocked(response))
  const own = loose({ generatedSamples: fc.array(sample, { maxLength: 3 }) })
    .chain((response) => withBlocked(response))
    .map((generateVideoResponse) => ({ generateVideoResponse }))
  return fc.oneof(
    loose({ name }, { done: fc.constant(false), metadata }),
    loose({ name, done: fc.constant(true), response: fc.oneof(vertex, own) }, { metadata }),
    loose({ name, done: fc.constant(true), error: status() }, { metadata }),
  )

  function withBlocked(response: JsonObject): Arbitrary<JsonObject> {
    return maybe(fc.record(blocked)).map((found) => ({ ...response, ...found }))
  }
}

function status(): Arbitrary<JsonObject> {
  return loose({ code: fc.integer({ min: 1, max: 17 }), message: writing() }, { details: fc.constant<Json>([]) })
}

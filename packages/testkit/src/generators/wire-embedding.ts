import type { Json, JsonObject } from '@dragoman/core'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { floats, taskType } from './embedding.ts'
import { count, unknownMembers, word, writing } from './json.ts'
import { maybe } from './record.ts'
import { loose, strict } from './wire.ts'

const dimensions = () => fc.integer({ min: 1, max: 3072 })
const tokens = () => fc.array(fc.nat({ max: 100_000 }), { minLength: 1, maxLength: 4 })
const few = <T>(one: Arbitrary<T>): Arbitrary<T[]> => fc.array(one, { minLength: 1, maxLength: 3 })
const nullable = (value: Arbitrary<Json>): Arbitrary<Json> =>
  fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) })

/** The body of `/embeddings`. */
export function chatEmbeddingRequest(): Arbitrary<JsonObject> {
  return loose(
    {
      model: word().map((name) => `some/${name}`),
      input: fc.oneof<Arbitrary<Json>[]>(writing(), few(writing()), tokens(), few(tokens())),
    },
    {
      dimensions: nullable(dimensions()),
      encoding_format: nullable(fc.constantFrom('float', 'base64')),
      user: nullable(word()),
      provider: fc.constant({ type: 'priority' }),
      model_routing_config: fc.constant({ task_info: { task_type: 'embedding' } }),
    },
  )
}

/** Base64 of float32 numbers, and numbers. */
export function chatEmbeddingAnswer(): Arbitrary<JsonObject> {
  const values = fc.oneof<Arbitrary<Json>[]>(floats(), fc.constantFrom('AACAPwAAAMA=', 'AAAAPw=='))
  const usage = fc
    .tuple(count(), maybe(unknownMembers(), 1))
    .map(([input, unknown]): JsonObject => ({ ...unknown, prompt_tokens: input, total_tokens: input }))
  return fc.array(loose({ object: fc.constant('embedding'), embedding: values }), { maxLength: 3 }).chain((data) =>
    loose({
      object: fc.constant('list'),
      model: word(),
      data: fc.constant(data.map((entry, index) => ({ ...entry, index }))),
      usage,
    }),
  )
}

const part = (): Arbitrary<JsonObject> =>
  fc.oneof(
    { weight: 5, arbitrary: strict({ text: writing() }) },
    {
      weight: 1,
      arbitrary: loose({ inlineData: loose({ mimeType: fc.constant('image/png'), data: fc.constant('aGVsbG8=') }) }),
    },
  )
const content = (): Arbitrary<JsonObject> => loose({ parts: few(part()) }, { role: fc.constantFrom('user', 'model') })
const options = { taskType: taskType(), title: writing(), outputDimensionality: dimensions() }

/** The body of `:embedContent`. Options are beside the content or in a member of their own. */
export function embedContentRequest(): Arbitrary<JsonObject> {
  const config = loose({}, { ...options, autoTruncate: fc.boolean(), documentOcr: fc.boolean() })
  return loose({ content: content() }, { model: word(), ...options, embedContentConfig: config })
}

/** The body of `:batchEmbedContents`. */
export function batchEmbedRequest(): Arbitrary<JsonObject> {
  const entry = loose({ content: content() }, { model: word(), ...options })
  return loose({ requests: few(entry) })
}

/** The body of `:predict` for texts. */
export function predictEmbedRequest(): Arbitrary<JsonObject> {
  const instance = loose({ content: writing() }, { task_type: taskType(), title: writing() })
  const parameters = loose({}, { outputDimensionality: dimensions(), autoTruncate: fc.boolean() })
  return loose({ instances: few(instance) }, { parameters })
}

const embedding = (): Arbitrary<JsonObject> => loose({ values: floats() })
const usageMetadata = (): Arbitrary<JsonObject> =>
  loose(
    { promptTokenCount: count() },
    { promptTokensDetails: count().map((tokenCount) => [{ modality: 'TEXT', tokenCount }]) },
  )

export function embedContentAnswer(): Arbitrary<JsonObject> {
  return loose({ embedding: embedding() }, { usageMetadata: usageMetadata(), truncated: fc.constant(true) })
}

export function batchEmbedAnswer(): Arbitrary<JsonObject> {
  return loose({ embeddings: fc.array(embedding(), { maxLength: 3 }) }, { usageMetadata: usageMetadata() })
}

/** All predictions count their tokens, or none does. */
export function predictEmbedAnswer(): Arbitrary<JsonObject> {
  const statistics = loose({ token_count: count(), truncated: fc.boolean() })
  const counted = few(loose({ embeddings: loose({ values: floats(), statistics }) }))
  const uncounted = few(loose({ embeddings: loose({ values: floats() }) }))
  return loose(
    { predictions: fc.oneof<Arbitrary<Json>[]>(counted, uncounted) },
    { metadata: fc.constant({ billableCharacterCount: 5 }) },
  )
}

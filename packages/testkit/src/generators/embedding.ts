import type {
  EmbeddingAnswer,
  EmbeddingInput,
  EmbeddingOptions,
  EmbeddingRequest,
  Embedding,
} from '@dragoman/core/media'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { count, extras, word, writing } from './json.ts'
import { media, plainText } from './part.ts'
import { maybe, never, record, withoutAbsent } from './record.ts'
import { usage } from './response.ts'
import type { World } from './world.ts'

/** What the inputs of a form can be. */
export interface EmbeddingKinds {
  /** The kinds of inputs that one request can mix. */
  readonly mixes: readonly (readonly EmbeddingInput['type'][])[]
  /** The most inputs of a request. */
  readonly most?: number
  /** Whether parts can be media. */
  readonly media: boolean
  /** The options that inputs can have on their own. */
  readonly own: readonly (keyof EmbeddingOptions)[]
}

export function embeddingRequest(world: World, kinds: EmbeddingKinds): Arbitrary<EmbeddingRequest> {
  const plain = fc
    .constantFrom(...kinds.mixes)
    .chain((types) => fc.array(input(world, types, kinds.media), { minLength: 1, maxLength: kinds.most ?? 4 }))
    .chain((inputs) =>
      record<Omit<EmbeddingRequest, keyof EmbeddingOptions>>(
        { model: word().map((name) => `some/${name}`), inputs: fc.constant(inputs) },
        { encoding: encoding(), truncate: fc.boolean(), user: word(), extras: extras(world) },
      ),
    )
  return plain.chain((request) =>
    fc
      .record({
        dimensions: options(request.inputs.length, fc.integer({ min: 1, max: 3072 }), kinds.own.includes('dimensions')),
        taskType: options(request.inputs.length, taskType(), kinds.own.includes('taskType')),
        title: options(request.inputs.length, writing(), kinds.own.includes('title')),
      })
      .map((chosen) => withOptions(request, chosen)),
  )
}

function input(world: World, types: readonly EmbeddingInput['type'][], withMedia: boolean): Arbitrary<EmbeddingInput> {
  const part = withMedia ? fc.oneof(text(world), media(world)) : text(world)
  const kinds: { readonly [Type in EmbeddingInput['type']]: Arbitrary<EmbeddingInput> } = {
    text: node(world, { type: fc.constant('text'), text: writing() }),
    tokens: node(world, {
      type: fc.constant('tokens'),
      tokens: fc.array(fc.nat({ max: 100_000 }), { minLength: 1, maxLength: 5 }),
    }),
    parts: node(world, { type: fc.constant('parts'), parts: fc.array(part, { minLength: 2, maxLength: 3 }) }),
  }
  return fc.oneof(...types.map((type) => kinds[type]))
}

/** Empty texts are not written. */
function text(world: World) {
  return plainText(world).filter((part) => part.text !== '')
}

function node(world: World, members: { readonly [member: string]: Arbitrary<unknown> }): Arbitrary<EmbeddingInput> {
  return fc.record({ ...members, extras: maybe(extras(world), 1) }).map((made) => withoutAbsent(made) as EmbeddingInput) // the members of one kind
}

/** Absent, one value for all inputs, or different values: then the request has none. */
function options<T>(
  inputs: number,
  value: Arbitrary<T>,
  own: boolean,
): Arbitrary<readonly (T | undefined)[] | T | undefined> {
  const shared = maybe(value)
  if (!own || inputs < 2) return shared
  const different = fc
    .array(maybe(value, 7), { minLength: inputs, maxLength: inputs })
    .filter((values) => new Set(values).size > 1)
  return fc.oneof({ weight: 3, arbitrary: shared }, { weight: 1, arbitrary: different })
}

function withOptions(
  request: Omit<EmbeddingRequest, keyof EmbeddingOptions>,
  chosen: { readonly [option: string]: unknown },
): EmbeddingRequest {
  const shared = Object.entries(chosen).filter(([, value]) => !Array.isArray(value) && value !== undefined)
  const own = Object.entries(chosen).filter(([, value]) => Array.isArray(value))
  const inputs = request.inputs.map((each, index) =>
    withoutAbsent({
      ...each,
      ...Object.fromEntries(own.map(([option, values]) => [option, (values as unknown[])[index]])),
    }),
  )
  return { ...request, ...Object.fromEntries(shared), inputs }
}

const encoding = () => fc.constantFrom('float' as const, 'base64' as const)

export function taskType(): Arbitrary<string> {
  return fc.constantFrom('RETRIEVAL_QUERY', 'RETRIEVAL_DOCUMENT', 'SEMANTIC_SIMILARITY', 'CLUSTERING', 'X_FUTURE')
}

/** Numbers that are float32, as all embeddings are. */
export function floats(): Arbitrary<readonly number[]> {
  const float = fc.float({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value))
  return fc.array(float, { minLength: 1, maxLength: 6 })
}

export function embeddingAnswer(world: World, embeddings: { readonly most: number }): Arbitrary<EmbeddingAnswer> {
  const embedding = record<Embedding>({ values: floats() }, { extras: extras(world) })
  const many = fc.array(embedding, { minLength: 1, maxLength: embeddings.most })
  return many
    .chain((list) =>
      record<EmbeddingAnswer>(
        { embeddings: fc.constant(list) },
        {
          model: word(),
          usage: usage(world),
          tokens: list.length < 2 ? never : fc.array(count(), { minLength: list.length, maxLength: list.length }),
          truncated: fc
            .subarray(
              list.map((_embedding, index) => index),
              { minLength: 1 },
            )
            .map((positions) => positions.toSorted((one, other) => one - other)),
          extras: extras(world),
        },
      ),
    )
    .map(consistent)
}

/** Usage has the sum of the tokens. */
function consistent(answer: EmbeddingAnswer): EmbeddingAnswer {
  const { tokens, usage: counted } = answer
  if (tokens === undefined) return answer
  const { cacheRead: _read, cacheWrite5m: _5m, cacheWrite1h: _1h, toolPrompt: _prompt, ...others } = counted ?? {}
  return { ...answer, usage: { ...others, input: tokens.reduce((sum, each) => sum + each, 0) } }
}

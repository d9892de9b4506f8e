import type { EmbeddingInput, EmbeddingRequest } from '../../ir/embedding.ts'
import { keep, known, restore, unknownOf } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import { camelKeys, namesOf } from '../../lib/grammar/camel.ts'
import { defined } from '../../lib/members.ts'
import { createReader } from '../../lib/grammar/reader.ts'
import { isEmpty, isObject, type JsonObject } from '../../lib/json.ts'
import { object, optional } from '../../lib/grammar/schema.ts'
import { checkBody } from '../read-body.ts'
import type { EncodeContext } from '../context.ts'
import { asText, joinTexts, optionOf, sharedOptions, unsupportedInput } from '../embedding-inputs.ts'
import type { MediaDecoding } from '../media.ts'
import { predictRequest, type PredictEmbeddingsRequest, type WireInstance } from './embedding-schema.ts'

/** The owner of extras in this form: the other forms of genai do not have its members. */
export const PREDICT = 'genai predict'

const READER = createReader(predictRequest)
const { instances, parameters } = predictRequest._zod.def.shape
const NAMES = namesOf(object({ parameters: optional(parameters) }))
const BODY = known(predictRequest)
const INSTANCE = known(instances._zod.def.element)

export function checkPredict(body: unknown): JsonObject {
  return checkBody(READER, isObject(body) ? camelKeys(body, NAMES) : body)
}

export function decodePredict(body: JsonObject, { path }: MediaDecoding): EmbeddingRequest {
  const { instances: given, parameters: options = {} } = body as PredictEmbeddingsRequest // checked
  const { shared, inputs } = sharedOptions(given.map(decodeInstance))
  const request = defined({
    model: path?.model ?? '',
    inputs,
    ...shared,
    dimensions: options.outputDimensionality,
    truncate: options.autoTruncate,
  })
  return keep(request, PREDICT, unknownOf(body, BODY))
}

function decodeInstance(wire: WireInstance): EmbeddingInput {
  const { content, task_type: taskType, title } = wire
  const options = defined({ taskType, title })
  return keep({ type: 'text', text: content, ...options }, PREDICT, unknownOf(wire, INSTANCE))
}

export function encodePredict(request: EmbeddingRequest, { losses }: EncodeContext): JsonObject {
  const written = request.inputs.map((input, index) => encodeInstance(request, input, index, losses))
  const options = defined({ outputDimensionality: request.dimensions, autoTruncate: request.truncate })
  const wire = { instances: written, ...(isEmpty(options) ? {} : { parameters: options }) }
  return restore(PREDICT, request, wire) as JsonObject // members of JSON
}

function encodeInstance(request: EmbeddingRequest, input: EmbeddingInput, index: number, losses: Losses): WireInstance {
  if (input.dimensions !== undefined)
    throw unsupportedInput(`inputs.${index}.dimensions`, 'predict has one length for all embeddings')
  const wire = defined({
    content: encodeText(input, index, losses),
    task_type: optionOf(request, input, 'taskType'),
    title: optionOf(request, input, 'title'),
  })
  return restore(PREDICT, input, wire)
}

function encodeText(input: EmbeddingInput, index: number, losses: Losses): string {
  if (input.type === 'text') return input.text
  if (input.type === 'tokens') throw unsupportedInput(`inputs.${index}`, 'genai takes no tokens as input')
  const text = joinTexts(input.parts, index, 'predict')
  losses.at('inputs', index).changed([], asText(input, text, PREDICT), 'predict has one text for each embedding')
  return text
}

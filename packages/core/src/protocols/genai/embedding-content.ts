import type { EmbeddingInput, EmbeddingRequest } from '../../ir/embedding.ts'
import { DragomanError } from '../../ir/error.ts'
import { keep, known, restore, unknownOf } from '../../ir/extras.ts'
import { reportForeign, reportForeignExtras } from '../../ir/foreign-extras.ts'
import type { Losses } from '../../ir/loss.ts'
import { pairCalls } from '../../ir/pairs.ts'
import { camelKeys, namesOf } from '../../lib/grammar/camel.ts'
import { defined } from '../../lib/members.ts'
import { createReader } from '../../lib/grammar/reader.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'
import { checkBody } from '../read-body.ts'
import type { EncodeContext } from '../context.ts'
import { asText, optionOf, sharedOptions, unsupportedInput } from '../embedding-inputs.ts'
import type { MediaDecoding } from '../media.ts'
import { decodeParts, encodePart, plainText } from './content.ts'
import {
  batchRequest,
  embedRequest,
  type BatchEmbedContentsRequest,
  type EmbedContentRequest,
} from './embedding-schema.ts'
import { NAME, type WirePart } from './schema.ts'

const EMBED = { reader: createReader(embedRequest), names: namesOf(embedRequest) }
const BATCH = { reader: createReader(batchRequest), names: namesOf(batchRequest), known: known(batchRequest) }
/** Unknown members stay with the input that has them. */
const ENTRY = known(embedRequest, {
  inside: {
    content: new Map([
      ['role', null],
      ['parts', null],
    ]),
    embedContentConfig: new Map(
      ['taskType', 'title', 'outputDimensionality', 'autoTruncate'].map((member) => [member, null]),
    ),
  },
})

export function checkEmbed(body: unknown): JsonObject {
  const checked = checkBody(EMBED.reader, isObject(body) ? camelKeys(body, EMBED.names) : body)
  checkText(checked as EmbedContentRequest, '') // checkBody has checked it
  return checked
}

export function checkBatch(body: unknown): JsonObject {
  const checked = checkBody(BATCH.reader, isObject(body) ? camelKeys(body, BATCH.names) : body)
  const { requests } = checked as BatchEmbedContentsRequest // checkBody has checked it
  const truncate = requests[0]?.embedContentConfig?.autoTruncate
  for (const [index, request] of requests.entries()) {
    checkText(request, `requests.${index}.`)
    if (request.embedContentConfig?.autoTruncate !== truncate)
      throw wrong(`requests.${index}.embedContentConfig.autoTruncate`, 'must be the same in all requests')
  }
  return checked
}

function checkText({ content: { parts } }: EmbedContentRequest, prefix: string): void {
  const [first] = parts
  if (parts.length === 1 && first !== undefined && (first.text === '' || Object.keys(first).length === 0))
    throw wrong(`${prefix}content.parts.0.text`, 'must not be empty')
}

function wrong(path: string, why: string): DragomanError {
  return new DragomanError('invalid-request', `${path}: ${why}.`, { param: path })
}

export function decodeEmbed(body: JsonObject, context: MediaDecoding): EmbeddingRequest {
  const wire = body as EmbedContentRequest // checked
  return decodeEntries([wire], modelOf(context, wire.model), context)
}

export function decodeBatch(body: JsonObject, context: MediaDecoding): EmbeddingRequest {
  const { requests } = body as BatchEmbedContentsRequest // checked
  const request = decodeEntries(requests, modelOf(context, requests[0]?.model), context)
  return keep({ ...request }, NAME, unknownOf(body, BATCH.known))
}

/** The path names the model. */
function modelOf({ path }: MediaDecoding, named = ''): string {
  return path?.model ?? named.replace(/^models\//, '')
}

function decodeEntries(
  entries: readonly EmbedContentRequest[],
  model: string,
  context: MediaDecoding,
): EmbeddingRequest {
  const { shared, inputs } = sharedOptions(entries.map((entry) => decodeEntry(entry, context)))
  return defined({ model, inputs, ...shared, truncate: entries[0]?.embedContentConfig?.autoTruncate })
}

function decodeEntry(wire: EmbedContentRequest, context: MediaDecoding): EmbeddingInput {
  const { content, embedContentConfig: config = {} } = wire
  const options = defined({
    dimensions: wire.outputDimensionality ?? config.outputDimensionality,
    taskType: wire.taskType ?? config.taskType,
    title: wire.title ?? config.title,
  })
  return keep({ ...decodeContent(content.parts, context), ...options }, NAME, unknownOf(wire, ENTRY))
}

/** Roles have no effect on embeddings. */
function decodeContent(parts: readonly WirePart[], context: MediaDecoding): EmbeddingInput {
  const [first] = parts
  const text = parts.length === 1 && first !== undefined ? plainText(first) : undefined
  return text === undefined ? { type: 'parts', parts: decodeParts(parts, context) } : { type: 'text', text }
}

/** Members of a batch are not written here. */
export function encodeEmbed(request: EmbeddingRequest, context: EncodeContext): JsonObject {
  const [input] = request.inputs
  if (input === undefined || request.inputs.length > 1)
    throw unsupportedInput('inputs', 'this upstream takes one input for each call')
  const own = request.extras?.[NAME]
  if (own !== undefined) reportForeignExtras({ [NAME]: own }, undefined, context.losses)
  return encodeEntry(request, input, 0, context) as JsonObject // members of JSON
}

export function encodeBatch(request: EmbeddingRequest, context: EncodeContext): JsonObject {
  const model = `models/${request.model}`
  const requests = request.inputs.map((input, index) => ({ model, ...encodeEntry(request, input, index, context) }))
  return restore(NAME, request, { requests }) as JsonObject // members of JSON
}

function encodeEntry(
  request: EmbeddingRequest,
  input: EmbeddingInput,
  index: number,
  context: EncodeContext,
): EmbedContentRequest {
  const { truncate } = request
  const wire = defined({
    content: { parts: encodeContent(input, index, context.losses, context) },
    taskType: optionOf(request, input, 'taskType'),
    title: optionOf(request, input, 'title'),
    outputDimensionality: optionOf(request, input, 'dimensions'),
    embedContentConfig: truncate === undefined ? undefined : { autoTruncate: truncate },
  })
  return restore(NAME, input, wire)
}

function encodeContent(input: EmbeddingInput, index: number, losses: Losses, context: EncodeContext): WirePart[] {
  switch (input.type) {
    case 'text':
      return [{ text: input.text }]
    case 'tokens':
      throw unsupportedInput(`inputs.${index}`, 'genai takes no tokens as input')
    case 'parts':
      return encodeParts(input, index, losses, context)
    default:
      return input satisfies never
  }
}

function encodeParts(
  input: Extract<EmbeddingInput, { type: 'parts' }>,
  index: number,
  losses: Losses,
  context: EncodeContext,
): WirePart[] {
  const scope = losses.at('inputs', index)
  const pairs = pairCalls([])
  const wires = input.parts.flatMap((part, position): WirePart[] => {
    const inside = scope.at('parts', position)
    const wire = encodePart(part, false, inside, context, pairs)
    reportForeign(part, NAME, inside)
    return wire === undefined ? [] : [wire]
  })
  const [first] = wires
  if (first === undefined) throw unsupportedInput(`inputs.${index}`, 'genai can embed no part of it')
  const text = wires.length === 1 ? plainText(first) : undefined
  if (text !== undefined) scope.changed([], asText(input, text, NAME), 'genai can embed only its text')
  return wires
}

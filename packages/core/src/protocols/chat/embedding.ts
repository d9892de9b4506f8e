import type { EmbeddingAnswer, EmbeddingInput, EmbeddingOptions, EmbeddingRequest } from '../../ir/embedding.ts'
import { keep, known, restore, unknownOf } from '../../ir/extras.ts'
import type { Losses, Path } from '../../ir/loss.ts'
import { defined } from '../../lib/members.ts'
import { createReader } from '../../lib/grammar/reader.ts'
import type { Json, JsonObject } from '../../lib/json.ts'
import { checkBody } from '../read-body.ts'
import type { EncodeContext } from '../context.ts'
import { joinTexts, reportForeignInputs, unsupportedInput } from '../embedding-inputs.ts'
import type { MediaCodec } from '../media.ts'
import { tablesOf, reportUnsupported } from '../member-tables.ts'
import { decodeEmbeddings, encodeEmbeddings, tapEmbeddings } from './embedding-answer.ts'
import { embeddingRequest, type ChatEmbeddingRequest } from './embedding-schema.ts'
import { NAME } from './schema.ts'

const REQUEST = createReader(embeddingRequest)

/** `POST /embeddings`. */
export const embedding: MediaCodec<EmbeddingRequest, EmbeddingAnswer> = {
  paths: { '/embeddings': 'embedding' },
  check: (body) => checkBody(REQUEST, body),
  namesModel: true,
  takes: () => ['tokens'],
  relays: () => true,
  decode: (body) => decodeRequest(body as ChatEmbeddingRequest), // checked
  encode: (request, context) => ({ operation: 'embedding', body: encodeRequest(request, context) }),
  locate,
  answer: { decode: decodeEmbeddings, encode: encodeEmbeddings },
  tap: tapEmbeddings,
}

/** Members for the gateway are not for upstreams. */
const KNOWN = known(embeddingRequest, { apart: ['provider', 'model_routing_config', 'usage'] })

function decodeRequest(wire: ChatEmbeddingRequest): EmbeddingRequest {
  const { model, input, dimensions, encoding_format: encoding, user } = wire
  const request = defined({ model, inputs: decodeInputs(input), dimensions, encoding, user })
  return keep(request, NAME, unknownOf(wire, KNOWN))
}

function decodeInputs(input: ChatEmbeddingRequest['input']): readonly EmbeddingInput[] {
  if (typeof input === 'string') return [{ type: 'text', text: input }]
  if (typeof input[0] === 'number') return [{ type: 'tokens', tokens: input as readonly number[] }] // all are of one kind
  return (input as readonly (string | readonly number[])[]).map((item) =>
    typeof item === 'string' ? { type: 'text', text: item } : { type: 'tokens', tokens: item },
  )
}

const table = tablesOf(NAME)
const MEMBERS = table<EmbeddingRequest>(NAME, ['model', 'inputs', 'dimensions', 'encoding', 'user', 'extras'])
const OF_INPUT = table<EmbeddingOptions>(NAME, ['dimensions'])

function encodeRequest(request: EmbeddingRequest, context: EncodeContext): JsonObject {
  const { losses } = context
  const { model, inputs, dimensions, encoding, user } = request
  reportUnsupported(request, MEMBERS, losses, context)
  const input = inputs.map((each, index) => encodeInput(each, index, losses, context))
  const kind = typeof input[0]
  const mixed = input.findIndex((item) => typeof item !== kind)
  if (mixed >= 0) throw unsupportedInput(`inputs.${mixed}`, 'chat takes either texts or tokens')
  reportForeignInputs(request, NAME, undefined, losses)
  const [only] = input
  const wire = defined({
    model,
    input: input.length === 1 && only !== undefined ? only : input,
    dimensions,
    encoding_format: encoding,
    user,
  })
  return restore(NAME, request, wire)
}

function encodeInput(input: EmbeddingInput, index: number, losses: Losses, context: EncodeContext): Json {
  if (input.dimensions !== undefined)
    throw unsupportedInput(`inputs.${index}.dimensions`, 'chat has one length for all embeddings')
  const { taskType, title } = input
  if (taskType !== undefined || title !== undefined)
    reportUnsupported(defined({ taskType, title }), OF_INPUT, losses.at('inputs', index), context)
  switch (input.type) {
    case 'text':
      return input.text
    case 'tokens':
      return input.tokens
    case 'parts':
      return encodeTexts(input, index, losses)
    default:
      return input satisfies never
  }
}

/** Several texts as one. */
function encodeTexts({ parts }: Extract<EmbeddingInput, { type: 'parts' }>, index: number, losses: Losses): string {
  const text = joinTexts(parts, index, NAME)
  losses.at('inputs', index).changed([], { type: 'text', text }, 'chat has one text for each embedding')
  return text
}

const MEMBER_OF: { readonly [member: string]: string } = { inputs: 'input', encoding: 'encoding_format' }

function locate(path: Path, body: JsonObject): Path {
  const [member = '', ...rest] = path
  if (member === 'extras') return rest.slice(1)
  const name = MEMBER_OF[member] ?? String(member)
  if (name !== 'input') return [name]
  const { input } = body
  const isList = Array.isArray(input) && typeof input[0] !== 'number'
  return isList && rest[0] !== undefined ? [name, rest[0]] : [name]
}

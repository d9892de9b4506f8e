import type { Json, JsonObject } from '@dragoman/core'
import { chat, genai } from '@dragoman/core/protocols'
import {
  acceptBatchEmbed,
  acceptChatEmbeddings,
  acceptChatEmbeddingAnswer,
  acceptEmbedContent,
  acceptGenaiEmbeddingAnswer,
  acceptPredictEmbed,
} from '../doubles/embedding.ts'
import {
  batchEmbedAnswer,
  batchEmbedRequest,
  chatEmbeddingAnswer,
  chatEmbeddingRequest,
  embedContentAnswer,
  embedContentRequest,
  predictEmbedAnswer,
  predictEmbedRequest,
} from '../generators/wire-embedding.ts'
import { MODEL, type EmbeddingForm } from '../laws/embedding.ts'

const GENAI_KINDS = { mixes: [['text', 'parts']], media: true, own: ['dimensions', 'taskType', 'title'] } as const

/** Every form in which a client asks for embeddings. */
export const EMBEDDING_FORMS: { readonly [name: string]: EmbeddingForm } = {
  '/embeddings': {
    protocol: chat,
    operation: 'embedding',
    kinds: { mixes: [['text', 'parts'], ['tokens']], media: false, own: ['taskType', 'title'] },
    most: 3,
    wires: { request: chatEmbeddingRequest(), answer: chatEmbeddingAnswer() },
    canon: { request: canonChat, answer: (wire) => wire },
    accepts: { request: acceptChatEmbeddings, answer: acceptChatEmbeddingAnswer },
  },
  ':embedContent': {
    protocol: genai,
    operation: 'embedding',
    dialect: { embedding: 'single' },
    kinds: { ...GENAI_KINDS, most: 1 },
    most: 1,
    wires: { request: embedContentRequest(), answer: embedContentAnswer() },
    canon: {
      request: (wire) => ({ operation: 'embedding', body: canonEntry(wire, undefined) }),
      answer: (wire) => wire,
    },
    accepts: { request: acceptGenai, answer: (body) => acceptGenaiEmbeddingAnswer(body, 'embedding') },
  },
  ':batchEmbedContents': {
    protocol: genai,
    operation: 'embedding-batch',
    kinds: GENAI_KINDS,
    most: 3,
    wires: { request: batchEmbedRequest(), answer: batchEmbedAnswer() },
    canon: { request: canonBatch, answer: (wire) => wire },
    accepts: { request: acceptGenai, answer: (body) => acceptGenaiEmbeddingAnswer(body, 'embedding-batch') },
  },
  ':predict': {
    protocol: genai,
    operation: 'predict',
    owner: 'genai predict',
    dialect: { embedding: 'predict' },
    kinds: { mixes: [['text', 'parts']], media: false, own: ['taskType', 'title'] },
    most: 3,
    wires: { request: predictEmbedRequest(), answer: predictEmbedAnswer() },
    canon: {
      request: (body) => ({ operation: 'predict', body: withoutEmpty(body, 'parameters') }),
      answer: (wire) => wire,
    },
    accepts: { request: acceptPredictEmbed, answer: (body) => acceptGenaiEmbeddingAnswer(body, 'predict') },
  },
}

function acceptGenai(body: JsonObject, operation: string): void {
  if (operation === 'embedding-batch') acceptBatchEmbed(body)
  else acceptEmbedContent(body)
}

/** A list of one input is that input. Members for the gateway are not for upstreams, and null is absent. */
function canonChat({ provider: _provider, model_routing_config: _config, ...wire }: JsonObject) {
  const input = wire['input'] as Json
  const [only] = Array.isArray(input) ? (input as readonly Json[]) : []
  const single = Array.isArray(input) && input.length === 1 && typeof only !== 'number' ? only : input
  const named = ['dimensions', 'encoding_format', 'user']
  const members = Object.entries(wire).filter(([member, value]) => value !== null || !named.includes(member))
  return { operation: 'embedding', body: { ...Object.fromEntries(members), input: single ?? null } }
}

function canonBatch({ requests, ...rest }: JsonObject) {
  const canon = (requests as readonly JsonObject[]).map((entry) => canonEntry(entry, `models/${MODEL}`))
  return { operation: 'embedding-batch', body: { ...rest, requests: canon } }
}

const OPTIONS = ['taskType', 'title', 'outputDimensionality']

/** Roles have no effect, the path names the model, and options have one place. */
function canonEntry(entry: JsonObject, model: string | undefined): JsonObject {
  const { model: _model, content, embedContentConfig = {}, ...rest } = entry
  const { role: _role, ...parts } = content as JsonObject
  const config = embedContentConfig as JsonObject
  const moved = Object.entries(config).filter(([member]) => OPTIONS.includes(member))
  const left = Object.entries(config).filter(([member]) => !OPTIONS.includes(member))
  return {
    ...(model === undefined ? {} : { model }),
    ...Object.fromEntries(moved),
    ...rest,
    content: parts,
    ...(left.length === 0 ? {} : { embedContentConfig: Object.fromEntries(left) }),
  }
}

function withoutEmpty(body: JsonObject, member: string): JsonObject {
  const { [member]: value, ...rest } = body
  return value === undefined || Object.keys(value as JsonObject).length > 0 ? body : rest
}

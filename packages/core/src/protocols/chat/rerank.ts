import { keep, known, restore, unknownOf } from '../../ir/extras.ts'
import { reportForeignExtras } from '../../ir/foreign-extras.ts'
import type { RerankAnswer, RerankRequest, RerankResult } from '../../ir/rerank.ts'
import { readCount, type Usage } from '../../ir/usage.ts'
import { createReader } from '../../lib/grammar/reader.ts'
import { isObject, optionalString, type Json, type JsonObject } from '../../lib/json.ts'
import { defined, type Draft } from '../../lib/members.ts'
import type { EncodeContext } from '../context.ts'
import { siteTable } from '../locate.ts'
import type { MediaCodec, MediaEncoding } from '../media.ts'
import { CLAMPED, reportUnsupported, tablesOf } from '../member-tables.ts'
import { checkBody, notAnAnswer } from '../read-body.ts'
import { createTap } from '../tap.ts'
import {
  rerankAnswer,
  rerankRequest,
  rerankResult,
  type ChatRerankAnswer,
  type ChatRerankRequest,
  type WireRerankResult,
} from './rerank-schema.ts'
import { NAME } from './schema.ts'

const REQUEST = createReader(rerankRequest)

/** `POST /rerank`. */
export const rerank: MediaCodec<RerankRequest, RerankAnswer> = {
  paths: { '/rerank': 'rerank' },
  check: (body) => checkBody(REQUEST, body),
  namesModel: true,
  relays: () => true,
  decode: (body) => decodeRequest(body as ChatRerankRequest), // checked
  encode: (request, context) => ({ operation: 'rerank', body: encodeRequest(request, context) }),
  sites: siteTable({ maxTokensPerDocument: 'max_tokens_per_doc' }),
  answer: { decode: decodeAnswer, encode: encodeAnswer },
  tap: (options) =>
    createTap(
      { model: {}, frame: () => undefined, whole: (body) => (decodeCounts(body) ? body : undefined), usage: countsOf },
      options,
    ),
}

/** Members for the gateway are not for upstreams. */
const KNOWN = known(rerankRequest, {
  apart: ['query', 'documents', 'provider', 'model_routing_config', 'usage'],
})

function decodeRequest(wire: ChatRerankRequest): RerankRequest {
  const { model, query, documents, top_n: topN, return_documents: returnDocuments } = wire
  const { rank_fields: rankFields, max_tokens_per_doc: maxTokensPerDocument } = wire
  const request = defined({ model, query, documents, topN, returnDocuments, rankFields, maxTokensPerDocument })
  return keep(request as RerankRequest, NAME, unknownOf(wire, KNOWN)) // objects of JSON
}

function encodeRequest(request: RerankRequest, { losses }: EncodeContext): JsonObject {
  const { model, query, documents, topN, returnDocuments, rankFields, maxTokensPerDocument } = request
  reportForeignExtras(request.extras, NAME, losses)
  const wire = defined({
    model,
    query,
    documents,
    top_n: topN,
    return_documents: returnDocuments,
    rank_fields: rankFields,
    max_tokens_per_doc: maxTokensPerDocument,
  })
  return restore(NAME, request, wire)
}

const ANSWER = known(rerankAnswer, { apart: ['results'] })
const RESULT = known(rerankResult, { apart: ['document'] })

function decodeAnswer(body: JsonObject): RerankAnswer {
  const { id, model, results } = body as Partial<ChatRerankAnswer> // read leniently
  if (!Array.isArray(results)) throw notAnAnswer()
  const answer = defined({
    id: optionalString(id),
    model: optionalString(model),
    results: results.map(decodeResult),
    usage: decodeCounts(body),
  })
  return keep(answer, NAME, unknownOf(body, ANSWER))
}

function decodeResult(entry: WireRerankResult): RerankResult {
  const { index, relevance_score: score, document } = isObject(entry) ? entry : {}
  if (typeof score !== 'number' || typeof index !== 'number' || !Number.isSafeInteger(index)) throw notAnAnswer()
  const result = defined({ index, score, document: document ?? undefined })
  return keep(result as RerankResult, NAME, unknownOf(entry, RESULT)) // an object of JSON
}

/** Cohere counts searches, the others tokens. Undefined if nothing is counted. */
function decodeCounts(body: JsonObject): Usage | undefined {
  const counts = countsOf(body)
  return counts.input === undefined && counts.searches === undefined ? undefined : counts
}

function countsOf(body: JsonObject): Usage {
  const usage: Draft<Usage> = {}
  const { prompt_tokens, total_tokens } = inside(body['usage'])
  const input = readCount(prompt_tokens ?? total_tokens, usage)
  const searches = readCount(inside(inside(body['meta'])['billed_units'])['search_units'], usage)
  return Object.assign(usage, defined({ input, searches }))
}

function inside(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

const table = tablesOf(NAME)
const MEMBERS = table<RerankAnswer>('a chat answer', ['id', 'model', 'results', 'usage', 'extras'])
const USAGE = table<Usage>('the usage of reranking', ['input', 'searches'], { clamped: CLAMPED })

function encodeAnswer(answer: RerankAnswer, context: MediaEncoding): JsonObject {
  const { losses, asked } = context
  const { usage, id = context.id(), model = asked?.model ?? '' } = answer
  reportUnsupported(answer, MEMBERS, losses, context)
  reportForeignExtras(answer.extras, NAME, losses)
  if (answer.model === undefined) losses.added(['model'], model, 'chat answers name their model')
  if (answer.id === undefined) losses.added(['id'], id, 'chat answers have an id')
  if (usage !== undefined) reportUnsupported(usage, USAGE, losses.at('usage'), context)
  const results = answer.results.map((result, index) => {
    if (result.extras !== undefined) reportForeignExtras(result.extras, NAME, losses, ['results', index])
    const { score, document } = result
    return restore(NAME, result, defined({ index: result.index, relevance_score: score, document }))
  })
  const kept = answer.extras?.[NAME]
  return restore(NAME, answer, { id, model, results, ...writtenCounts(usage, kept) })
}

/** An answer of one upstream call has its counts in its extras, in their own form. */
function writtenCounts({ input, searches }: Usage = {}, kept: JsonObject = {}): JsonObject {
  const { meta, usage } = kept
  return defined({
    meta: meta ?? (searches === undefined ? undefined : { billed_units: { search_units: searches } }),
    usage: usage ?? (input === undefined ? undefined : { prompt_tokens: input, total_tokens: input }),
  })
}

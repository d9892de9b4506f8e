import type { EmbeddingAnswer, Embedding } from '../../ir/embedding.ts'
import { keep, known, restore, unknownOf } from '../../ir/extras.ts'
import { reportForeignExtras } from '../../ir/foreign-extras.ts'
import type { Losses } from '../../ir/loss.ts'
import { countWithin, readCount, type Usage } from '../../ir/usage.ts'
import type { Draft } from '../../lib/members.ts'
import { isObject, listOf, objectOf, type JsonObject } from '../../lib/json.ts'
import { numbersOf } from '../embedding-inputs.ts'
import { notAnAnswer } from '../read-body.ts'
import type { MediaDecoding, MediaEncoding } from '../media.ts'
import type { Tap, TapOptions } from '../relay.ts'
import { createTap } from '../tap.ts'
import type { WireUsage } from './answer-schema.ts'
import {
  batchAnswer,
  embedAnswer,
  prediction,
  predictAnswer,
  contentEmbedding,
  type BatchEmbedContentsAnswer,
  type EmbedContentAnswer,
  type PredictEmbeddingsAnswer,
  type WirePrediction,
  type WireContentEmbedding,
} from './embedding-schema.ts'
import { PREDICT } from './embedding-predict.ts'
import { NAME } from './schema.ts'
import { decodeUsage, encodeUsage } from './usage.ts'

const EMBEDDING = known(contentEmbedding)
const EMBED = known(embedAnswer, { apart: ['embedding', 'usageMetadata'] })
const BATCH = known(batchAnswer, { apart: ['usageMetadata'] })
const PREDICTIONS = known(predictAnswer)
const PREDICTION = known(prediction)

export function decodeEmbeddings(body: JsonObject, { operation }: MediaDecoding): EmbeddingAnswer {
  if (operation === 'predict') return decodePredictions(body)
  const { embedding, embeddings, usageMetadata, truncated } = body as Partial<
    EmbedContentAnswer & BatchEmbedContentsAnswer
  > // read leniently
  const isBatch = operation === 'embedding-batch'
  const listed = isBatch ? embeddings : [embedding]
  if (!Array.isArray(listed)) throw notAnAnswer()
  const answer: Draft<EmbeddingAnswer> = { embeddings: listed.map(decodeEmbedding) }
  if (isObject(usageMetadata)) answer.usage = decodeUsage(usageMetadata)
  if (!isBatch && truncated === true) answer.truncated = [0]
  return keep(answer, NAME, unknownOf(body, isBatch ? BATCH : EMBED))
}

function decodeEmbedding(wire: WireContentEmbedding | undefined): Embedding {
  const values = objectOf(wire).values
  if (wire === undefined || !Array.isArray(values)) throw notAnAnswer()
  return keep({ values }, NAME, unknownOf(wire, EMBEDDING))
}

/** Tokens are counted for each prediction: usage has their sum. */
function decodePredictions(body: JsonObject): EmbeddingAnswer {
  const { predictions } = body as Partial<PredictEmbeddingsAnswer> // read leniently
  if (!Array.isArray(predictions)) throw notAnAnswer()
  const answer: Draft<EmbeddingAnswer> = { embeddings: predictions.map(decodePrediction) }
  const statistics = predictions.map(({ embeddings }) => objectOf(embeddings.statistics))
  const usage: Draft<Usage> = {}
  const tokens = statistics.flatMap(({ token_count: count }) => readCount(count, usage) ?? [])
  const truncated = statistics.flatMap((each, index) => (each.truncated === true ? [index] : []))
  if (tokens.length === predictions.length && tokens.length > 0) {
    usage.input = readCount(sumOf(tokens), usage) ?? 0
    answer.usage = usage
    if (tokens.length > 1) answer.tokens = tokens
  }
  if (truncated.length > 0) answer.truncated = truncated
  return keep(answer, PREDICT, unknownOf(body, PREDICTIONS))
}

function decodePrediction(wire: WirePrediction): Embedding {
  const values = isObject(wire) ? objectOf(wire.embeddings).values : undefined
  if (!Array.isArray(values)) throw notAnAnswer()
  return keep({ values }, PREDICT, unknownOf(wire, PREDICTION))
}

export function encodeEmbeddings(answer: EmbeddingAnswer, context: MediaEncoding): JsonObject {
  const { losses, operation } = context
  if (answer.model !== undefined) losses.dropped(['model'], 'genai answers name no model')
  const form = operation === 'predict' ? PREDICT : NAME
  reportForeignExtras(answer.extras, form, losses)
  for (const [index, { extras }] of answer.embeddings.entries())
    if (extras !== undefined) reportForeignExtras(extras, form, losses, ['embeddings', index])
  if (operation === 'predict') return encodePredictions(answer, losses)
  if (answer.tokens !== undefined) losses.dropped(['tokens'], 'genai counts the tokens of all inputs together')
  const embeddings = answer.embeddings.map((each) => restore(NAME, each, { values: numbersOf(each) }))
  const counted = answer.usage === undefined ? {} : { usageMetadata: encodeCounts(answer.usage, losses, context) }
  if (operation === 'embedding-batch') {
    if (answer.truncated !== undefined) losses.dropped(['truncated'], 'batches do not say which inputs were cut')
    return restore(NAME, answer, { embeddings, ...counted }) as JsonObject // members of JSON
  }
  const [embedding] = embeddings
  if (embedding === undefined || embeddings.length > 1) throw notAnAnswer()
  const cut = answer.truncated === undefined ? {} : { truncated: true }
  return restore(NAME, answer, { embedding, ...counted, ...cut }) as JsonObject // members of JSON
}

/** Embeddings have no output, and so no total. */
function encodeCounts(usage: Usage, losses: Losses, context: MediaEncoding): WireUsage {
  const inside = losses.at('usage')
  const { totalTokenCount: _total, ...counts } = encodeUsage(usage, inside, context)
  reportForeignExtras(usage.extras, NAME, inside)
  return counts
}

function encodePredictions(answer: EmbeddingAnswer, losses: Losses): JsonObject {
  const { embeddings, truncated = [] } = answer
  const counts = countsOf(answer, losses)
  const cut = new Set(truncated)
  const hasStatistics = counts !== undefined || cut.size > 0
  const predictions = embeddings.map((each, index) => {
    const count = counts?.[index]
    const counted = count === undefined ? {} : { token_count: count }
    const statistics = hasStatistics ? { statistics: { ...counted, truncated: cut.has(index) } } : {}
    return restore(PREDICT, each, { embeddings: { values: numbersOf(each), ...statistics } })
  })
  return restore(PREDICT, answer, { predictions })
}

/** The tokens of each prediction: there is no other place for them. */
function countsOf({ embeddings, tokens, usage }: EmbeddingAnswer, losses: Losses): readonly number[] | undefined {
  const counts = tokens ?? (embeddings.length === 1 && usage?.input !== undefined ? [usage.input] : undefined)
  if (usage === undefined) return counts
  const sum = counts && countWithin(sumOf(counts))
  const reason = 'predictions count only the tokens of each text'
  if (sum === undefined) losses.dropped(['usage'], reason)
  else {
    const { input, ...others } = usage
    if (input === undefined) losses.added(['usage', 'input'], sum, reason)
    else if (input !== sum) losses.changed(['usage', 'input'], sum, reason)
    for (const member of Object.keys(others)) losses.dropped(['usage', member], reason)
  }
  return counts
}

/** Reads the counts of a relayed answer, in all forms. */
export function tapEmbeddings(options: TapOptions): Tap {
  const whole = (body: JsonObject): unknown => (body['predictions'] === undefined ? body['usageMetadata'] : body)
  const usage = (counted: JsonObject): Usage =>
    counted['predictions'] === undefined ? decodeUsage(counted) : predictedUsage(counted)
  return createTap({ frame: () => undefined, whole, usage }, options)
}

/** What is counted, also if some predictions are not. */
function predictedUsage({ predictions }: Partial<PredictEmbeddingsAnswer>): Usage {
  const usage: Draft<Usage> = {}
  const counts = listOf(predictions).flatMap(
    (each) => readCount(objectOf(objectOf(objectOf(each).embeddings).statistics).token_count, usage) ?? [],
  )
  const input = counts.length === 0 ? undefined : readCount(sumOf(counts), usage)
  if (input !== undefined) usage.input = input
  return usage
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

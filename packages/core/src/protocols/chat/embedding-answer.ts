import type { EmbeddingAnswer, Embedding } from '../../ir/embedding.ts'
import { keep, known, restore, unknownOf } from '../../ir/extras.ts'
import { reportForeignExtras } from '../../ir/foreign-extras.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Usage } from '../../ir/usage.ts'
import type { Draft } from '../../lib/members.ts'
import { isObject, optionalString, type JsonObject } from '../../lib/json.ts'
import { base64Of, numbersOf } from '../embedding-inputs.ts'
import { notAnAnswer } from '../read-body.ts'
import type { MediaEncoding } from '../media.ts'
import { reportUnsupported, tablesOf } from '../member-tables.ts'
import type { Tap, TapOptions } from '../relay.ts'
import { createTap } from '../tap.ts'
import type { WireUsage } from './answer-schema.ts'
import { embeddingAnswer, embeddingEntry, type ChatEmbeddingAnswer, type WireEmbedding } from './embedding-schema.ts'
import { NAME } from './schema.ts'
import { decodeUsage, encodeUsage } from './usage.ts'

const ANSWER = known(embeddingAnswer, { apart: ['usage'] })
const ENTRY = known(embeddingEntry)

/** Embeddings are in the order of their indexes. */
export function decodeEmbeddings(body: JsonObject): EmbeddingAnswer {
  const { data, model, usage } = body as Partial<ChatEmbeddingAnswer> // read leniently
  if (!Array.isArray(data)) throw notAnAnswer()
  const answer: Draft<EmbeddingAnswer> = { embeddings: inOrder(data).map(decodeEmbedding) }
  const name = optionalString(model)
  if (name !== undefined) answer.model = name
  if (isObject(usage)) answer.usage = decodeUsage(usage)
  return keep(answer, NAME, unknownOf(body, ANSWER))
}

function inOrder(data: readonly WireEmbedding[]): readonly WireEmbedding[] {
  const isSorted = data.every((entry, position) => (entry?.index ?? position) === position)
  return isSorted ? data : data.toSorted((one, other) => (one?.index ?? 0) - (other?.index ?? 0))
}

function decodeEmbedding(entry: WireEmbedding): Embedding {
  const values = isObject(entry) ? entry.embedding : undefined
  if (typeof values !== 'string' && !Array.isArray(values)) throw notAnAnswer()
  return keep({ values }, NAME, unknownOf(entry, ENTRY))
}

const MEMBERS = tablesOf(NAME)<EmbeddingAnswer>('a chat answer', ['model', 'embeddings', 'usage', 'extras'])

/** Embeddings as the caller asked for them; by default as they are. */
export function encodeEmbeddings(answer: EmbeddingAnswer, context: MediaEncoding): JsonObject {
  const { losses, asked } = context
  reportUnsupported(answer, MEMBERS, losses, context)
  reportForeignExtras(answer.extras, NAME, losses)
  const data = answer.embeddings.map((embedding, index) => {
    if (embedding.extras !== undefined) reportForeignExtras(embedding.extras, NAME, losses, ['embeddings', index])
    return restore(NAME, embedding, { object: 'embedding', index, embedding: writtenAs(embedding, asked?.encoding) })
  })
  const model = answer.model ?? asked?.model
  if (answer.model === undefined) losses.added(['model'], model ?? '', 'chat answers name their model')
  const usage = encodeCounts(answer.usage, losses, context)
  return restore(NAME, answer, { object: 'list', data, model: model ?? '', usage }) as JsonObject // members of JSON
}

function writtenAs(embedding: Embedding, encoding: string | undefined): Embedding['values'] {
  if (encoding === undefined) return embedding.values
  return encoding === 'base64' ? base64Of(embedding) : numbersOf(embedding)
}

/** Embeddings cost nothing but their input. */
function encodeCounts(usage: Usage | undefined, losses: Losses, context: MediaEncoding): WireUsage {
  const reason = 'chat answers count their tokens'
  if (usage === undefined) losses.added(['usage'], { input: 0 }, reason)
  const inside = losses.at('usage')
  const { completion_tokens, ...counts } = encodeUsage({ output: 0, ...(usage ?? { input: 0 }) }, inside, context)
  if (usage !== undefined) reportForeignExtras(usage.extras, NAME, inside)
  return usage?.output === undefined ? counts : { ...counts, completion_tokens }
}

/** The members of a relayed answer are never streamed. */
export function tapEmbeddings(options: TapOptions): Tap {
  return createTap(
    { model: {}, frame: () => undefined, whole: (answer) => answer['usage'], usage: decodeUsage },
    options,
  )
}

import {
  filled,
  flag,
  kept,
  list,
  number,
  object,
  optional,
  positive,
  text,
  words,
  type Infer,
  type Unread,
} from '../../lib/grammar/schema.ts'
import { usage } from './answer-schema.ts'
import { part } from './schema.ts'

type TaskType =
  | 'TASK_TYPE_UNSPECIFIED'
  | 'RETRIEVAL_QUERY'
  | 'RETRIEVAL_DOCUMENT'
  | 'SEMANTIC_SIMILARITY'
  | 'CLASSIFICATION'
  | 'CLUSTERING'
  | 'QUESTION_ANSWERING'
  | 'FACT_VERIFICATION'
  | 'CODE_RETRIEVAL_QUERY'

const options = {
  taskType: optional(words<TaskType>()),
  title: optional(text),
  outputDimensionality: optional(positive),
}

/** The body of `:embedContent`, and one of the requests of `:batchEmbedContents`. Options may also be in a member of their own. */
export const embedRequest = object({
  model: optional(text),
  content: object({ role: optional(text), parts: filled(list(part)) }),
  ...options,
  embedContentConfig: optional(
    object({
      ...options,
      autoTruncate: optional(flag),
      documentOcr: kept,
      audioTrackExtraction: kept,
      ...({} as Unread<'mimeType'>),
    }),
  ),
})
export const batchRequest = object({ requests: filled(list(embedRequest)) })

/** The body of `:predict` for texts. Instances are data of the model, so their members have one spelling. */
const instance = object({ content: filled(text), task_type: optional(text), title: optional(text) })
const parameters = object({ outputDimensionality: optional(positive), autoTruncate: optional(flag) })
export const predictRequest = object({ instances: filled(list(instance)), parameters: optional(parameters) })

/** The known members of answers, which are read leniently. */
export const contentEmbedding = object({ values: list(number) })
export const embedAnswer = object({
  embedding: contentEmbedding,
  usageMetadata: optional(usage),
  truncated: optional(flag),
})
export const batchAnswer = object({ embeddings: list(contentEmbedding), usageMetadata: optional(usage) })
export const prediction = object({
  embeddings: object({
    values: list(number),
    statistics: optional(object({ token_count: optional(number), truncated: optional(flag) })),
  }),
})
export const predictAnswer = object({ predictions: list(prediction) })

/** The body of `:embedContent`. */
export type EmbedContentRequest = Infer<typeof embedRequest>
/** The body of `:batchEmbedContents`. */
export type BatchEmbedContentsRequest = Infer<typeof batchRequest>
/** The body of `:predict` for texts. */
export type PredictEmbeddingsRequest = Infer<typeof predictRequest>
export type WireInstance = Infer<typeof instance>
export type WireContentEmbedding = Infer<typeof contentEmbedding>
export type WirePrediction = Infer<typeof prediction>
export type EmbedContentAnswer = Infer<typeof embedAnswer>
export type BatchEmbedContentsAnswer = Infer<typeof batchAnswer>
export type PredictEmbeddingsAnswer = Infer<typeof predictAnswer>

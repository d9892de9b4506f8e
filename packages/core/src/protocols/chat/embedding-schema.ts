import {
  either,
  filled,
  list,
  maybe,
  number,
  object,
  only,
  positive,
  refine,
  text,
  textOr,
  whole,
  type Infer,
} from '../../lib/grammar/schema.ts'
import { usage } from './answer-schema.ts'
import { chatRequest } from './schema.ts'

const { model, provider, model_routing_config, usage: wantedUsage } = chatRequest._zod.def.shape

/** One text or the tokens of one text, or a list of either. */
const inputs = filled(list(either(filled(text), whole, filled(list(whole)))))
const input = either(filled(text), refine(inputs, isOfOneKind, 'must be all texts, all tokens, or all lists of tokens'))

function isOfOneKind(items: readonly unknown[]): boolean {
  const kind = typeof items[0]
  return items.every((item) => typeof item === kind)
}

export const embeddingRequest = object({
  model,
  input,
  dimensions: maybe(positive),
  encoding_format: maybe(only('float', 'base64')),
  user: maybe(text),
  provider,
  model_routing_config,
  usage: wantedUsage,
})

/** The known members of answers, which are read leniently. */
export const embeddingEntry = object({ object: maybe(text), index: maybe(number), embedding: textOr(list(number)) })
export const embeddingAnswer = object({
  object: maybe(text),
  model: maybe(text),
  data: list(embeddingEntry),
  usage: maybe(usage),
})

/** The body of `POST /embeddings`. */
export type ChatEmbeddingRequest = Infer<typeof embeddingRequest>
/** The answer to `POST /embeddings`. */
export type ChatEmbeddingAnswer = Infer<typeof embeddingAnswer>
export type WireEmbedding = Infer<typeof embeddingEntry>

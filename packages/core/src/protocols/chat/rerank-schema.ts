import {
  either,
  filled,
  flag,
  json,
  list,
  maybe,
  number,
  object,
  positive,
  text,
  textOr,
  type Infer,
} from '../../lib/grammar/schema.ts'
import { chatRequest } from './schema.ts'

const { model, provider, model_routing_config, usage } = chatRequest._zod.def.shape

/** The form that Cohere, Jina and vLLM share. */
export const rerankRequest = object({
  model,
  query: either(filled(text), json),
  documents: filled(list(textOr(json))),
  top_n: maybe(positive),
  return_documents: maybe(flag),
  rank_fields: maybe(list(text)),
  max_tokens_per_doc: maybe(positive),
  provider,
  model_routing_config,
  usage,
})

/** The known members of answers, which are read leniently. What they count is kept as it is: vendors count in different ways. */
export const rerankResult = object({ index: number, relevance_score: number, document: maybe(textOr(json)) })
export const rerankAnswer = object({ id: maybe(text), model: maybe(text), results: list(rerankResult) })

/** The body of `POST /rerank`. */
export type ChatRerankRequest = Infer<typeof rerankRequest>
/** The answer to `POST /rerank`. */
export type ChatRerankAnswer = Infer<typeof rerankAnswer>
export type WireRerankResult = Infer<typeof rerankResult>

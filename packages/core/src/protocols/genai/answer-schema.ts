import {
  json,
  list,
  number,
  object,
  optional,
  text,
  words,
  type Infer,
  type Unread,
  type UnreadWords,
} from '../../lib/grammar/schema.ts'
import { part } from './schema.ts'

/** The known members of responses. Responses are read leniently: any member can be absent or different. */

const citation = object({
  startIndex: optional(number),
  endIndex: optional(number),
  uri: optional(text),
  title: optional(text),
  license: optional(text),
  publicationDate: optional(json),
})

export const logprob = object({ token: text, logProbability: number, ...({} as Unread<'tokenId'>) })
const logprobsResult = object({
  chosenCandidates: optional(list(logprob)),
  topCandidates: optional(list(object({ candidates: optional(list(logprob)) }))),
  ...({} as Unread<'logProbabilitySum'>),
})

const safetyRatings = optional(list(json))
export const answerContent = object({ role: optional(text), parts: optional(list(part)) })
/** Why a candidate ends. */
export type FinishWord =
  | 'FINISH_REASON_UNSPECIFIED'
  | 'STOP'
  | 'MAX_TOKENS'
  | 'SAFETY'
  | 'RECITATION'
  | 'LANGUAGE'
  | 'OTHER'
  | 'BLOCKLIST'
  | 'PROHIBITED_CONTENT'
  | 'SPII'
  | 'MALFORMED_FUNCTION_CALL'
  | 'UNEXPECTED_TOOL_CALL'
  | 'TOO_MANY_TOOL_CALLS'
  | 'IMAGE_SAFETY'
  | 'IMAGE_PROHIBITED_CONTENT'
  | 'IMAGE_RECITATION'
  | 'IMAGE_OTHER'
  | 'NO_IMAGE'
  | 'CONTINUATION'
export const candidate = object({
  content: optional(answerContent),
  finishReason: optional(words<FinishWord>()),
  finishMessage: optional(text),
  safetyRatings,
  citationMetadata: optional(object({ citations: optional(list(citation)) })),
  groundingMetadata: optional(json),
  avgLogprobs: optional(number),
  logprobsResult: optional(logprobsResult),
  index: optional(number),
  ...({} as Unread<'tokenCount' | 'urlContextMetadata' | 'continuationToken'>),
})

type BlockWord =
  | 'BLOCKED_REASON_UNSPECIFIED'
  | 'SAFETY'
  | 'OTHER'
  | 'BLOCKLIST'
  | 'PROHIBITED_CONTENT'
  | 'IMAGE_SAFETY'
  | 'MODEL_ARMOR'
  | 'JAILBREAK'
/** The members of `groundingMetadata` that citations are made from; it is kept as a whole. */
const grounding = object({
  groundingChunks: optional(list(json)),
  groundingSupports: optional(
    list(
      object({
        segment: optional(
          object({
            partIndex: optional(number),
            startIndex: optional(number),
            endIndex: optional(number),
            text: optional(text),
          }),
        ),
        groundingChunkIndices: optional(list(number)),
      }),
    ),
  ),
})

/** Why there is no answer. */
const promptFeedback = object({
  blockReason: optional(words<BlockWord>()),
  blockReasonMessage: optional(text),
  safetyRatings,
})

type Modality = 'MODALITY_UNSPECIFIED' | 'TEXT' | 'IMAGE' | 'VIDEO' | 'AUDIO' | 'DOCUMENT'
const counts = optional(list(object({ modality: optional(words<Modality>()), tokenCount: optional(number) })))
type Traffic =
  | 'TRAFFIC_TYPE_UNSPECIFIED'
  | 'ON_DEMAND'
  | `ON_DEMAND_${'PRIORITY' | 'FLEX' | 'OFFPEAK'}`
  | 'PROVISIONED_THROUGHPUT'
export const usage = object({
  promptTokenCount: optional(number),
  candidatesTokenCount: optional(number),
  totalTokenCount: optional(number),
  cachedContentTokenCount: optional(number),
  thoughtsTokenCount: optional(number),
  toolUsePromptTokenCount: optional(number),
  promptTokensDetails: counts,
  candidatesTokensDetails: counts,
  cacheTokensDetails: counts,
  ...({} as Unread<'toolUsePromptTokensDetails' | 'initialPromptTokenCount'>),
  ...({} as UnreadWords<'trafficType', Traffic>),
})

/** The answer to `:generateContent`, and one chunk of the answer to `:streamGenerateContent`. */
export const genaiResponse = object({
  candidates: optional(list(candidate)),
  promptFeedback: optional(promptFeedback),
  usageMetadata: optional(usage),
  modelVersion: optional(text),
  createTime: optional(text),
  responseId: optional(text),
  ...({} as Unread<'modelStatus'>),
})

/** The answer to `:generateContent`, and one chunk of a streamed answer. */
export type GenaiResponse = Infer<typeof genaiResponse>
export type WireCandidate = Infer<typeof candidate>
export type WireFeedback = Infer<typeof promptFeedback>
export type WireGrounding = Infer<typeof grounding>
export type WireCitation = Infer<typeof citation>
export type WireLogprobs = Infer<typeof logprobsResult>
export type WireLogprob = Infer<typeof logprob>
export type WireUsage = Infer<typeof usage>
export type WireCount = NonNullable<WireUsage['promptTokensDetails']>[number]

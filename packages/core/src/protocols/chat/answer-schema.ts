import {
  kept,
  list,
  maybe,
  number,
  object,
  optional,
  text,
  textOr,
  words,
  type Infer,
  type Unread,
} from '../../lib/grammar/schema.ts'
import { assistantMembers, contentPart, imagePart, reasoningDetail } from './schema.ts'

/** The known members of responses. Responses are read leniently: any member can be absent or different. */

export const annotation = object({
  type: optional(words<'url_citation'>()),
  url_citation: optional(
    object({ url: optional(text), title: optional(text), start_index: optional(number), end_index: optional(number) }),
  ),
})

/** Audio that a model answered with. In a stream every member is optional: data and transcript come in pieces. */
export const answerAudio = object({
  id: optional(text),
  data: optional(text),
  expires_at: optional(number),
  transcript: optional(text),
})

const token = { token: text, logprob: number, bytes: maybe(list(number)) }
export const logprob = object({ ...token, top_logprobs: optional(list(object(token))) })
const logprobs = maybe(object({ content: maybe(list(logprob)), refusal: maybe(list(logprob)) }))

export const usage = object({
  prompt_tokens: maybe(number),
  completion_tokens: maybe(number),
  total_tokens: maybe(number),
  prompt_tokens_details: maybe(
    object({
      cached_tokens: maybe(number),
      cache_write_tokens: maybe(number),
      ...({} as Unread<'text_tokens' | 'audio_tokens' | 'image_tokens'>),
    }),
  ),
  completion_tokens_details: maybe(
    object({
      reasoning_tokens: maybe(number),
      ...({} as Unread<'text_tokens' | 'audio_tokens' | 'accepted_prediction_tokens' | 'rejected_prediction_tokens'>),
    }),
  ),
  /** OpenRouter counts the searches of upstreams. */
  server_tool_use: maybe(object({ web_search_requests: maybe(number) })),
})

/** Sources that some upstreams send beside the choices: URLs, and details about them. */
const sourceMembers = {
  citations: maybe(list(text)),
  search_results: maybe(list(object({ url: optional(text), title: optional(text) }))),
}
export const sources = object(sourceMembers)

const head = {
  id: optional(text),
  object: optional(words<'chat.completion' | 'chat.completion.chunk'>()),
  created: optional(number),
  model: optional(text),
  usage: maybe(usage),
  error: kept,
  service_tier: maybe(words<'auto' | 'default' | 'flex' | 'scale' | 'priority' | 'fast'>()),
  ...({} as Unread<'system_fingerprint' | 'moderation' | 'metadata' | 'obfuscation'>),
  ...sourceMembers,
}
/** Why a choice ends. */
export type FinishWord = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call'
const role = optional(words<'developer' | 'system' | 'user' | 'assistant' | 'tool'>())
const choiceMembers = {
  index: optional(number),
  finish_reason: maybe(words<FinishWord>()),
  logprobs,
  usage: maybe(usage),
}

/** An assistant message with the members that only responses have. */
export const answerMessage = object({
  role,
  ...assistantMembers,
  annotations: maybe(list(annotation)),
  /** What a model has drawn. */
  images: maybe(list(imagePart)),
  /** The audio of its answer. */
  audio: maybe(answerAudio),
})
export const choice = object({ ...choiceMembers, message: optional(answerMessage) })

/** The response to `POST /chat/completions`. */
export const chatResponse = object({ ...head, choices: optional(list(choice)) })

export const callDelta = object({
  index: optional(number),
  id: maybe(text),
  type: optional(words<'function' | 'custom'>()),
  function: optional(object({ name: optional(text), arguments: maybe(text) })),
  custom: optional(object({ name: optional(text), input: maybe(text) })),
})
export const delta = object({
  role,
  content: maybe(textOr(list(contentPart))),
  refusal: maybe(text),
  reasoning: maybe(text),
  reasoning_content: maybe(text),
  reasoning_details: maybe(list(reasoningDetail)),
  provider_specific_fields: maybe(object({ reasoning_details: maybe(list(reasoningDetail)) })),
  images: maybe(list(imagePart)),
  audio: maybe(answerAudio),
  annotations: maybe(list(annotation)),
  tool_calls: maybe(list(callDelta)),
  ...({} as Unread<'function_call'>),
})
/** Some upstreams repeat the whole message beside each delta. */
export const chunkChoice = object({ ...choiceMembers, delta: optional(delta), message: optional(answerMessage) })

/** One chunk of a streamed answer. */
export const chatChunk = object({ ...head, choices: optional(list(chunkChoice)) })

/** The response to `POST /chat/completions`. */
export type ChatResponse = Infer<typeof chatResponse>
export type WireSources = Infer<typeof sources>
export type WireChoice = Infer<typeof choice>
export type WireAnswerMessage = Infer<typeof answerMessage>
export type WireAudio = Infer<typeof answerAudio>
export type WireAnnotation = Infer<typeof annotation>
export type WireLogprob = Infer<typeof logprob>
export type WireUsage = Infer<typeof usage>
/** One chunk of a streamed answer. */
export type WireChunk = Infer<typeof chatChunk>
export type WireChunkChoice = Infer<typeof chunkChoice>
export type WireCallDelta = Infer<typeof callDelta>

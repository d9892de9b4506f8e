import {
  byOpenTag,
  json,
  kept,
  list,
  maybe,
  number,
  object,
  only,
  optional,
  text,
  words,
  type Infer,
  type Schema,
  type Unread,
  type UnreadWords,
} from '../../lib/grammar/schema.ts'
import { item, type Tier } from './schema.ts'

/** The known members of responses. Responses are read leniently: any member can be absent or different. */

export const usage = object({
  input_tokens: optional(number),
  input_tokens_details: maybe(
    object({
      cached_tokens: optional(number),
      cache_write_tokens: maybe(number),
      ...({} as Unread<'cache_write_tokens_details'>),
    }),
  ),
  output_tokens: optional(number),
  output_tokens_details: maybe(object({ reasoning_tokens: optional(number) })),
  total_tokens: optional(number),
})

type Status = 'completed' | 'incomplete' | 'failed' | 'in_progress' | 'queued' | 'cancelled'

/** Why a response failed. */
type FailureCode =
  | 'server_error'
  | 'rate_limit_exceeded'
  | 'invalid_prompt'
  | 'data_residency_mismatch'
  | 'bio_policy'
  | 'misalignment_policy_violation'
  | 'vector_store_timeout'
  | 'invalid_image'
  | 'invalid_image_format'
  | 'invalid_base64_image'
  | 'invalid_image_url'
  | 'invalid_image_mode'
  | 'image_too_large'
  | 'image_too_small'
  | 'image_parse_error'
  | 'image_content_policy_violation'
  | 'image_file_too_large'
  | 'image_file_not_found'
  | 'unsupported_image_media_type'
  | 'empty_image_file'
  | 'failed_to_download_image'
export interface Failure {
  readonly [member: string]: unknown
  readonly code?: FailureCode | (string & {})
  readonly message?: string
  readonly param?: unknown
  readonly type?: unknown
  readonly misalignment?: unknown
}

/** Members that repeat the request. */
type Echoed =
  | 'background'
  | 'conversation'
  | 'image'
  | 'instructions'
  | 'max_output_tokens'
  | 'max_tool_calls'
  | 'metadata'
  | 'parallel_tool_calls'
  | 'previous_response_id'
  | 'prompt'
  | 'prompt_cache_key'
  | 'prompt_cache_options'
  | 'prompt_cache_retention'
  | 'reasoning'
  | 'safety_identifier'
  | 'temperature'
  | 'text'
  | 'tool_choice'
  | 'tools'
  | 'top_logprobs'
  | 'top_p'
  | 'truncation'
  | 'user'

/** The response to `POST /responses`. */
export const responsesResponse = object({
  id: optional(text),
  object: optional(words<'response'>()),
  created_at: optional(number),
  status: optional(words<Status>()),
  model: optional(text),
  output: optional(list(item)),
  error: maybe(json as Schema<Failure>), // only its type is more than JSON
  incomplete_details: maybe(
    object({ reason: optional(words<'max_output_tokens' | 'content_filter' | 'max_messages' | 'steered'>()) }),
  ),
  usage: maybe(usage),
  ...({} as Unread<'completed_at' | 'moderation' | 'prompt_cache_diagnostics' | 'tool_usage' | 'access_programs'>),
  ...({} as Unread<Echoed>),
  ...({} as UnreadWords<'service_tier', Tier>),
})

/** In every event: its number, and which agent it is of. */
type Framed = Unread<'sequence_number' | 'agent'>
const address = {
  ...({} as Framed),
  item_id: optional(text),
  output_index: optional(number),
  content_index: optional(number),
  summary_index: optional(number),
}
type Delta =
  | 'response.output_text.delta'
  | 'response.refusal.delta'
  | 'response.reasoning_text.delta'
  | 'response.reasoning_summary_text.delta'
  | 'response.function_call_arguments.delta'
  | 'response.custom_tool_call_input.delta'

/** One event of a streamed answer. */
export const responsesEvent = byOpenTag(
  'type',
  object({
    type: only('response.created', 'response.in_progress', 'response.queued'),
    response: optional(responsesResponse),
    ...({} as Framed),
  }),
  object({ type: only('response.output_item.added', 'response.output_item.done'), item: optional(item), ...address }),
  object({
    type: only<Delta>(
      'response.output_text.delta',
      'response.refusal.delta',
      'response.reasoning_text.delta',
      'response.reasoning_summary_text.delta',
      'response.function_call_arguments.delta',
      'response.custom_tool_call_input.delta',
    ),
    delta: optional(text),
    ...address,
    ...({} as Unread<'logprobs' | 'obfuscation'>),
  }),
  object({
    type: only('response.content_part.added', 'response.content_part.done', 'response.reasoning_summary_part.added'),
    part: optional(json),
    ...address,
  }),
  object({
    type: only('response.completed', 'response.incomplete', 'response.failed', 'response.cancelled'),
    response: optional(responsesResponse),
    ...({} as Framed),
  }),
  object({ type: only('error'), error: kept, message: kept, code: kept, param: kept, ...({} as Framed) }),
)

/** The response to `POST /responses`. */
export type ResponsesResponse = Infer<typeof responsesResponse>
/** One event of a streamed answer. */
export type ResponsesEvent = Infer<typeof responsesEvent>
export type WireUsage = Infer<typeof usage>

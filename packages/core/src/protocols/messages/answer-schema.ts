import {
  byOpenTag,
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
  type Unread,
  type UnreadWords,
} from '../../lib/grammar/schema.ts'
import { citation, contentBlock } from './schema.ts'

/** The known members of responses. Responses are read leniently: any member can be absent or different. */

export const usage = object({
  input_tokens: maybe(number),
  output_tokens: maybe(number),
  cache_creation_input_tokens: maybe(number),
  cache_read_input_tokens: maybe(number),
  cache_creation: maybe(
    object({ ephemeral_5m_input_tokens: optional(number), ephemeral_1h_input_tokens: optional(number) }),
  ),
  output_tokens_details: maybe(object({ thinking_tokens: optional(number) })),
  server_tool_use: maybe(object({ web_search_requests: optional(number), web_fetch_requests: optional(number) })),
  service_tier: maybe(words<'standard' | 'priority' | 'batch'>()),
  ...({} as Unread<'inference_geo' | 'iterations' | 'fallback_credit'>),
  ...({} as UnreadWords<'speed', 'standard' | 'fast'>),
})
/** Why a response ends. */
export type StopWord =
  | 'end_turn'
  | 'max_tokens'
  | 'stop_sequence'
  | 'tool_use'
  | 'pause_turn'
  | 'refusal'
  | 'model_context_window_exceeded'
  | 'compaction'
const stop = {
  stop_reason: maybe(words<StopWord>()),
  stop_sequence: maybe(text),
  ...({} as Unread<'container' | 'stop_details'>),
}

/** The response to `POST /v1/messages`. */
export const messagesResponse = object({
  id: optional(text),
  type: optional(words<'message'>()),
  role: optional(words<'assistant'>()),
  model: optional(text),
  content: optional(list(contentBlock)),
  ...stop,
  usage: optional(usage),
  ...({} as Unread<'diagnostics' | 'context_management' | 'input_transformations'>),
})

const blockDelta = byOpenTag(
  'type',
  object({ type: only('text_delta'), text: optional(text) }),
  object({ type: only('input_json_delta'), partial_json: optional(text) }),
  object({ type: only('thinking_delta'), thinking: optional(text), ...({} as Unread<'estimated_tokens'>) }),
  object({ type: only('signature_delta'), signature: optional(text) }),
  object({ type: only('citations_delta'), citation: optional(citation) }),
)
/** The end of a response. Its usage is beside the delta, or in it. */
export const stopDelta = object({ ...stop, usage: optional(usage) })
export const messageDelta = object({
  type: only('message_delta'),
  delta: optional(stopDelta),
  usage: optional(usage),
  ...({} as Unread<'context_management' | 'input_transformations'>),
})

/** One event of a streamed answer. */
export const messagesEvent = byOpenTag(
  'type',
  object({ type: only('message_start'), message: optional(messagesResponse) }),
  object({ type: only('content_block_start'), index: optional(number), content_block: optional(contentBlock) }),
  object({ type: only('content_block_delta'), index: optional(number), delta: optional(blockDelta) }),
  object({ type: only('content_block_stop'), index: optional(number) }),
  messageDelta,
  object({ type: only('message_stop') }),
  object({ type: only('ping') }),
  object({ type: only('error'), error: kept }),
)

/** The response to `POST /v1/messages`. */
export type MessagesResponse = Infer<typeof messagesResponse>
/** One event of a streamed answer. */
export type MessagesEvent = Infer<typeof messagesEvent>
export type EventOf<Type extends MessagesEvent['type']> = Extract<MessagesEvent, { type: Type }>
export type WireBlockDelta = Infer<typeof blockDelta>
export type WireStop = Infer<typeof stopDelta>
export type WireUsage = Infer<typeof usage>

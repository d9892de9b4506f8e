import { createWords } from '../../lib/grammar/members.ts'
import { isEmpty, isObject, type JsonObject } from '../../lib/json.ts'
import { createNameMap } from '../../lib/names.ts'
import { DragomanError } from '../../ir/error.ts'
import { createReader } from '../../lib/grammar/reader.ts'
import { exactly, withoutNeutral, type Neutral } from '../../lib/members.ts'
import { readAnswer, readRequest, checkBody } from '../read-body.ts'
import type { Codec } from '../protocol.ts'
import { decodeStream } from './decode-stream.ts'
import { encodeStream } from './encode-stream.ts'
import { decodeError, encodeError } from './error.ts'
import { sites } from './locate.ts'
import { decodeRequest, encodeRequest } from './request.ts'
import { decodeResponse, encodeResponse } from './response.ts'
import type { MessagesResponse } from './answer-schema.ts'
import { ISSUER, NAME, messagesRequest, type MessagesRequest } from './schema.ts'
import { answerTerms } from './usage.ts'

/** Members that the grammar of requests has only as types. */
const UNREAD =
  'allowed_callers block_binding cache_control caller clear_at compaction defer_loading diagnostics eager_input_streaming fallback_credit_token fallbacks input_examples output_config output_format speed task_budget toolset_name transformations'

/** The messages protocol: `/v1/messages`. */
export const messages: Codec<MessagesRequest, MessagesResponse> = {
  name: NAME,
  issuer: ISSUER,
  request: {
    check: (body) => checkRequest(body) as JsonObject & MessagesRequest, // it has passed
    decode: (body, context) => readRequest(body, checkRequest, () => decodeRequest(body as MessagesRequest, context)), // checked at the edge
    encode: (request, context) => encodeRequest(request, context) as JsonObject & MessagesRequest, // JSON by construction
    sites,
    names: (used) => createNameMap(used, /^[a-zA-Z0-9_-]+$/, 128),
    showsReasoning: true,
    words: createWords(messagesRequest, UNREAD),
    history: 'messages',
    refused: {},
  },
  response: {
    decode: (body, context) => readAnswer(() => decodeResponse(body as MessagesResponse, context)), // read leniently
    encode: (response, context) => encodeResponse(response, context) as JsonObject & MessagesResponse, // JSON by construction
    terms: answerTerms,
  },
  stream: {
    decode: decodeStream,
    encode: encodeStream,
    keepAlive: () => 'event: ping\ndata: {"type": "ping"}\n\n',
    contentType: () => 'text/event-stream; charset=utf-8',
  },
  error: { decode: decodeError, encode: encodeError },
  dialects: [],
  extensions: ['systemTurns', 'thinking', 'ttl'],
}

const REQUEST = createReader(messagesRequest)

/** Throws an error with the path if a request is invalid. The result has no members without effect. */
function checkRequest(body: unknown): JsonObject {
  const checked = checkBody(REQUEST, body)
  const { thinking, max_tokens, tools, thread } = checked as MessagesRequest & { thread?: unknown } // checkBody has checked it
  if (thread !== undefined) {
    // The official SDK resends the whole conversation on exactly this code.
    throw new DragomanError('unsupported', 'thread is not supported: send the whole conversation.', {
      param: 'thread',
      details: { error_code: 'thread_unsupported_request' },
    })
  }
  if (thinking?.type === 'enabled' && thinking.budget_tokens >= max_tokens) {
    throw new DragomanError('invalid-request', 'thinking.budget_tokens must be less than max_tokens.', {
      param: 'thinking.budget_tokens',
    })
  }
  const code = tools?.findIndex((tool) => tool.type?.startsWith('code_execution_')) ?? -1
  if (code >= 0) {
    throw new DragomanError('unsupported', `tools.${code}: the code execution tool is not supported.`, {
      param: `tools.${code}`,
    })
  }
  return withoutNeutral(checked, NEUTRAL)
}

const NEUTRAL: Neutral = {
  service_tier: exactly('auto'),
  metadata: (value) => isObject(value) && isEmpty(value),
}

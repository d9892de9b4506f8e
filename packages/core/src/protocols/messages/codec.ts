import { createWords } from '../../lib/grammar/members.ts'
import type { JsonObject } from '../../lib/json.ts'
import { createNameMap } from '../../lib/names.ts'
import { readAnswer, readRequest } from '../read-body.ts'
import type { Codec } from '../protocol.ts'
import { checkRequest } from './check.ts'
import { decodeStream } from './decode-stream.ts'
import { encodeStream } from './encode-stream.ts'
import { decodeError, encodeError } from './error.ts'
import { sites } from './locate.ts'
import { decodeRequest, encodeRequest } from './request.ts'
import { decodeResponse, encodeResponse } from './response.ts'
import type { MessagesResponse } from './answer-schema.ts'
import { ISSUER, NAME, type MessagesRequest, messagesRequest } from './schema.ts'
import { answerTerms } from './tier.ts'

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

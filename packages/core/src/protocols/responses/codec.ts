import { createWords } from '../../lib/grammar/members.ts'
import type { JsonObject } from '../../lib/json.ts'
import { createNameMap, INSIDE_NAMES } from '../../lib/names.ts'
import { readAnswer, readRequest } from '../read-body.ts'
import { decodeTerms } from '../openai.ts'
import type { Codec } from '../protocol.ts'
import type { ResponsesResponse } from './answer-schema.ts'
import { checkRequest } from './check.ts'
import { refuseCompaction } from './compaction.ts'
import { decodeStream } from './decode-stream.ts'
import { encodeStream } from './encode-stream.ts'
import { decodeError, encodeError } from './error.ts'
import { knownTools } from './fit-tools.ts'
import { sites } from './locate.ts'
import { readsOnlyTexts } from './refusal.ts'
import { decodeRequest, encodeRequest } from './request.ts'
import { echoOf } from './echo.ts'
import { decodeResponse, encodeResponse } from './response.ts'
import { NAME, SEALS, type ResponsesRequest, responsesRequest } from './schema.ts'

/** Members that the grammar of requests has only as types, and `item`, where its decoder keeps members of an item of several parts. */
const UNREAD =
  'access_programs action agent allowed_callers async background caller client_metadata container_id context context_management conversation created_by defer_loading detail error generate_summary image index item. max_tool_calls mode moderation multi_agent namespace output_format output_schema pattern personality phase previous_response_id prompt prompt_cache_options prompt_cache_retention quality revised_prompt service_tier size status store svg_usage truncation'

/** The responses protocol: `/responses`. */
export const responses: Codec<ResponsesRequest, ResponsesResponse> = {
  name: NAME,
  issuer: SEALS,
  request: {
    check: (body) => checkRequest(body) as JsonObject & ResponsesRequest, // it has passed
    decode: (body, context) => readRequest(body, checkRequest, () => decodeRequest(body as ResponsesRequest, context)), // checked at the edge
    encode: (request, context) => encodeRequest(request, context) as JsonObject & ResponsesRequest, // JSON by construction
    sites,
    refuse: refuseCompaction,
    names: (used, dialect) =>
      knownTools(dialect) === undefined
        ? createNameMap(used, INSIDE_NAMES, 128)
        : createNameMap(used, /^[a-zA-Z0-9_-]+$/, 64),
    echo: echoOf,
    readsOnlyTexts,
    showsReasoning: false,
    words: createWords(responsesRequest, UNREAD),
    history: 'input',
    refused: {},
  },
  response: {
    decode: (body, context) => readAnswer(() => decodeResponse(body as ResponsesResponse, context)), // read leniently
    encode: (response, context) => encodeResponse(response, context) as JsonObject & ResponsesResponse, // JSON by construction
    terms: decodeTerms,
  },
  stream: {
    decode: decodeStream,
    encode: encodeStream,
    // The official SDK throws if the first event is not response.created. Comments do not reset the idle timer of codex.
    earlyKeepAlive: ': keepalive\n\n',
    // Codex reads the stream to its end before it shows response.failed.
    failsCleanly: true,
    // The only event that all clients take and that resets the idle timer of codex.
    keepAlive: () => 'event: keepalive\ndata: {"type":"keepalive"}\n\n',
    contentType: () => 'text/event-stream; charset=utf-8',
  },
  error: { decode: decodeError, encode: encodeError },
  dialects: [],
  extensions: ['cache', 'tools'],
}

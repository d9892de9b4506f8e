import { createWords } from '../../lib/grammar/members.ts'
import { isEmpty, isObject, type JsonObject } from '../../lib/json.ts'
import { createNameMap } from '../../lib/names.ts'
import { createReader } from '../../lib/grammar/reader.ts'
import { exactly, withoutNeutral, type Neutral } from '../../lib/members.ts'
import { readAnswer, readRequest, checkBody } from '../read-body.ts'
import { decodeTerms } from '../openai.ts'
import type { Codec } from '../protocol.ts'
import { decodeStream } from './decode-stream.ts'
import { encodeStream } from './encode-stream.ts'
import { decodeError, encodeError } from './error.ts'
import { sites } from './locate.ts'
import { decodeRequest, encodeRequest } from './request.ts'
import { decodeResponse, encodeResponse } from './response.ts'
import type { ChatResponse } from './answer-schema.ts'
import { ISSUER, NAME, chatRequest, type ChatRequest } from './schema.ts'

/** Members that the grammar of requests has only as types. */
const UNREAD = 'moderation prompt_cache_breakpoint prompt_cache_options'

/** Members that the specification does not accept, and their replacements. */
const REFUSED: { readonly [member: string]: string } = {
  audio: 'answers are text here',
  modalities: 'answers are text here',
  functions: 'use tools',
  function_call: 'use tool_choice',
  prompt_cache_key: 'caching is automatic',
  prompt_cache_retention: 'caching is automatic',
  safety_identifier: 'callers are identified by their keys',
  store: 'nothing is stored',
  service_tier: 'there is one tier',
  prediction: 'leave it out',
  seed: 'leave it out',
  user: 'callers are identified by their keys',
  max_tokens: 'use max_completion_tokens',
}

/** The chat completions protocol: `/chat/completions`. */
export const chat: Codec<ChatRequest, ChatResponse> = {
  name: NAME,
  issuer: ISSUER,
  request: {
    check: (body) => checkRequest(body) as JsonObject & ChatRequest, // it has passed
    decode: (body, context) => readRequest(body, checkRequest, () => decodeRequest(body as ChatRequest, context)), // checked at the edge
    encode: (request, context) => encodeRequest(request, context) as JsonObject & ChatRequest, // JSON by construction
    sites,
    names: (used) => createNameMap(used, /^[a-zA-Z0-9_-]+$/, 64),
    showsReasoning: true,
    words: createWords(chatRequest, UNREAD),
    history: 'messages',
    refused: REFUSED,
  },
  response: {
    decode: (body, context) => readAnswer(() => decodeResponse(body as ChatResponse, context)), // read leniently
    encode: (response, context) => encodeResponse(response, context) as JsonObject & ChatResponse, // JSON by construction
    terms: decodeTerms,
  },
  stream: {
    decode: decodeStream,
    encode: encodeStream,
    keepAlive: () => ': keep-alive\n\n',
    contentType: () => 'text/event-stream; charset=utf-8',
  },
  error: { decode: decodeError, encode: encodeError },
  dialects: ['citations', 'finish', 'think', 'usage'],
  extensions: [
    'allowedTools',
    'cache',
    'candidates',
    'edits',
    'history',
    'images',
    'maxTokens',
    'reasoning',
    'responseFormat',
    'serving',
    'ttl',
    'user',
  ],
}

const REQUEST = createReader(chatRequest)

/** Throws an error with the path if a request is invalid. The result has no members without effect. */
function checkRequest(body: unknown): JsonObject {
  return withoutNeutral(checkBody(REQUEST, body), NEUTRAL)
}

const NEUTRAL: Neutral = {
  n: exactly(1),
  store: exactly(false),
  service_tier: exactly('auto'),
  modalities: (value) => Array.isArray(value) && value.length === 1 && value[0] === 'text',
  metadata: (value) => isObject(value) && isEmpty(value),
}

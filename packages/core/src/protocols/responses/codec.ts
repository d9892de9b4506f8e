import { createWords } from '../../lib/grammar/members.ts'
import { isEmpty, isObject, type JsonObject, type Json } from '../../lib/json.ts'
import { createNameMap, INSIDE_NAMES } from '../../lib/names.ts'
import { DragomanError } from '../../ir/error.ts'
import { createReader } from '../../lib/grammar/reader.ts'
import { exactly, withoutNeutral, type Neutral } from '../../lib/members.ts'
import type { Loss, Losses } from '../../ir/loss.ts'
import type { Part } from '../../ir/part.ts'
import type { ModelRequest } from '../../ir/request.ts'
import { readAnswer, readRequest, checkBody } from '../read-body.ts'
import { decodeTerms } from '../openai.ts'
import type { Codec } from '../protocol.ts'
import type { ResponsesResponse } from './answer-schema.ts'
import { decodeStream } from './decode-stream.ts'
import { encodeStream } from './encode-stream.ts'
import { decodeError, encodeError } from './error.ts'
import { knownTools } from './fit-tools.ts'
import { sites } from './locate.ts'
import { readsOnlyTexts } from './item-facts.ts'
import { decodeRequest, encodeRequest } from './request.ts'
import { echoOf } from './echo.ts'
import { decodeResponse, encodeResponse } from './response.ts'
import { NAME, SEALS, responsesRequest, type ResponsesRequest } from './schema.ts'

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

const REQUEST = createReader(responsesRequest)

/** Throws an error with the path if a request is invalid. The result has no members without effect. */
function checkRequest(body: unknown): JsonObject {
  if (isObject(body)) for (const [param, why] of Object.entries(STORED)) if (body[param] != null) refuse(param, why)
  const checked = checkBody(REQUEST, body)
  if (checked['background'] === true)
    refuse('background', 'Answers are not stored here: leave it out, and read the answer or its stream.')
  const { input } = checked
  if (Array.isArray(input)) for (const [index, item] of (input as readonly Json[]).entries()) checkItem(item, index)
  return withoutNeutral(checked, NEUTRAL)
}

/** Members that need a server with a memory. */
const STORED: { readonly [member: string]: string } = {
  previous_response_id: 'Answers are not stored here: send the whole conversation as input.',
  conversation: 'Conversations are not stored here: send the whole conversation as input.',
  prompt: 'Prompts are not stored here: send instructions and input.',
}

function checkItem(item: Json, index: number): void {
  const type = isObject(item) ? item['type'] : undefined
  if (type === 'item_reference')
    refuse(
      `input[${index}]`,
      'No such item is known here: it was too long ago, or this process has not answered with it. Send the item itself; with the Vercel AI SDK, set the provider option store to false.',
    )
}

function refuse(param: string, message: string): never {
  throw new DragomanError('unsupported', `${param}: ${message}`, { param })
}

const NEUTRAL: Neutral = {
  store: () => true, // nothing is stored
  background: exactly(false),
  truncation: exactly('disabled'),
  service_tier: exactly('auto'),
  metadata: (value) => isObject(value) && isEmpty(value),
}

const TRIGGER = 'compaction_trigger'

/**
 * Refuses a request for a compaction if the target has none. Codex sends one if its provider is OpenAI, and ends the thread if the answer
 * is a message; with a provider of its own it asks for a summary instead.
 */
function refuseCompaction(request: ModelRequest, losses: Losses, body: JsonObject): void {
  if (!request.messages.some(({ parts }) => parts.some(isTrigger))) return
  if (!losses.entries().some((loss) => losesTrigger(request, loss))) return
  const { input } = body
  const index = Array.isArray(input) ? input.findIndex((item) => isObject(item) && item['type'] === TRIGGER) : 0
  const param = `input[${index}]`
  throw new DragomanError('unsupported', `${param}: ${ADVICE}`, { param })
}

const ADVICE =
  'This model cannot compact a conversation. Ask for a summary in a message instead. Codex does so if this gateway is one of its model_providers, and not its openai_base_url.'

/** The item is lost alone, or with a turn that has nothing else. */
function losesTrigger({ messages }: ModelRequest, { kind, path }: Loss): boolean {
  const [node, message, list, part] = path
  if (kind !== 'dropped' || node !== 'messages') return false
  const parts = messages[Number(message)]?.parts ?? []
  if (path.length === 2) return parts.some(isTrigger)
  const lost = list === 'parts' && path.length === 4 ? parts[Number(part)] : undefined
  return lost !== undefined && isTrigger(lost)
}

function isTrigger(part: Part): boolean {
  return part.type === 'opaque' && part.protocol === NAME && part.value['type'] === TRIGGER
}

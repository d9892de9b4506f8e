import type { Json, JsonObject } from '@dragoman/core'
import { acceptResponsesResponse, acceptResponsesStream } from '../doubles/responses-answer.ts'
import { acceptResponsesRequest } from '../doubles/responses-request.ts'
import { responsesResponse, responsesStream } from '../generators/wire-responses-answer.ts'
import { responsesRequest } from '../generators/wire-responses.ts'
import type { Subject } from '../laws/subject.ts'
import { withoutNeutral } from './absent.ts'
import { withStandardData } from './base64.ts'
import { withoutAutoDetail } from './detail.ts'

/** The subject of the responses protocol. */
export const responsesSubject: Subject = {
  names: { allowed: new RegExp(`^(?:[a-zA-Z0-9_-]+${String.fromCharCode(31)})?[a-zA-Z0-9_-]+$`), limit: 128 },
  dialect: { cache: true },
  less: { dialect: { tools: ['function', 'web_search'] }, names: { allowed: /^[a-zA-Z0-9_-]+$/, limit: 64 } },
  wires: { request: responsesRequest(), response: responsesResponse(), stream: responsesStream() },
  counts: [
    'usage.input_tokens',
    'usage.output_tokens',
    'usage.total_tokens',
    'usage.input_tokens_details.cached_tokens',
    'usage.input_tokens_details.cache_write_tokens',
    'usage.output_tokens_details.reasoning_tokens',
  ],
  canon: { request: canonRequest, response: canonResponse },
  model: { whole: ['model'], frame: ['response', 'model'] },
  accepts: {
    request: acceptResponsesRequest,
    response: acceptResponsesResponse,
    stream: acceptResponsesStream,
  },
}

/**
 * Alternative spellings of a request:
 * - it asks that nothing is stored, and that reasoning comes back encrypted and code with its outputs, whatever the caller asked for;
 * - input that is a string is one message of the user; one plain text is a string; messages have a type;
 * - values without effect are absent: the usual tier and truncation, no metadata, the format text, complete items;
 * - user is safety_identifier, if that is absent; if log probabilities are asked for, top_logprobs: 0 is absent;
 * - inline data is in the standard alphabet, padded; the detail auto of an image is absent.
 */
function canonRequest(wire: JsonObject): JsonObject {
  const { input, include, text, tools, reasoning, top_logprobs, ...rest } = withUser(
    withoutNeutral(withoutAutoDetail(withStandardData(wire)), NEUTRAL),
  )
  const words = (Array.isArray(include) ? include : []) as readonly string[] // checked at the edge
  const code = listOf(tools).some((tool) => tool['type'] === 'code_interpreter') ? [OUTPUTS] : []
  const others = words.filter((word) => word !== ENCRYPTED && word !== LOGPROBS && !code.includes(word))
  const asked = words.includes(LOGPROBS)
  const texts = isObject(text) ? canonText(text) : undefined
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(input)
  return {
    ...rest,
    store: false,
    input: items.map((item) => canonItem(item, false)),
    include: [ENCRYPTED, ...(asked ? [LOGPROBS] : []), ...code, ...others],
    ...(top_logprobs === undefined || (asked && top_logprobs === 0) ? {} : { top_logprobs }),
    ...(texts === undefined ? {} : { text: texts }),
    ...(isObject(reasoning) && Object.keys(reasoning).length > 0 ? { reasoning } : {}),
    ...(tools === undefined ? {} : { tools: listOf(tools).map(canonTool) }),
  }
}

const ENCRYPTED = 'reasoning.encrypted_content'
const LOGPROBS = 'message.output_text.logprobs'
const OUTPUTS = 'code_interpreter_call.outputs'
const NEUTRAL: JsonObject = { service_tier: 'auto', truncation: 'disabled', metadata: {} }

function withUser(wire: JsonObject): JsonObject {
  const { user, ...rest } = wire
  return user === undefined || rest['safety_identifier'] !== undefined ? wire : { ...rest, safety_identifier: user }
}

function canonText(text: JsonObject): JsonObject | undefined {
  const { format, ...rest } = text
  const left = isPlainText(format) ? rest : text
  return Object.keys(left).length === 0 ? undefined : left
}

function canonTool(tool: JsonObject): JsonObject {
  if (Array.isArray(tool['tools'])) return { ...tool, tools: listOf(tool['tools']).map(canonTool) }
  const { format, ...rest } = tool
  return tool['type'] === 'custom' && isPlainText(format) ? rest : tool
}

function isPlainText(format: Json | undefined): boolean {
  return isObject(format) && format['type'] === 'text' && Object.keys(format).length === 1
}

function canonItem(item: JsonObject, isAnswer: boolean): JsonObject {
  const { status, ...rest } = item
  const plainStatus = status === 'completed' || status === 'incomplete'
  switch (item['type'] ?? 'message') {
    case 'message': {
      const own = { type: 'message', ...(plainStatus ? rest : item) }
      if (item['role'] !== 'assistant') return { ...own, content: plain(item['content'] ?? '') }
      const content = listOf(item['content']).map((part) => canonMessagePart(part, isAnswer))
      return isAnswer ? { status: 'completed', ...own, content } : { ...own, content }
    }
    case 'code_interpreter_call':
      return Array.isArray(item['outputs']) && item['outputs'].length === 0 ? { ...item, outputs: null } : item
    case 'reasoning':
      return isAnswer ? canonReasoning(item) : withoutEmptyContent(item)
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { ...(plainStatus ? rest : item), output: plain(item['output'] ?? '') }
    case 'function_call':
    case 'custom_tool_call':
    case 'tool_search_call':
    case 'shell_call':
    case 'local_shell_call':
    case 'apply_patch_call':
    case 'computer_call':
      return isAnswer ? { status: 'completed', ...item } : plainStatus ? rest : item
    case 'tool_search_output':
    case 'additional_tools':
      return { ...item, tools: listOf(item['tools']).map(canonTool) }
    default:
      return item
  }
}

function withoutEmptyContent(item: JsonObject): JsonObject {
  const { content, ...rest } = item
  return Array.isArray(content) && content.length === 0 ? rest : item
}

function canonMessagePart(part: JsonObject, isAnswer: boolean): JsonObject {
  if (part['type'] !== 'output_text') return part
  const { annotations, logprobs, ...rest } = part
  if (isAnswer) return { annotations: [], logprobs: [], ...part }
  return { ...rest, ...(Array.isArray(annotations) && annotations.length > 0 ? { annotations } : {}) }
}

/** Thoughts are shown as a summary, with a mark. */
function canonReasoning(item: JsonObject): JsonObject {
  const { content, encrypted_content, ...rest } = item
  if (!Array.isArray(content) || content.length === 0) return withoutEmptyContent(item)
  const summary = listOf(content).map((part) => ({ ...part, type: 'summary_text' }))
  const seal = typeof encrypted_content === 'string' ? `dg1.openai.self.${encrypted_content}` : 'dg1.none.self.'
  return { ...rest, summary, encrypted_content: seal }
}

/**
 * Alternative spellings of a response: absent members that repeat the request have the values of a request without settings; messages and
 * calls have a status.
 */
function canonResponse(wire: JsonObject): JsonObject {
  return {
    incomplete_details: null,
    background: false,
    completed_at: null,
    frequency_penalty: 0,
    instructions: null,
    max_output_tokens: null,
    max_tool_calls: null,
    metadata: {},
    parallel_tool_calls: true,
    presence_penalty: 0,
    previous_response_id: null,
    prompt_cache_key: null,
    reasoning: { effort: null, summary: null },
    safety_identifier: null,
    service_tier: 'auto',
    store: false,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_logprobs: 0,
    top_p: 1,
    truncation: 'disabled',
    ...wire,
    output: withCut(
      wire,
      listOf(wire['output']).map((item) => canonItem(item, true)),
    ),
  }
}

/**
 * The last item of an incomplete response is incomplete, if its kind can be (by the types of the official SDK). A response ends at its last
 * item, so an upstream that calls it complete reports less than one that does not.
 */
function withCut(wire: JsonObject, items: readonly JsonObject[]): readonly JsonObject[] {
  const last = items.at(-1)
  const isUncut = ['web_search_call', 'image_generation_call', 'apply_patch_call'].some(
    (type) => type === last?.['type'],
  )
  if (wire['status'] !== 'incomplete' || last?.['status'] === undefined || isUncut) return items
  return [...items.slice(0, -1), { ...last, status: 'incomplete' }]
}

function plain(content: Json): Json {
  if (!Array.isArray(content) || content.length !== 1) return content
  const part = content[0] as JsonObject // checked at the edge
  return part['type'] === 'input_text' && Object.keys(part).length === 2 && typeof part['text'] === 'string'
    ? part['text']
    : content
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listOf(value: Json | undefined): readonly JsonObject[] {
  return (Array.isArray(value) ? value : []) as readonly JsonObject[] // checked at the edge
}

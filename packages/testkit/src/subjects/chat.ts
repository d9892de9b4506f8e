import type { Json, JsonObject, Part } from '@dragoman/core'
import { acceptChatResponse, acceptChatStream } from '../doubles/chat-answer.ts'
import { acceptChatRequest } from '../doubles/chat-request.ts'
import { chatResponse } from '../generators/wire-chat-answer.ts'
import { chatStream } from '../generators/wire-chat-stream.ts'
import { chatRequest } from '../generators/wire-chat.ts'
import type { Subject } from '../laws/subject.ts'
import { withoutNeutral } from './absent.ts'
import { withStandardData } from './base64.ts'
import { withoutAutoDetail } from './detail.ts'

/** The subject of the chat protocol. */
export const chatSubject: Subject = {
  names: { allowed: /^[a-zA-Z0-9_-]+$/, limit: 64 },
  dialect: { cache: true, reasoning: 'object' },
  wires: { request: chatRequest(), response: chatResponse(), stream: chatStream() },
  counts: [
    'usage.prompt_tokens',
    'usage.completion_tokens',
    'usage.total_tokens',
    'usage.prompt_tokens_details.cached_tokens',
    'usage.completion_tokens_details.reasoning_tokens',
  ],
  beyondClients: ['n'],
  canon: { request: canonRequest, response: canonResponse },
  alike,
  model: { whole: ['model'], frame: ['model'] },
  accepts: { request: (wire) => acceptChatRequest(wire), response: acceptChatResponse, stream: acceptChatStream },
}

/** Reasoning, one text, images, one refusal, then the calls, and one recording. */
function alike(parts: readonly Part[]): readonly Part[] {
  const of = (type: Part['type']) => parts.filter((part) => part.type === type)
  return [
    ...of('reasoning'),
    ...of('text').slice(0, 1),
    ...of('media').filter((part) => part.type === 'media' && part.kind !== 'audio'),
    ...of('refusal').slice(0, 1),
    ...of('tool-call'),
    ...parts.filter(isRecording).slice(0, 1),
  ]
}

/** Other audio is written as its transcript. */
function isRecording(part: Part): boolean {
  return part.type === 'media' && part.kind === 'audio' && part.source.kind === 'base64'
}

/**
 * Alternative spellings of a request:
 * - null is absent, and so are empty stream_options and values without effect (n: 1, store: false, service_tier: auto, only text, no metadata); one stop sequence is a string; one plain text is a string, and no text beside calls is null;
 * - inline data is in the standard alphabet, padded; the detail auto of an image is absent;
 * - user is safety_identifier, if that is absent;
 * - max_tokens is max_completion_tokens; logprobs: false and top_logprobs: 0 are absent;
 * - the format text is absent, of an answer and of a custom tool; reasoning.effort is reasoning_effort, and disabled reasoning is the effort none;
 * - reasoning is a list of entries with indexes, and one text that shows them;
 * - a tool or a choice without a type is of the type function.
 */
function canonRequest(wire: JsonObject): JsonObject {
  const { messages, stop, response_format, logprobs, top_logprobs, reasoning, tools, stream_options, ...rest } =
    withUser(withoutNeutral(withoutNull(withoutAutoDetail(withStandardData(wire))), NEUTRAL))
  const [first, second] = Array.isArray(stop) ? (stop as readonly Json[]) : []
  return {
    ...rest,
    messages: listOf(messages).map(canonMessage),
    ...(stop === undefined ? {} : { stop: first !== undefined && second === undefined ? first : stop }),
    ...(isPlainText(response_format) ? {} : { response_format: withoutNullInside(response_format, 'json_schema') }),
    ...(logprobs === true
      ? { logprobs, ...(top_logprobs === undefined || top_logprobs === 0 ? {} : { top_logprobs }) }
      : {}),
    ...canonReasoning(reasoning),
    ...(isObject(stream_options) && Object.keys(stream_options).length > 0 ? { stream_options } : {}),
    ...(tools === undefined ? {} : { tools: listOf(tools).map(canonTool) }),
    ...(isObject(rest['tool_choice']) ? { tool_choice: withType(rest['tool_choice']) } : {}),
  }
}

const NEUTRAL: JsonObject = { n: 1, store: false, service_tier: 'auto', modalities: ['text'], metadata: {} }

function canonTool(tool: JsonObject): Json {
  const { custom } = tool
  if (!isObject(custom) || custom['format'] === undefined || !isPlainText(custom['format']))
    return withoutNullInside(withType(tool), 'function')
  const { format: _text, ...rest } = custom
  return { ...tool, custom: rest }
}

function withType(wire: JsonObject): JsonObject {
  return { ...wire, type: wire['type'] ?? 'function' }
}

function withUser(wire: JsonObject): JsonObject {
  const { user, ...rest } = wire
  return user === undefined || rest['safety_identifier'] !== undefined ? wire : { ...rest, safety_identifier: user }
}

function canonReasoning(reasoning: Json | undefined): JsonObject {
  if (!isObject(reasoning)) return {}
  const { effort, ...rest } = withoutNull(reasoning)
  return {
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(Object.keys(rest).length === 0 ? {} : { reasoning: rest }),
  }
}

function canonMessage(message: JsonObject): JsonObject {
  const { content, ...rest } = message
  const { role, tool_calls } = message
  if (role !== 'assistant' && tool_calls === undefined) return { ...rest, content: plain(content ?? '') }
  const { reasoning, reasoning_content, reasoning_details, refusal, ...others } = withoutNull(rest)
  const silent = others['tool_calls'] === undefined && refusal === undefined ? '' : null
  return {
    ...others,
    content: content === undefined || content === null || content === '' ? silent : plain(content),
    ...(refusal === undefined ? {} : { refusal }),
    ...canonThoughts(reasoning ?? reasoning_content, reasoning_details, ['reasoning']),
  }
}

/** A response has null for absent members, its reasoning under both names, and the finish reason of calls if it calls a tool. */
function canonResponse(wire: JsonObject): JsonObject {
  return {
    ...wire,
    choices: listOf(wire['choices']).map((choice) => ({
      logprobs: null,
      ...choice,
      ...(choice['finish_reason'] === 'stop' && callsTool(choice['message']) ? { finish_reason: 'tool_calls' } : {}),
      message: canonAnswer(choice['message'] as JsonObject),
    })),
  } // as generated
}

function callsTool(message: Json | undefined): boolean {
  return isObject(message) && listOf(message['tool_calls']).length > 0
}

function canonAnswer(message: JsonObject): JsonObject {
  const { reasoning, reasoning_content, reasoning_details, ...rest } = message
  return {
    refusal: null,
    ...rest,
    ...canonThoughts(reasoning ?? reasoning_content, reasoning_details, ['reasoning', 'reasoning_content']),
  }
}

function canonThoughts(view: Json | undefined, details: Json | undefined, names: readonly string[]): JsonObject {
  const views = view === undefined ? {} : Object.fromEntries(names.map((name) => [name, view]))
  if (details !== undefined) return { ...views, reasoning_details: details }
  return view === undefined ? {} : { ...views, reasoning_details: [{ type: 'reasoning.text', text: view, index: 0 }] }
}

function isPlainText(format: Json | undefined): boolean {
  return format === undefined || (isObject(format) && format['type'] === 'text' && Object.keys(format).length === 1)
}

function plain(content: Json): Json {
  if (!Array.isArray(content) || content.length !== 1) return content
  const part = content[0] as JsonObject // checked at the edge
  return part['type'] === 'text' && Object.keys(part).length === 2 && typeof part['text'] === 'string'
    ? part['text']
    : content
}

function withoutNull(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key, value]) => value !== null || key.startsWith('x_')))
}

function withoutNullInside(owner: Json | undefined, member: string): Json {
  if (!isObject(owner)) return owner ?? null
  const inner = owner[member]
  return isObject(inner) ? { ...owner, [member]: withoutNull(inner) } : owner
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listOf(value: Json | undefined): readonly JsonObject[] {
  return (Array.isArray(value) ? value : []) as readonly JsonObject[] // checked at the edge
}

import type { Json, JsonObject, Part } from '@dragoman/core'
import { acceptMessagesResponse, acceptMessagesStream } from '../doubles/messages-answer.ts'
import { acceptMessagesRequest } from '../doubles/messages-request.ts'
import { messagesResponse, messagesStream } from '../generators/wire-messages-answer.ts'
import { messagesRequest } from '../generators/wire-messages.ts'
import type { Subject } from '../laws/subject.ts'
import { withoutNeutral } from './absent.ts'
import { withStandardData } from './base64.ts'

/** The subject of the messages protocol. */
export const messagesSubject: Subject = {
  names: { allowed: /^[a-zA-Z0-9_-]+$/, limit: 128 },
  dialect: { systemTurns: true },
  wires: { request: messagesRequest(), response: messagesResponse(), stream: messagesStream() },
  counts: [
    'usage.input_tokens',
    'usage.output_tokens',
    'usage.cache_read_input_tokens',
    'usage.cache_creation_input_tokens',
    'usage.cache_creation.ephemeral_5m_input_tokens',
    'usage.cache_creation.ephemeral_1h_input_tokens',
    'usage.output_tokens_details.thinking_tokens',
    'usage.server_tool_use.web_search_requests',
    'usage.server_tool_use.web_fetch_requests',
  ],
  alike,
  canon: { request: canonRequest, response: canonBlocks },
  model: { whole: ['model'], frame: ['message', 'model'] },
  accepts: {
    request: (wire) => acceptMessagesRequest(wire),
    response: acceptMessagesResponse,
    stream: acceptMessagesStream,
  },
}

/** A stream cannot carry the state of texts and of hidden reasoning behind the last text: it comes too late, and is reported. */
function alike(parts: readonly Part[]): readonly Part[] {
  const last = parts.findLastIndex((part) => part.type === 'tool-call' || (part.type === 'reasoning' && !part.hidden))
  return parts.flatMap((part, index) => {
    if (index < last || (part.type !== 'text' && part.type !== 'reasoning')) return part
    if (part.type === 'reasoning') return part.hidden ? [] : part
    const { seal: _late, ...rest } = part
    return rest
  })
}

/**
 * Alternative spellings of a request:
 * - one block of plain text is a string, in a turn, a system prompt and a tool result;
 * - the content of a document is a list of blocks;
 * - values without effect are absent: service_tier auto, no metadata;
 * - inline data is in the standard alphabet, padded;
 * - a search result without a page_age has null;
 * - a custom tool needs no type, a successful result no is_error, an empty result no content.
 */
function canonRequest(wire: JsonObject): JsonObject {
  const { messages, system, tools, ...rest } = withoutNeutral(withStandardData(wire), NEUTRAL)
  return {
    ...rest,
    messages: listOf(messages).map((message) => ({
      ...message,
      content: plain(canonBlocks(message)['content'] ?? ''),
    })),
    ...(system === undefined ? {} : { system: plain(system) }),
    ...(tools === undefined ? {} : { tools: listOf(tools).map(canonTool) }),
  }
}

const NEUTRAL: JsonObject = { service_tier: 'auto', metadata: {} }

function canonBlocks(owner: JsonObject): JsonObject {
  const { content } = owner
  return Array.isArray(content) ? { ...owner, content: listOf(content).map(canonBlock) } : owner
}

function canonBlock(block: JsonObject): JsonObject {
  switch (block['type']) {
    case 'tool_result': {
      const { content, is_error, ...rest } = canonBlocks(block)
      const kept = content === undefined ? '' : plain(content)
      return {
        ...rest,
        ...(kept === '' || isEmptyList(kept) ? {} : { content: kept }),
        ...(is_error === true ? { is_error } : {}),
      }
    }
    case 'web_search_tool_result': {
      const { content } = block
      if (!Array.isArray(content)) return block
      return { ...block, content: listOf(content).map((hit) => ({ page_age: null, ...hit })) }
    }
    case 'document': {
      const source = block['source'] as JsonObject // checked at the edge
      if (source['type'] !== 'content' || typeof source['content'] !== 'string') return block
      return { ...block, source: { ...source, content: [{ type: 'text', text: source['content'] }] } }
    }
    default:
      return block
  }
}

function canonTool(tool: JsonObject): JsonObject {
  const { type, ...rest } = tool
  return type === 'custom' || type === null ? rest : tool
}

function plain(content: Json): Json {
  if (!Array.isArray(content) || content.length !== 1) return content
  const block = content[0] as JsonObject // checked at the edge
  return block['type'] === 'text' && Object.keys(block).length === 2 && typeof block['text'] === 'string'
    ? block['text']
    : content
}

function isEmptyList(value: Json): boolean {
  return Array.isArray(value) && value.length === 0
}

function listOf(value: Json | undefined): readonly JsonObject[] {
  return (Array.isArray(value) ? value : []) as readonly JsonObject[] // checked at the edge
}

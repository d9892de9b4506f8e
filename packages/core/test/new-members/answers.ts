import type { JsonObject } from '../../src/lib/json.ts'
import { genai, messages, responses } from '../untyped.ts'
import { everywhere, type Row } from './row.ts'

// Shapes as the types of openai 7.53, @anthropic-ai/sdk 1.8 (beta) and @google/genai 2.32 have them.
const NOT_MESSAGES = ['chat', 'genai', 'responses']
const NOT_GENAI = ['chat', 'messages', 'responses']
const NOT_RESPONSES = ['chat', 'messages', 'genai']
const HELLO = { type: 'text', text: 'Hello' }
const MESSAGE = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
}
const COUNTS = { input_tokens: 1, output_tokens: 1 }

const responded = (name: string, members: JsonObject, others: Row['others']): Row => ({
  name,
  from: responses,
  body: {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: 'm',
    status: 'completed',
    output: [MESSAGE],
    usage: { ...COUNTS, total_tokens: 2 },
    ...members,
  },
  whole: members,
  others,
})
const answered = (name: string, members: JsonObject, others: Row['others'], usage: JsonObject = {}): Row => ({
  name,
  from: messages,
  body: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [HELLO],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { ...COUNTS, ...usage },
    ...members,
  },
  whole: { ...members, ...(Object.keys(usage).length > 0 && { usage }) },
  others,
})
const block = (name: string, content: JsonObject): Row =>
  answered(
    name,
    { content: [content, HELLO] },
    everywhere(NOT_MESSAGES, { losses: ['dropped candidates.0.parts.0: only messages has this'] }),
  )
const served = (name: string, call: JsonObject, result: JsonObject, others: Row['others']): Row =>
  answered(name, { content: [{ type: 'server_tool_use', id: 'srvtoolu_1', ...call }, result, HELLO] }, others)
const generated = (name: string, part: JsonObject, usage: JsonObject, others: Row['others']): Row => ({
  name,
  from: genai,
  body: {
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2, ...usage },
    modelVersion: 'm',
    responseId: 'r',
  },
  whole: { candidates: [{ content: { parts: [part] } }], usageMetadata: usage },
  others,
})
const only = (owner: string, ...paths: string[]) => ({
  losses: paths.map((path) => `dropped ${path}: only ${owner} has this`),
})

const CALL = 'dropped candidates.0.parts.0'
const RESULT = 'dropped candidates.0.parts.1'
const CALLED = {
  chat: `${CALL}: chat does not show what its upstream calls`,
  genai: `${CALL}: genai does not show what its upstream calls`,
  responses: `${CALL}: responses has no tool-call here`,
} as const
const DIAGNOSED = 'extras.responses.prompt_cache_diagnostics'
const FETCHED = {
  type: 'web_fetch_result',
  url: 'https://a.example',
  retrieved_at: null,
  content: { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'A page.' }, title: 'A' },
}
const FOUND = {
  type: 'web_search_result',
  url: 'https://a.example',
  title: 'A',
  encrypted_content: 'x',
  page_age: null,
}

export const ANSWERS: readonly Row[] = [
  responded(
    'image.context_compression',
    { image: { context_compression: 'enabled' } },
    everywhere(NOT_RESPONSES, only('responses', 'extras.responses.image.context_compression')),
  ),
  responded(
    'the tier ultrafast',
    { service_tier: 'ultrafast' },
    {
      chat: { carried: { service_tier: 'ultrafast' } },
      messages: { losses: ['dropped serviceTier: messages has no such tier'] },
      genai: { losses: ['dropped serviceTier: a genai answer has no serviceTier'] },
    },
  ),
  responded(
    'prompt_cache_diagnostics',
    { prompt_cache_diagnostics: { type: 'cache_miss', reason: 'tools_changed', cache_missed_tokens: 5 } },
    everywhere(
      NOT_RESPONSES,
      only('responses', `${DIAGNOSED}.type`, `${DIAGNOSED}.reason`, `${DIAGNOSED}.cache_missed_tokens`),
    ),
  ),
  answered(
    'fallback_credit',
    {},
    everywhere(NOT_MESSAGES, only('messages', 'usage.extras.messages.fallback_credit.status.type')),
    { fallback_credit: { status: { type: 'redeemed' } } },
  ),
  block('a block fallback', {
    type: 'fallback',
    from: { model: 'a' },
    to: { model: 'b' },
    trigger: { type: 'refusal', category: 'cyber' },
  }),
  block('a signed compaction', {
    type: 'compaction',
    content: 'A summary.',
    encrypted_content: 'x',
    signature: 'signed',
    tool_changes: [{ type: 'tool_removal', tool: { type: 'tool_reference', name: 'f' } }],
  }),
  block('the listing of an MCP server', {
    type: 'mcp_tool_listing',
    mcp_server_name: 's',
    tools: [{ name: 'f', input_schema: { type: 'object' } }],
  }),
  block('a call of an MCP tool', {
    type: 'mcp_tool_use',
    id: 'mcptoolu_1',
    server_name: 's',
    name: 'f',
    input: { a: 1 },
  }),
  answered(
    'a call of computer_toolset_20260801',
    {
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'zoom', toolset_name: 'computer', input: { a: 1 } }],
      stop_reason: 'tool_use',
    },
    everywhere(NOT_MESSAGES, only('messages', 'candidates.0.parts.0.extras.messages.toolset_name')),
  ),
  served(
    'the result of web_fetch_20260318',
    { name: 'web_fetch', input: { url: 'https://a.example' } },
    { type: 'web_fetch_tool_result', tool_use_id: 'srvtoolu_1', content: FETCHED },
    {
      chat: { losses: [CALLED.chat, `${RESULT}: only messages has this`] },
      genai: { losses: [CALLED.genai, `${RESULT}: only messages has this`] },
      responses: { losses: [CALLED.responses, `${RESULT}: only messages has this`] },
    },
  ),
  served(
    'the result of web_search_20260318',
    { name: 'web_search', input: { query: 'a' } },
    { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [FOUND] },
    {
      chat: { losses: [CALLED.chat, `${RESULT}: chat has no tool-result here`] },
      genai: { losses: [CALLED.genai, `${RESULT}: genai does not show what its upstream found`] },
      responses: {
        carried: {
          output: [
            {
              type: 'web_search_call',
              action: { type: 'search', query: 'a', sources: [{ type: 'url', url: 'https://a.example' }] },
            },
            { type: 'message' },
          ],
        },
      },
    },
  ),
  served(
    'references to tools that the upstream found',
    { name: 'tool_search_tool_regex', input: { query: 'weather' } },
    {
      type: 'tool_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: {
        type: 'tool_search_tool_search_result',
        tool_references: [{ type: 'tool_reference', tool_name: 'get_weather' }],
      },
    },
    {
      chat: { losses: [CALLED.chat, `${RESULT}: only messages has this`] },
      genai: { losses: [CALLED.genai, `${RESULT}: only messages has this`] },
      responses: { losses: [CALLED.responses, `${RESULT}: only messages has this`] },
    },
  ),
  generated(
    'the traffic type ON_DEMAND_OFFPEAK',
    { text: 'Hello' },
    { trafficType: 'ON_DEMAND_OFFPEAK' },
    everywhere(NOT_GENAI, only('genai', 'usage.extras.genai.trafficType')),
  ),
  generated(
    'mediaProcessing',
    { inlineData: { mimeType: 'image/png', data: 'AAAA' }, mediaProcessing: 'STATIC' },
    {},
    everywhere(NOT_GENAI, only('genai', 'candidates.0.parts.0.extras.genai.mediaProcessing')),
  ),
  generated(
    'audioTranscription',
    { audioTranscription: { text: 'Hello', languageCode: 'en' } },
    {},
    everywhere(NOT_GENAI, only('genai', 'candidates.0.parts.0')),
  ),
]

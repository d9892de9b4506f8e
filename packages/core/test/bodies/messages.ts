import type { JsonObject } from '@dragoman/core'
import { CACHED, SCHEMA, type Bodies } from './shared.ts'

const CITED = {
  type: 'char_location',
  cited_text: 'It',
  document_index: 0,
  document_title: 'A',
  start_char_index: 0,
  end_char_index: 2,
}
const HIT = {
  type: 'web_search_result',
  url: 'https://a.example',
  title: 'A',
  encrypted_content: 'ZQ==',
  page_age: '1 day',
}
const FOUND = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [HIT] }
const SEARCH = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'sky' } }
const TOOL_USE = { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Paris' } }
const MESSAGES_USAGE = {
  input_tokens: 9,
  output_tokens: 4,
  cache_creation_input_tokens: 1,
  cache_read_input_tokens: 1,
  cache_creation: { ephemeral_5m_input_tokens: 1, ephemeral_1h_input_tokens: 0 },
  server_tool_use: { web_search_requests: 1 },
}
const MESSAGES_HEAD = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm' }
const ANSWERED = [
  { type: 'thinking', thinking: 'Rayleigh?', signature: 'c2ln' },
  { type: 'redacted_thinking', data: 'ZW5j' },
  SEARCH,
  FOUND,
  { type: 'text', text: 'It scatters.', citations: [CITED] },
  TOOL_USE,
]

/** Valid messages bodies. */
export const messages: Bodies = {
  request: {
    model: 'm',
    max_tokens: 4000,
    system: [{ type: 'text', text: 'Be brief.', ...CACHED }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look', ...CACHED },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
          { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } },
          {
            type: 'document',
            source: { type: 'text', media_type: 'text/plain', data: 'It scatters.' },
            title: 'A',
            context: 'c',
            citations: { enabled: true },
          },
          { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'x' }] } },
          { type: 'search_result', source: 'https://a.example', title: 'A', content: [{ type: 'text', text: 'x' }] },
        ],
      },
      { role: 'assistant', content: ANSWERED },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            is_error: true,
            content: [
              { type: 'text', text: 'blue' },
              { type: 'image', source: { type: 'url', url: 'https://a.example/c.png' } },
            ],
          },
          { type: 'text', text: 'Why?' },
        ],
      },
    ],
    tools: [
      { name: 'weather', description: 'd', input_schema: SCHEMA, ...CACHED },
      { type: 'web_search_20250305', name: 'web_search', max_uses: 2, allowed_domains: ['a.example'] },
    ],
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    thinking: { type: 'enabled', budget_tokens: 2000 },
    temperature: 1,
    stop_sequences: ['END'],
    metadata: { user_id: 'u' },
    stream: true,
  },
  response: {
    ...MESSAGES_HEAD,
    content: ANSWERED,
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: MESSAGES_USAGE,
  },
  events: [
    {
      type: 'message_start',
      message: { ...MESSAGES_HEAD, content: [], stop_reason: null, stop_sequence: null, usage: MESSAGES_USAGE },
    },
    ...block(
      0,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: 'Ray' },
      { type: 'signature_delta', signature: 'c2ln' },
    ),
    ...block(1, { type: 'redacted_thinking', data: 'ZW5j' }),
    ...block(2, SEARCH),
    ...block(3, FOUND),
    ...block(
      4,
      { type: 'text', text: '' },
      { type: 'text_delta', text: 'It ' },
      { type: 'text_delta', text: 'scätters.' },
      { type: 'citations_delta', citation: CITED },
    ),
    { type: 'ping' },
    ...block(
      5,
      { ...TOOL_USE, input: {} },
      { type: 'input_json_delta', partial_json: '{"ci' },
      { type: 'input_json_delta', partial_json: 'ty":"Paris"}' },
    ),
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: MESSAGES_USAGE },
    { type: 'message_stop' },
  ],
  error: {
    type: 'error',
    error: { type: 'overloaded_error', message: 'Overloaded', details: { a: 'b' } },
    request_id: 'r',
  },
}

function block(index: number, content_block: JsonObject, ...deltas: readonly JsonObject[]): JsonObject[] {
  return [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

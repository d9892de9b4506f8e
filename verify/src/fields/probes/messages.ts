import type { JsonObject } from '../../fidelity/json.ts'
import { answer, ask, show } from '../../fidelity/wire/build.ts'
import { probesOf, type Probe, type Probes } from '../probe.ts'

const HELLO = { role: 'user', content: 'Hello' }
const TEXT = { type: 'text', text: 'Look' }
const MARK = { type: 'ephemeral' }
const PDF = { type: 'base64', media_type: 'application/pdf', data: 'aGk=' }
const SCHEMA = { type: 'object', properties: {} }
export const USE = { type: 'tool_use', id: 'call_1', name: 'now', input: {} }
export const SEARCH = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'sky' } }
const FOUND = {
  type: 'web_search_tool_result',
  tool_use_id: 'srvtoolu_1',
  content: [{ type: 'web_search_result', url: 'https://example.com', title: 'A', encrypted_content: 'c2VjcmV0' }],
}
const FAILED = { ...FOUND, content: { type: 'web_search_tool_result_error', error_code: 'unavailable' } }

const conversation = (...messages: readonly JsonObject[]) => ask.messages({ messages })
const part = (field: string, value: JsonObject): Probe => ({
  field: `messages[user].content[${field}]`,
  body: show.messages(TEXT, value),
  base: show.messages(TEXT),
})
const document = (members: JsonObject) => show.messages({ type: 'document', source: PDF, ...members })
const answered = (...content: readonly JsonObject[]) =>
  conversation(HELLO, { role: 'assistant', content: [...content, TEXT] }, HELLO)
const result = (members: JsonObject) =>
  conversation(
    HELLO,
    { role: 'assistant', content: [USE] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', ...members }] },
  )
const withTool = (members: JsonObject) => ask.messages({ tools: [{ name: 'now', input_schema: SCHEMA, ...members }] })
const withTools = (members: JsonObject) => ask.messages({ tools: [{ name: 'now', input_schema: SCHEMA }], ...members })
const searching = (members: JsonObject) =>
  ask.messages({ tools: [{ type: 'web_search_20250305', name: 'web_search', ...members }] })
const builtin = (type: string, name: string): Probe => ({
  field: `tools[${type}]`,
  body: ask.messages({ tools: [{ type, name }] }),
  base: ask.messages(),
})

const requests: readonly Probe[] = [
  ...probesOf('', ask.messages, { system: 'Be brief.' }),
  {
    field: 'system[].cache_control',
    body: ask.messages({ system: [{ ...TEXT, cache_control: MARK }] }),
    base: ask.messages({ system: [TEXT] }),
  },
  part('text', { type: 'text', text: 'again' }),
  {
    field: 'messages[].content[].cache_control',
    body: show.messages({ ...TEXT, cache_control: MARK }),
    base: show.messages(TEXT),
  },
  part('image, base64', { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } }),
  part('image, url', { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }),
  part('image, file', { type: 'image', source: { type: 'file', file_id: 'file_1' } }),
  part('document, base64', { type: 'document', source: PDF }),
  part('document, text', { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Words' } }),
  part('document, content', {
    type: 'document',
    source: { type: 'content', content: [{ type: 'text', text: 'Words' }] },
  }),
  part('document, url', { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } }),
  part('document, file', { type: 'document', source: { type: 'file', file_id: 'file_1' } }),
  ...probesOf('messages[user].content[document].', document, {
    title: 'A',
    context: 'About A',
    citations: { enabled: true },
  }),
  part('search_result', {
    type: 'search_result',
    source: 'https://example.com',
    title: 'A',
    content: [{ type: 'text', text: 'Words' }],
  }),
  { field: 'messages[assistant].content[text]', body: answered(), base: conversation(HELLO, HELLO) },
  {
    field: 'messages[assistant].content[text].citations',
    body: conversation(HELLO, {
      role: 'assistant',
      content: [
        {
          ...TEXT,
          citations: [
            { type: 'char_location', cited_text: 'a', document_index: 0, start_char_index: 0, end_char_index: 1 },
          ],
        },
      ],
    }),
    base: conversation(HELLO, { role: 'assistant', content: [TEXT] }),
  },
  {
    field: 'messages[assistant].content[thinking]',
    body: answered({ type: 'thinking', thinking: 'They greet.', signature: 'c2lnbmF0dXJl' }),
    base: answered(),
  },
  {
    field: 'messages[assistant].content[redacted_thinking]',
    body: answered({ type: 'redacted_thinking', data: 'c2VjcmV0' }),
    base: answered(),
  },
  {
    field: 'messages[assistant].content[server_tool_use, web_search_tool_result]',
    body: answered(SEARCH, FOUND),
    base: answered(),
  },
  {
    field: 'messages[assistant].content[web_search_tool_result_error]',
    body: answered(SEARCH, FAILED),
    base: answered(),
  },
  {
    field: 'messages[assistant].content[tool_use], messages[user].content[tool_result]',
    body: result({ content: 'noon' }),
    base: conversation(HELLO),
  },
  ...probesOf(
    'messages[user].content[tool_result].',
    result,
    { is_error: true, cache_control: MARK },
    { content: 'noon' },
  ),
  ...(
    [
      ['image', { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }],
      ['document', { type: 'document', source: PDF }],
      ['search_result', { type: 'search_result', source: 'https://example.com', title: 'A', content: [TEXT] }],
    ] as const
  ).map(([kind, block]) => ({
    field: `messages[user].content[tool_result].content[${kind}]`,
    body: result({ content: [TEXT, block] }),
    base: result({ content: [TEXT] }),
  })),
  ...probesOf('', ask.messages, {
    max_tokens: 100,
    stop_sequences: ['END'],
    stream: true,
    temperature: 0.5,
    top_k: 40,
    top_p: 0.5,
    metadata: { user_id: 'user-1' },
    service_tier: 'auto',
    container: 'container_1',
    mcp_servers: [{ type: 'url', url: 'https://example.com', name: 'a' }],
    context_management: { edits: [] },
  }),
  ...(
    [
      ['enabled', { type: 'enabled', budget_tokens: 6000 }],
      ['disabled', { type: 'disabled' }],
      ['adaptive', { type: 'adaptive' }],
    ] as const
  ).map(([type, thinking]) => ({ field: `thinking[${type}]`, body: ask.messages({ thinking }), base: ask.messages() })),
  { field: 'tools[custom]', body: withTool({}), base: ask.messages() },
  ...probesOf('tools[custom].', withTool, { description: 'Tells the time', strict: true, cache_control: MARK }),
  {
    field: 'tools[custom].input_schema',
    body: withTool({ input_schema: { type: 'object', properties: { zone: { type: 'string' } } } }),
    base: withTool({}),
  },
  builtin('bash_20250124', 'bash'),
  builtin('text_editor_20250728', 'str_replace_based_edit_tool'),
  builtin('web_search_20250305', 'web_search'),
  ...probesOf('tools[web_search_20250305].', searching, {
    allowed_domains: ['example.com'],
    blocked_domains: ['example.com'],
    max_uses: 3,
    user_location: { type: 'approximate', city: 'Paris' },
  }),
  ...(
    [
      ['auto', { type: 'auto' }],
      ['any', { type: 'any' }],
      ['tool', { type: 'tool', name: 'now' }],
      ['none', { type: 'none' }],
      ['auto].disable_parallel_tool_use', { type: 'auto', disable_parallel_tool_use: true }],
    ] as const
  ).map(([type, tool_choice]) => ({
    field: type.includes(']') ? `tool_choice[${type}` : `tool_choice[${type}]`,
    body: withTools({ tool_choice }),
    base: withTools({}),
  })),
  {
    field: 'output_config.format',
    body: ask.messages({ output_config: { format: { type: 'json_schema', schema: SCHEMA } } }),
    base: ask.messages(),
  },
  {
    field: 'output_config.effort',
    body: ask.messages({ thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }),
    base: ask.messages({ thinking: { type: 'adaptive' } }),
  },
]

const content = (field: string, ...blocks: readonly JsonObject[]): Probe => ({
  field: `content[${field}]`,
  body: answer.messages({ content: [TEXT, ...blocks] }),
  base: answer.messages({ content: [TEXT] }),
})
const cited = (type: string, members: JsonObject): Probe => ({
  field: `content[text].citations[${type}]`,
  body: answer.messages({ content: [{ ...TEXT, citations: [{ type, cited_text: 'a', ...members }] }] }),
  base: answer.messages({ content: [TEXT] }),
})
const usage = (members: JsonObject) =>
  answer.messages({ body: { usage: { input_tokens: 100, output_tokens: 50, ...members } } })

const answers: readonly Probe[] = [
  ...probesOf('', (body) => answer.messages({ body }), { id: 'other', model: 'other' }),
  content('text', { type: 'text', text: 'again' }),
  content('thinking', { type: 'thinking', thinking: 'They greet.', signature: 'c2lnbmF0dXJl' }),
  content('redacted_thinking', { type: 'redacted_thinking', data: 'c2VjcmV0' }),
  content('tool_use', USE),
  content('server_tool_use', SEARCH),
  content('server_tool_use, web_search_tool_result', SEARCH, FOUND),
  cited('char_location', { document_index: 0, start_char_index: 0, end_char_index: 1 }),
  cited('page_location', { document_index: 0, start_page_number: 1, end_page_number: 2 }),
  cited('content_block_location', { document_index: 0, start_block_index: 0, end_block_index: 1 }),
  cited('web_search_result_location', { url: 'https://example.com', title: 'A', encrypted_index: 'c2VjcmV0' }),
  cited('search_result_location', {
    source: 'https://example.com',
    title: 'A',
    search_result_index: 0,
    start_block_index: 0,
    end_block_index: 1,
  }),
  ...['max_tokens', 'tool_use', 'pause_turn', 'refusal'].map((word) => ({
    field: `stop_reason: ${word}`,
    body: answer.messages({ body: { stop_reason: word } }),
    base: answer.messages(),
  })),
  {
    field: 'stop_reason: stop_sequence, stop_sequence',
    body: answer.messages({ body: { stop_reason: 'stop_sequence', stop_sequence: 'END' } }),
    base: answer.messages(),
  },
  ...probesOf('usage.', usage, {
    input_tokens: 101,
    output_tokens: 51,
    cache_read_input_tokens: 80,
    cache_creation_input_tokens: 30,
    cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
    output_tokens_details: { thinking_tokens: 3 },
    server_tool_use: { web_search_requests: 2 },
    service_tier: 'standard',
  }),
]

/** All fields of messages, except those of streams. */
export const messagesProbes: Probes = { requests, answers }

import type { JsonObject } from '../../fidelity/json.ts'
import { ask, assistant, show } from '../../fidelity/wire/build.ts'
import { probesOf, type Probe, type Probes } from '../probe.ts'
import { responsesAnswers } from './responses-answers.ts'

const HELLO = { role: 'user', content: 'Hello' }
const TEXT = { type: 'input_text', text: 'Look' }
const SCHEMA = { type: 'object', properties: {} }
const CALL = { type: 'function_call', call_id: 'call_1', name: 'now', arguments: '{}' }
const CUSTOM = { type: 'custom_tool_call', call_id: 'call_1', name: 'shell', input: 'ls' }
const NOON = { type: 'function_call_output', call_id: 'call_1', output: 'noon' }

const conversation = (...input: readonly JsonObject[]) => ask.responses({ input })
const part = (field: string, value: JsonObject): Probe => ({
  field: `input[user].content[${field}]`,
  body: show.responses(TEXT, value),
  base: show.responses(TEXT),
})
const image = (members: JsonObject) =>
  show.responses({ type: 'input_image', image_url: 'https://example.com/a.png', ...members })
const file = (members: JsonObject) =>
  show.responses({ type: 'input_file', file_data: 'data:application/pdf;base64,aGk=', ...members })
/** Items between a question and an answer. */
const item = (field: string, ...items: readonly JsonObject[]): Probe => ({
  field: `input[${field}`,
  body: conversation(HELLO, ...items, assistant('Good day'), HELLO),
  base: conversation(HELLO, assistant('Good day'), HELLO),
})
const called = (members: JsonObject) => conversation(HELLO, { ...CALL, ...members }, NOON)
const result = (...output: readonly JsonObject[]) => conversation(HELLO, CALL, { ...NOON, output })
const withTool = (members: JsonObject) =>
  ask.responses({ tools: [{ type: 'function', name: 'now', parameters: SCHEMA, strict: false, ...members }] })
const withTools = (members: JsonObject) =>
  ask.responses({ tools: [{ type: 'function', name: 'now', parameters: SCHEMA, strict: false }], ...members })
const searching = (members: JsonObject) => ask.responses({ tools: [{ type: 'web_search', ...members }] })
const tool = (type: string, members: JsonObject = {}): Probe => ({
  field: `tools[${type}]`,
  body: ask.responses({ tools: [{ type, ...members }] }),
  base: ask.responses(),
})
const choice = (field: string, tool_choice: unknown): Probe => ({
  field: `tool_choice${field}`,
  body: withTools({ tool_choice }),
  base: withTools({}),
})
const format = (type: string, members: JsonObject = {}): Probe => ({
  field: `text.format[${type}]`,
  body: ask.responses({ text: { format: { type, ...members } } }),
  base: ask.responses(),
})
const named = (members: JsonObject) =>
  ask.responses({ text: { format: { type: 'json_schema', name: 'person', schema: SCHEMA, ...members } } })

const requests: readonly Probe[] = [
  ...probesOf('', ask.responses, { instructions: 'Be brief.' }),
  {
    field: 'input[developer]',
    body: conversation({ role: 'developer', content: 'Be brief.' }, HELLO),
    base: ask.responses(),
  },
  {
    field: 'input[system], later',
    body: conversation(HELLO, { role: 'system', content: 'Be brief.' }, HELLO),
    base: conversation(HELLO, HELLO),
  },
  part('input_text', { type: 'input_text', text: 'again' }),
  {
    field: 'input[].content[].prompt_cache_breakpoint',
    body: show.responses({ ...TEXT, prompt_cache_breakpoint: { mode: 'explicit' } }),
    base: show.responses(TEXT),
  },
  part('input_image, data URL', { type: 'input_image', image_url: 'data:image/png;base64,aGk=' }),
  part('input_image, URL', { type: 'input_image', image_url: 'https://example.com/a.png' }),
  part('input_image, file', { type: 'input_image', file_id: 'file-1' }),
  ...probesOf('input[user].content[input_image].', image, { detail: 'low' }),
  part('input_file, data', { type: 'input_file', file_data: 'data:application/pdf;base64,aGk=', filename: 'a.pdf' }),
  part('input_file, URL', { type: 'input_file', file_url: 'https://example.com/a.pdf' }),
  part('input_file, file', { type: 'input_file', file_id: 'file-1' }),
  ...probesOf('input[user].content[input_file].', file, { filename: 'a.pdf' }),
  part('input_audio', { type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } }),
  {
    field: 'input[assistant].content[output_text]',
    body: conversation(HELLO, assistant('Good day'), HELLO),
    base: conversation(HELLO, HELLO),
  },
  {
    field: 'input[assistant].content[refusal]',
    body: conversation(
      HELLO,
      { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
      HELLO,
    ),
    base: conversation(HELLO, HELLO),
  },
  ...probesOf('input[assistant].', (members) => conversation(HELLO, { ...assistant('Good day'), ...members }, HELLO), {
    id: 'msg_1',
    status: 'completed',
    phase: 'commentary',
  }),
  item('reasoning].summary', { type: 'reasoning', summary: [{ type: 'summary_text', text: 'They greet.' }] }),
  item('reasoning].encrypted_content', { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'c2VjcmV0' }),
  {
    field: 'input[function_call], input[function_call_output]',
    body: conversation(HELLO, CALL, NOON),
    base: conversation(HELLO),
  },
  ...probesOf('input[function_call].', called, { namespace: 'clock', id: 'fc_1' }),
  {
    field: 'input[function_call_output].output[input_image]',
    body: result(TEXT, { type: 'input_image', image_url: 'data:image/png;base64,aGk=' }),
    base: result(TEXT),
  },
  {
    field: 'input[function_call_output].output[input_file]',
    body: result(TEXT, { type: 'input_file', file_data: 'data:application/pdf;base64,aGk=' }),
    base: result(TEXT),
  },
  {
    field: 'input[custom_tool_call], input[custom_tool_call_output]',
    body: conversation(HELLO, CUSTOM, { type: 'custom_tool_call_output', call_id: 'call_1', output: 'a.txt' }),
    base: conversation(HELLO),
  },
  item('additional_tools]', {
    type: 'additional_tools',
    role: 'developer',
    tools: [{ type: 'function', name: 'now', parameters: SCHEMA, strict: false }],
  }),
  item('web_search_call]', {
    type: 'web_search_call',
    id: 'ws_1',
    status: 'completed',
    action: { type: 'search', query: 'sky' },
  }),
  item('code_interpreter_call]', {
    type: 'code_interpreter_call',
    id: 'ci_1',
    status: 'completed',
    container_id: 'c_1',
    code: 'print(1)',
    outputs: [{ type: 'logs', logs: '1' }],
  }),
  item('image_generation_call]', { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'aGk=' }),
  item('file_search_call]', {
    type: 'file_search_call',
    id: 'fs_1',
    status: 'completed',
    queries: ['sky'],
    results: null,
  }),
  item('mcp_call]', { type: 'mcp_call', id: 'mcp_1', server_label: 'a', name: 'now', arguments: '{}', output: 'noon' }),
  item('compaction]', { type: 'compaction', id: 'cmp_1', encrypted_content: 'c2VjcmV0' }),
  ...probesOf('', ask.responses, {
    max_output_tokens: 100,
    temperature: 0.5,
    top_p: 0.5,
    stream: true,
    store: false,
    metadata: { team: 'search' },
    safety_identifier: 'user-1',
    user: 'user-1',
    service_tier: 'flex',
    prompt_cache_key: 'key-1',
    truncation: 'auto',
    max_tool_calls: 3,
    client_metadata: { thread: 't-1' },
  }),
  {
    field: 'include: message.output_text.logprobs',
    body: ask.responses({ include: ['message.output_text.logprobs'] }),
    base: ask.responses(),
  },
  {
    field: 'include: reasoning.encrypted_content',
    body: ask.responses({ include: ['reasoning.encrypted_content'] }),
    base: ask.responses(),
  },
  ...probesOf('', (members) => ask.responses({ include: ['message.output_text.logprobs'], ...members }), {
    top_logprobs: 2,
  }),
  ...probesOf('reasoning.', (reasoning) => ask.responses({ reasoning }), {
    effort: 'high',
    summary: 'auto',
    context: 'all_turns',
  }),
  { field: 'reasoning.effort: none', body: ask.responses({ reasoning: { effort: 'none' } }), base: ask.responses() },
  ...probesOf('text.', (text) => ask.responses({ text }), { verbosity: 'low' }),
  format('json_object'),
  format('json_schema', { name: 'person', schema: SCHEMA }),
  ...probesOf('text.format[json_schema].', named, { description: 'Who it is', strict: true }),
  { field: 'tools[function]', body: withTool({}), base: ask.responses() },
  ...probesOf('tools[function].', withTool, { description: 'Tells the time', strict: true, defer_loading: true }),
  tool('custom', { name: 'shell', format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' } }),
  tool('namespace', {
    name: 'clock',
    description: 'Times',
    tools: [{ type: 'function', name: 'now', parameters: SCHEMA, strict: false }],
  }),
  tool('web_search'),
  ...probesOf('tools[web_search].', searching, {
    filters: { allowed_domains: ['example.com'] },
    search_context_size: 'low',
    user_location: { type: 'approximate', city: 'Paris' },
  }),
  tool('file_search', { vector_store_ids: ['vs_1'] }),
  tool('code_interpreter', { container: { type: 'auto' } }),
  tool('image_generation'),
  tool('mcp', { server_label: 'a', server_url: 'https://example.com/mcp' }),
  tool('shell'),
  tool('apply_patch'),
  choice(': auto', 'auto'),
  choice(': none', 'none'),
  choice(': required', 'required'),
  choice('[function]', { type: 'function', name: 'now' }),
  choice('[allowed_tools]', { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'now' }] }),
  ...probesOf('', withTools, { parallel_tool_calls: false }),
]

/** All fields of Responses, except those of streams. */
export const responsesProbes: Probes = { requests, answers: responsesAnswers }

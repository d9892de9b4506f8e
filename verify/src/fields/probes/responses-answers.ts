import type { JsonObject } from '../../fidelity/json.ts'
import { answer, functionCall, spoken, summarized } from '../../fidelity/wire/build.ts'
import { probesOf, type Probe } from '../probe.ts'

const item = (field: string, ...items: readonly JsonObject[]): Probe => ({
  field: `output[${field}`,
  body: answer.responses({ output: [spoken('Good day'), ...items] }),
  base: answer.responses(),
})
const part = (members: JsonObject) =>
  answer.responses({ output: [{ ...spoken(), content: [{ type: 'output_text', text: 'Good day', ...members }] }] })
const annotated = (type: string, members: JsonObject): Probe => ({
  field: `output[message].content[output_text].annotations[${type}]`,
  body: part({ annotations: [{ type, ...members }] }),
  base: part({ annotations: [] }),
})
const ended = (field: string, body: JsonObject): Probe => ({
  field,
  body: answer.responses({ body }),
  base: answer.responses(),
})
const usage = (members: JsonObject) =>
  answer.responses({ body: { usage: { input_tokens: 100, output_tokens: 50, total_tokens: 150, ...members } } })

/** The fields of whole responses. */
export const responsesAnswers: readonly Probe[] = [
  ...probesOf('', (body) => answer.responses({ body }), { id: 'other', model: 'other', created_at: 1_700_000_009 }),
  {
    field: 'output[message].content[output_text]',
    body: answer.responses({ output: [spoken('Good day', 'again')] }),
    base: answer.responses(),
  },
  {
    field: 'output[message].content[refusal]',
    body: answer.responses({ output: [{ ...spoken(), content: [{ type: 'refusal', refusal: 'No.' }] }] }),
    base: answer.responses({ output: [] }),
  },
  ...probesOf('output[message].', (members) => answer.responses({ output: [{ ...spoken('Good day'), ...members }] }), {
    phase: 'final_answer',
  }),
  annotated('url_citation', { url: 'https://example.com', title: 'A', start_index: 0, end_index: 4 }),
  annotated('file_citation', { file_id: 'file-1', filename: 'a.pdf', index: 0 }),
  ...probesOf('output[message].content[output_text].', part, {
    logprobs: [{ token: 'Good day', logprob: -0.5, bytes: [], top_logprobs: [] }],
  }),
  item('reasoning].summary', summarized('They greet.')),
  item('reasoning].content', {
    type: 'reasoning',
    id: 'rs_1',
    summary: [],
    content: [{ type: 'reasoning_text', text: 'They greet.' }],
  }),
  item('reasoning].encrypted_content', { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'c2VjcmV0' }),
  item('function_call]', functionCall('call_1', 'now', '{}')),
  item('function_call].namespace', { ...functionCall('call_1', 'now', '{}'), namespace: 'clock' }),
  item('custom_tool_call]', { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_1', name: 'shell', input: 'ls' }),
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
  item('compaction]', { type: 'compaction', id: 'cmp_1', encrypted_content: 'c2VjcmV0' }),
  ended('status: incomplete, max_output_tokens', {
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
  }),
  ended('status: incomplete, content_filter', {
    status: 'incomplete',
    incomplete_details: { reason: 'content_filter' },
  }),
  ...probesOf('usage.', usage, {
    input_tokens: 101,
    output_tokens: 51,
    input_tokens_details: { cached_tokens: 80 },
    output_tokens_details: { reasoning_tokens: 3 },
  }),
  {
    field: 'usage.input_tokens_details.cache_write_tokens',
    body: usage({ input_tokens_details: { cached_tokens: 0, cache_write_tokens: 30 } }),
    base: usage({ input_tokens_details: { cached_tokens: 0 } }),
  },
  ...probesOf('', (body) => answer.responses({ body }), {
    tool_usage: { web_search: { num_requests: 2 } },
    service_tier: 'default',
  }),
]

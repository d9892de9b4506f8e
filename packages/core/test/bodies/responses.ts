import type { JsonObject } from '@dragoman/core'
import { SCHEMA, type Bodies } from './shared.ts'

const CITED = { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 0, end_index: 2 }
const LOGPROB = { token: 'It', logprob: -0.1, bytes: [73, 116] }
const TEXT = {
  type: 'output_text',
  text: 'It scatters.',
  annotations: [CITED, { type: 'file_citation', file_id: 'file_1', filename: 'a.pdf', index: 1 }],
  logprobs: [{ ...LOGPROB, top_logprobs: [LOGPROB] }],
}
const MESSAGE = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', phase: 'commentary' }
const REASONING = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'Rayleigh?' }],
  encrypted_content: 'c2ln',
}
const SEARCH = {
  type: 'web_search_call',
  id: 'ws_1',
  status: 'completed',
  action: { type: 'search', query: 'sky', sources: [{ type: 'url', url: 'https://a.example' }] },
}
const IMAGE = { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'iVBORw0KGgo=' }
const CALL = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'weather',
  namespace: 'sky',
  arguments: '{"city":"Paris"}',
  status: 'completed',
}
const PATCH = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_2', name: 'patch', input: '*** Begin' }
const USAGE = {
  input_tokens: 9,
  input_tokens_details: { cached_tokens: 1, cache_write_tokens: 1 },
  output_tokens: 4,
  output_tokens_details: { reasoning_tokens: 1 },
  total_tokens: 13,
}
const HEAD = { id: 'resp_1', object: 'response', created_at: 1_700_000_000, model: 'm', error: null }
const OUTPUT = [REASONING, SEARCH, IMAGE, { ...MESSAGE, content: [TEXT] }, CALL, PATCH]

/** Valid responses bodies. */
export const responses: Bodies = {
  request: {
    model: 'm',
    instructions: 'Be brief.',
    input: [
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look' },
          { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' },
          { type: 'input_image', image_url: 'https://a.example/b.png' },
          { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
          { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
        ],
      },
      ...OUTPUT,
      { type: 'additional_tools', role: 'developer', tools: [{ type: 'function', name: 'later', parameters: SCHEMA }] },
      {
        type: 'function_call_output',
        call_id: 'call_1',
        output: [
          { type: 'input_text', text: 'blue' },
          { type: 'input_image', image_url: 'https://a.example/c.png' },
        ],
      },
      { type: 'custom_tool_call_output', call_id: 'call_2', output: 'done' },
      { role: 'user', content: 'Why?' },
    ],
    tools: [
      {
        type: 'namespace',
        name: 'sky',
        description: 'd',
        tools: [{ type: 'function', name: 'weather', parameters: SCHEMA }],
      },
      { type: 'custom', name: 'patch', format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' } },
      { type: 'web_search', user_location: { type: 'approximate', city: 'Paris' } },
    ],
    tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'custom', name: 'patch' }] },
    parallel_tool_calls: true,
    text: { format: { type: 'json_schema', name: 'n', schema: SCHEMA, strict: true }, verbosity: 'low' },
    reasoning: { effort: 'high', summary: 'auto' },
    include: ['reasoning.encrypted_content', 'message.output_text.logprobs'],
    max_output_tokens: 4000,
    temperature: 1,
    top_p: 0.9,
    top_logprobs: 2,
    metadata: { team: 'a' },
    safety_identifier: 'u',
    stream: true,
  },
  response: { ...HEAD, status: 'completed', incomplete_details: null, output: OUTPUT, usage: USAGE },
  events: [
    { type: 'response.created', response: { ...HEAD, status: 'in_progress', output: [], usage: null } },
    ...item(0, REASONING, { summary: [] }, [
      { type: 'response.reasoning_summary_part.added', summary_index: 0, part: { type: 'summary_text', text: '' } },
      { type: 'response.reasoning_summary_text.delta', summary_index: 0, delta: 'Ray' },
    ]),
    ...item(1, SEARCH, {}, [{ type: 'response.web_search_call.searching' }]),
    ...item(2, IMAGE, {}, []),
    ...item(3, { ...MESSAGE, content: [TEXT] }, { content: [] }, [
      { type: 'response.content_part.added', content_index: 0, part: { ...TEXT, text: '' } },
      { type: 'response.output_text.delta', content_index: 0, delta: 'It ' },
      { type: 'response.output_text.delta', content_index: 0, delta: 'scatters.' },
      { type: 'response.output_text.annotation.added', content_index: 0, annotation_index: 0, annotation: CITED },
      { type: 'response.content_part.done', content_index: 0, part: TEXT },
    ]),
    { type: 'keepalive' },
    ...item(4, CALL, { arguments: '' }, [{ type: 'response.function_call_arguments.delta', delta: '{"city":' }]),
    ...item(5, PATCH, { input: '' }, [{ type: 'response.custom_tool_call_input.delta', delta: '*** ' }]),
    { type: 'response.completed', response: { ...HEAD, status: 'completed', output: OUTPUT, usage: USAGE } },
  ],
  error: { error: { message: 'Wrong.', type: 'invalid_request_error', param: 'input', code: null } },
}

function item(output_index: number, whole: JsonObject, shell: JsonObject, inside: readonly JsonObject[]): JsonObject[] {
  return [
    { type: 'response.output_item.added', output_index, item: { ...whole, ...shell } },
    ...inside.map((event) => ({ ...event, output_index, item_id: whole['id'] ?? '' })),
    { type: 'response.output_item.done', output_index, item: whole },
  ]
}

import type { JsonObject } from '@dragoman/core'
import { CACHED, SCHEMA, type Bodies } from './shared.ts'

const CALL = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Paris"}' } }
const ANNOTATION = {
  type: 'url_citation',
  url_citation: { url: 'https://a.example', title: 'A', start_index: 0, end_index: 4, content: 'A' },
}
const LOGPROBS = {
  content: [{ token: 'It', logprob: -0.1, bytes: [73, 116], top_logprobs: [{ token: 'A', logprob: -2 }] }],
}
const DETAILS = [
  { type: 'reasoning.text', text: 'Rayleigh?', signature: 'c2ln', format: 'anthropic-claude-v1', index: 0 },
  { type: 'reasoning.encrypted', data: 'ZW5j', id: 'rs_1', format: 'openai-responses-v1', index: 1 },
]
const CHAT_USAGE = {
  prompt_tokens: 9,
  completion_tokens: 4,
  total_tokens: 13,
  prompt_tokens_details: { cached_tokens: 2, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 1 },
}
const CHAT_HEAD = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'm', system_fingerprint: 'fp' }

/** Valid chat bodies. */
export const chat: Bodies = {
  request: {
    model: 'm',
    messages: [
      { role: 'system', content: [{ type: 'text', text: 'Be brief.', ...CACHED }], name: 'boss' },
      {
        role: 'user',
        name: 'ann',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'high' } },
          { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
        ],
      },
      { role: 'assistant', content: 'Hm', refusal: null, reasoning_details: DETAILS, tool_calls: [CALL] },
      { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: '{"sky":"blue"}' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Blue.' },
          { type: 'refusal', refusal: 'No more.' },
        ],
      },
      { role: 'user', content: 'Why?' },
    ],
    tools: [
      {
        type: 'function',
        function: { name: 'weather', description: 'd', parameters: SCHEMA, strict: true },
        ...CACHED,
      },
      { type: 'custom', custom: { name: 'free', description: 'd', format: { type: 'text' } } },
    ],
    tool_choice: { type: 'function', function: { name: 'weather' } },
    parallel_tool_calls: false,
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: SCHEMA, strict: true } },
    max_completion_tokens: 100,
    temperature: 0.5,
    top_p: 0.9,
    stop: ['END'],
    seed: 7,
    n: 1,
    logprobs: true,
    top_logprobs: 2,
    logit_bias: { 50256: -100 },
    presence_penalty: 0.1,
    frequency_penalty: 0.1,
    reasoning_effort: 'low',
    modalities: ['text'],
    metadata: { a: 'b' },
    user: 'u',
    stream: true,
    stream_options: { include_usage: true },
  },
  response: {
    ...CHAT_HEAD,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'It scatters.',
          refusal: null,
          reasoning_content: 'Rayleigh?',
          reasoning_details: DETAILS,
          annotations: [ANNOTATION],
          tool_calls: [CALL],
        },
        logprobs: LOGPROBS,
        finish_reason: 'tool_calls',
      },
    ],
    usage: CHAT_USAGE,
  },
  events: [
    chunk({ role: 'assistant', content: '' }),
    chunk({ reasoning_content: 'Ray', reasoning_details: DETAILS }),
    chunk({ content: 'It ' }, LOGPROBS),
    chunk({ content: 'scätters.', annotations: [ANNOTATION] }),
    chunk({
      tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"ci' } }],
    }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: 'ty":"Paris"}' } }] }),
    { ...CHAT_HEAD, object: 'chat.completion.chunk', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
    { ...CHAT_HEAD, object: 'chat.completion.chunk', choices: [], usage: CHAT_USAGE },
  ],
  error: { error: { message: 'Slower', type: 'rate_limit_error', param: 'messages.0', code: 'rate_limit_exceeded' } },
}

function chunk(delta: JsonObject, logprobs: JsonObject | null = null): JsonObject {
  return {
    ...CHAT_HEAD,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, logprobs, finish_reason: null }],
  }
}

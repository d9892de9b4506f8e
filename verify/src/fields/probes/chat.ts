import type { JsonObject } from '../../fidelity/json.ts'
import { answer, ask, show } from '../../fidelity/wire/build.ts'
import { probesOf, type Probe, type Probes } from '../probe.ts'

const HELLO = { role: 'user', content: 'Hello' }
export const CALL = { id: 'call_1', type: 'function', function: { name: 'now', arguments: '{}' } }
const CUSTOM = { id: 'call_1', type: 'custom', custom: { name: 'shell', input: 'ls' } }
const TOOL = { type: 'function', function: { name: 'now' } }
const TEXT = { type: 'text', text: 'Look' }
const conversation = (...messages: readonly JsonObject[]) => ask.chat({ messages })
const part = (field: string, value: JsonObject): Probe => ({
  field: `messages[user].content[${field}]`,
  body: show.chat(TEXT, value),
  base: show.chat(TEXT),
})
const assistant = (members: JsonObject) =>
  conversation(HELLO, { role: 'assistant', content: 'Well', ...members }, HELLO)
const called = (call: JsonObject) =>
  conversation(
    HELLO,
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: 'noon' },
  )
const withTool = (members: JsonObject) =>
  ask.chat({ tools: [{ type: 'function', function: { name: 'now', ...members } }] })
const withTools = (members: JsonObject) =>
  ask.chat({ tools: [TOOL, { type: 'function', function: { name: 'then' } }], ...members })

const requests: readonly Probe[] = [
  {
    field: 'messages[system]',
    body: conversation({ role: 'system', content: 'Be brief.' }, HELLO),
    base: conversation(HELLO),
  },
  {
    field: 'messages[developer]',
    body: conversation({ role: 'developer', content: 'Be brief.' }, HELLO),
    base: conversation(HELLO),
  },
  { field: 'messages[user].name', body: conversation({ ...HELLO, name: 'ada' }), base: conversation(HELLO) },
  part('text', { type: 'text', text: 'again' }),
  part('image_url, data', { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } }),
  part('image_url, address', { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }),
  {
    field: 'messages[user].content[image_url].detail',
    body: show.chat({ type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } }),
    base: show.chat({ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }),
  },
  part('input_audio', { type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } }),
  part('file, file_data', { type: 'file', file: { file_data: 'data:application/pdf;base64,aGk=' } }),
  part('file, URL', { type: 'file', file: { file_data: 'https://example.com/a.pdf' } }),
  part('file, file_id', { type: 'file', file: { file_id: 'file-1' } }),
  {
    field: 'messages[user].content[file].filename',
    body: show.chat({ type: 'file', file: { file_data: 'data:application/pdf;base64,aGk=', filename: 'a.pdf' } }),
    base: show.chat({ type: 'file', file: { file_data: 'data:application/pdf;base64,aGk=' } }),
  },
  {
    field: 'messages[user].content[text].cache_control',
    body: show.chat({ ...TEXT, cache_control: { type: 'ephemeral' } }),
    base: show.chat(TEXT),
  },
  { field: 'messages[assistant].content', body: assistant({}), base: conversation(HELLO, HELLO) },
  ...probesOf('messages[assistant].', assistant, {
    refusal: 'I must not.',
    name: 'bob',
    audio: { id: 'audio_1' },
    reasoning: 'They greet.',
    reasoning_details: [{ type: 'reasoning.text', text: 'They greet.', signature: 'c2lnbmF0dXJl', index: 0 }],
  }),
  { field: 'messages[assistant].tool_calls[function]', body: called(CALL), base: conversation(HELLO) },
  { field: 'messages[assistant].tool_calls[custom]', body: called(CUSTOM), base: conversation(HELLO) },
  {
    field: 'messages[assistant].function_call, messages[function]',
    body: conversation(
      HELLO,
      { role: 'assistant', content: null, function_call: { name: 'now', arguments: '{}' } },
      { role: 'function', name: 'now', content: 'noon' },
    ),
    base: conversation(HELLO),
  },
  ...probesOf('', ask.chat, {
    max_completion_tokens: 100,
    max_tokens: 100,
    temperature: 0.5,
    top_p: 0.5,
    n: 2,
    frequency_penalty: 0.5,
    presence_penalty: 0.5,
    stop: ['END'],
    logit_bias: { '1': 1 },
    logprobs: true,
    seed: 7,
    user: 'user-1',
  }),
  { field: 'top_logprobs', body: ask.chat({ logprobs: true, top_logprobs: 3 }), base: ask.chat() },
  { field: 'tools[function]', body: ask.chat({ tools: [TOOL] }), base: ask.chat() },
  ...probesOf('tools[function].', withTool, {
    description: 'Tells the time',
    parameters: { type: 'object', properties: { zone: { type: 'string' } } },
    strict: true,
  }),
  {
    field: 'tools[custom]',
    body: ask.chat({ tools: [{ type: 'custom', custom: { name: 'shell' } }] }),
    base: ask.chat(),
  },
  ...['auto', 'none', 'required'].map((word) => ({
    field: `tool_choice: ${word}`,
    body: withTools({ tool_choice: word }),
    base: withTools({}),
  })),
  { field: 'tool_choice[function]', body: withTools({ tool_choice: TOOL }), base: withTools({}) },
  {
    field: 'tool_choice[allowed_tools]',
    body: withTools({
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'required', tools: [TOOL, { type: 'function', function: { name: 'then' } }] },
      },
    }),
    base: withTools({}),
  },
  ...probesOf('', withTools, { parallel_tool_calls: false }),
  ...probesOf('', ask.chat, { reasoning_effort: 'high' }, { max_completion_tokens: 32_000 }),
  ...Object.entries({ enabled: true, effort: 'high', max_tokens: 6000, exclude: true }).map(([member, value]) => ({
    field: `reasoning.${member}`,
    body: ask.chat({ max_completion_tokens: 32_000, reasoning: { [member]: value } }),
    base: ask.chat({ max_completion_tokens: 32_000 }),
  })),
  ...probesOf('', ask.chat, {
    verbosity: 'low',
    web_search_options: {},
    metadata: { team: 'search' },
    stream: true,
  }),
  ...['text', 'json_object'].map((type) => ({
    field: `response_format[${type}]`,
    body: ask.chat({ response_format: { type } }),
    base: ask.chat(),
  })),
  ...probesOf(
    'response_format[json_schema].',
    (members) => ask.chat({ response_format: { type: 'json_schema', json_schema: { name: 'a', ...members } } }),
    { schema: { type: 'object', properties: { a: { type: 'string' } } }, strict: true, description: 'An a' },
    {},
  ),
  ...probesOf('', ask.chat, {
    service_tier: 'flex',
    store: true,
    prompt_cache_key: 'a',
    safety_identifier: 'a',
    prediction: { type: 'content', content: 'Hello' },
    modalities: ['text', 'audio'],
    audio: { voice: 'alloy', format: 'wav' },
    provider: { type: 'priority' },
    model_routing_config: { preference: 'a' },
  }),
]

const message = (members: JsonObject) => answer.chat({ message: members })
const usage = (members: JsonObject) =>
  answer.chat({ body: { usage: { prompt_tokens: 100, completion_tokens: 50, ...members } } })

const answers: readonly Probe[] = [
  ...probesOf('', (body) => answer.chat({ body }), { id: 'other', model: 'other', created: 1_600_000_000 }),
  ...probesOf('choices[].message.', message, {
    content: 'Good night',
    refusal: 'I must not.',
    reasoning: 'They greet.',
    reasoning_content: 'They greet.',
    reasoning_details: [{ type: 'reasoning.text', text: 'They greet.', signature: 'c2lnbmF0dXJl', index: 0 }],
    annotations: [
      { type: 'url_citation', url_citation: { url: 'https://example.com', title: 'A', start_index: 0, end_index: 4 } },
    ],
    tool_calls: [CALL],
    audio: { id: 'audio_1', data: 'aGk=', transcript: 'Hi', expires_at: 1 },
  }),
  ...['length', 'tool_calls', 'content_filter'].map((word) => ({
    field: `choices[].finish_reason: ${word}`,
    body: answer.chat({ choice: { finish_reason: word } }),
    base: answer.chat(),
  })),
  {
    field: 'choices[].logprobs',
    body: answer.chat({
      choice: { logprobs: { content: [{ token: 'Good', logprob: -1, bytes: null, top_logprobs: [] }], refusal: null } },
    }),
    base: answer.chat(),
  },
  ...probesOf('usage.', usage, {
    prompt_tokens: 101,
    completion_tokens: 51,
    prompt_tokens_details: { cached_tokens: 80 },
    completion_tokens_details: { reasoning_tokens: 30 },
  }),
  ...probesOf('', (body) => answer.chat({ body }), { service_tier: 'default', system_fingerprint: 'fp_1' }),
]

/** All fields of chat, except those of streams. */
export const chatProbes: Probes = { requests, answers }

import type { AnswerCase, Expected, ScriptedAnswer } from '../subject.ts'

const HEAD = { id: 'resp_1', object: 'response', created_at: 1_760_000_000, model: 'suite-model-1' }
const USAGE = {
  input_tokens: 9,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 4,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 13,
}
const FAILURE = { code: 'server_error', message: 'Too many of you.' }
const CREATED = event('response.created', { response: responseOf('in_progress', []) })
const IN_PROGRESS = event('response.in_progress', { response: responseOf('in_progress', []) })
const ERROR = event('error', { ...FAILURE, param: null })
const FAILED = event('response.failed', { response: { ...responseOf('failed', []), error: FAILURE } })

const CALL = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'get_weather',
  arguments: '{"city":"Paris"}',
  status: 'completed',
}
const THOUGHT = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'Rayleigh?' }],
  encrypted_content: 'gAAAAsuite',
}

/** Responses that any upstream of the Responses protocol may give. */
export const responsesScripts: readonly AnswerCase[] = [
  answered(
    'a whole answer',
    { body: JSON.stringify(responseOf('completed', [messageOf('It scatters.')])) },
    { text: 'It scatters.', usage: { input: 9, output: 4 } },
  ),
  answered(
    'a stream with keep-alives, byte by byte',
    {
      frames: [
        CREATED,
        IN_PROGRESS,
        event('keepalive', {}),
        ...text(0, 'It ', 'scättérs.'),
        ...end(messageOf('It scättérs.')),
      ],
      sending: 'bytes',
    },
    { text: 'It scättérs.', usage: { input: 9, output: 4 } },
  ),
  answered(
    'a tool call in pieces',
    {
      frames: [
        CREATED,
        event('response.output_item.added', {
          output_index: 0,
          item: { ...CALL, arguments: '', status: 'in_progress' },
        }),
        ...['{"city":', '"Paris"}'].map((delta) =>
          event('response.function_call_arguments.delta', { item_id: 'fc_1', output_index: 0, delta }),
        ),
        event('response.function_call_arguments.done', { item_id: 'fc_1', output_index: 0, arguments: CALL.arguments }),
        event('response.output_item.done', { output_index: 0, item: CALL }),
        ...end(CALL),
      ],
    },
    { calls: [{ name: 'get_weather', input: { city: 'Paris' } }], finish: 'tool-calls' },
  ),
  answered(
    'a summary of encrypted reasoning',
    { frames: [CREATED, ...thought(), ...text(1, 'It scatters.'), ...end(THOUGHT, messageOf('It scatters.'))] },
    { reasoning: 'Rayleigh?', text: 'It scatters.' },
  ),
  answered(
    'an error event and a failure after some text',
    { frames: [CREATED, ...text(0, 'It ').slice(0, 3), ERROR, FAILED] },
    { error: true },
  ),
  answered('a failure instead of an answer', { frames: [CREATED, FAILED] }, { error: true }),
  answered('a stream that just stops', { frames: [CREATED, ...text(0, 'It ').slice(0, 3)] }, { error: true }),
  answered(
    'a stream whose connection breaks',
    { frames: [CREATED, ...text(0, 'It ').slice(0, 3)], sending: 'broken' },
    { error: true },
  ),
]

function answered(title: string, answer: ScriptedAnswer, expects: Expected): AnswerCase {
  return { title, protocol: 'responses', answer, expects }
}

function responseOf(status: string, output: readonly object[]): object {
  return {
    ...HEAD,
    status,
    error: null,
    incomplete_details: null,
    output,
    usage: status === 'completed' ? USAGE : null,
  }
}

function messageOf(words: string): object {
  const content = [{ type: 'output_text', text: words, annotations: [], logprobs: [] }]
  return { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content }
}

function event(type: string, members: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: 0, ...members })}\n\n`
}

/** A message in pieces; its first three events open it and give the first piece. */
function text(output_index: number, ...pieces: readonly string[]): string[] {
  const at = { item_id: 'msg_1', output_index, content_index: 0 }
  const words = pieces.join('')
  const part = { type: 'output_text', text: '', annotations: [], logprobs: [] }
  const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'in_progress', content: [] }
  return [
    event('response.output_item.added', { output_index, item }),
    event('response.content_part.added', { ...at, part }),
    ...pieces.map((delta) => event('response.output_text.delta', { ...at, delta, logprobs: [], obfuscation: 'x9' })),
    event('response.output_text.done', { ...at, text: words, logprobs: [] }),
    event('response.content_part.done', { ...at, part: { ...part, text: words } }),
    event('response.output_item.done', { output_index, item: messageOf(words) }),
  ]
}

function thought(): string[] {
  const at = { item_id: 'rs_1', output_index: 0, summary_index: 0 }
  const part = { type: 'summary_text', text: '' }
  return [
    // Real streams have another content here than at the end.
    event('response.output_item.added', {
      output_index: 0,
      item: { ...THOUGHT, summary: [], encrypted_content: 'gAAAAfirst' },
    }),
    event('response.reasoning_summary_part.added', { ...at, part }),
    event('response.reasoning_summary_text.delta', { ...at, delta: 'Rayleigh?' }),
    event('response.reasoning_summary_text.done', { ...at, text: 'Rayleigh?' }),
    event('response.reasoning_summary_part.done', { ...at, part: { ...part, text: 'Rayleigh?' } }),
    event('response.output_item.done', { output_index: 0, item: THOUGHT }),
  ]
}

function end(...output: readonly object[]): string[] {
  return [event('response.completed', { response: responseOf('completed', output) })]
}

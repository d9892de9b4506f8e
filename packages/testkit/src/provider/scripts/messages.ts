import type { AnswerCase, Expected, ScriptedAnswer } from '../subject.ts'

const HEAD = { id: 'msg_1', type: 'message', role: 'assistant', model: 'suite-model-1' }
const COUNTED = { usage: { input_tokens: 9, output_tokens: 4 } }
const START = event('message_start', {
  message: {
    ...HEAD,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 9, output_tokens: 0 },
  },
})
const ERROR = event('error', { error: { type: 'overloaded_error', message: 'Too many of you.' } })

/** Responses that any upstream of the messages protocol may give. */
export const messagesScripts: readonly AnswerCase[] = [
  answered('a whole answer', whole([{ type: 'text', text: 'It scatters.' }]), {
    text: 'It scatters.',
    usage: { input: 9, output: 4 },
  }),
  answered(
    'a stream with pings, byte by byte',
    {
      frames: [START, event('ping', {}), ...block(0, ...text('It ', 'scättérs.')), ...stop('end_turn')],
      sending: 'bytes',
    },
    { text: 'It scättérs.', usage: { input: 9, output: 4 } },
  ),
  answered(
    'a tool call in pieces',
    {
      frames: [
        START,
        ...block(
          0,
          { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: {} },
          { type: 'input_json_delta', partial_json: '{"city":' },
          { type: 'input_json_delta', partial_json: '"Paris"}' },
        ),
        ...stop('tool_use'),
      ],
    },
    { calls: [{ name: 'get_weather', input: { city: 'Paris' } }], finish: 'tool-calls' },
  ),
  answered(
    'thinking with an empty signature',
    {
      frames: [
        START,
        ...block(
          0,
          { type: 'thinking', thinking: '', signature: '' },
          { type: 'thinking_delta', thinking: 'Rayleigh?' },
          { type: 'signature_delta', signature: '' },
        ),
        ...block(1, ...text('It scatters.')),
        ...stop('end_turn'),
      ],
    },
    { reasoning: 'Rayleigh?', text: 'It scatters.' },
  ),
  answered('an error event after some text', { frames: [START, ...block(0, ...text('It ')), ERROR] }, { error: true }),
  answered('an error event instead of the start', { frames: [ERROR] }, { error: true }),
  answered('a stream that just stops', { frames: [START, ...block(0, ...text('It '))] }, { error: true }),
  answered(
    'a stream whose connection breaks',
    { frames: [START, ...block(0, ...text('It '))], sending: 'broken' },
    { error: true },
  ),
]

function answered(title: string, answer: ScriptedAnswer, expects: Expected): AnswerCase {
  return { title, protocol: 'messages', answer, expects }
}

function whole(content: readonly object[]): ScriptedAnswer {
  return { body: JSON.stringify({ ...HEAD, content, stop_reason: 'end_turn', stop_sequence: null, ...COUNTED }) }
}

function event(type: string, members: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`
}

function block(index: number, content_block: object, ...deltas: readonly object[]): string[] {
  return [
    event('content_block_start', { index, content_block }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ]
}

function text(...pieces: readonly string[]): [object, ...object[]] {
  return [{ type: 'text', text: '' }, ...pieces.map((piece) => ({ type: 'text_delta', text: piece }))]
}

function stop(stop_reason: string): string[] {
  return [
    event('message_delta', { delta: { stop_reason, stop_sequence: null }, ...COUNTED }),
    event('message_stop', {}),
  ]
}

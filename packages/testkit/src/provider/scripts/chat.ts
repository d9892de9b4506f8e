import type { AnswerCase, Expected, ScriptedAnswer } from '../subject.ts'

const HEAD = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'suite-model-1' }
const COUNTED = { usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 } }

/** A whole response, with usage by default. */
export function chatAnswer(message: object, more: object = COUNTED): ScriptedAnswer {
  const choices = [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }]
  return { body: JSON.stringify({ ...HEAD, object: 'chat.completion', choices, ...more }) }
}

export function chatChunk(members: object): string {
  return `data: ${JSON.stringify({ ...HEAD, object: 'chat.completion.chunk', ...members })}\n\n`
}

/** One chunk per delta. */
export function chatDeltas(...deltas: readonly object[]): string[] {
  return deltas.map((delta) => chatChunk({ choices: [{ index: 0, delta, finish_reason: null }] }))
}

export function chatEnd(finish_reason: string, more: object = {}): string {
  return chatChunk({ choices: [{ index: 0, delta: {}, finish_reason }], ...more })
}

export const CHAT_USAGE = chatChunk({ choices: [], ...COUNTED })
export const CHAT_DONE = 'data: [DONE]\n\n'
const ERROR = 'data: {"error":{"message":"Too many calls.","type":"server_error","code":503}}\n\n'

/** Responses that any upstream of the chat protocol may give. */
export const chatScripts: readonly AnswerCase[] = [
  answered('a whole response', chatAnswer({ content: 'It scatters.' }), {
    text: 'It scatters.',
    usage: { input: 9, output: 4 },
  }),
  answered('a response without usage', chatAnswer({ content: 'It scatters.' }, {}), {
    text: 'It scatters.',
    usage: 'unknown',
  }),
  answered(
    'a stream with CRLF lines and comments, byte by byte',
    {
      frames: [
        ': keep-alive\n\n',
        ...chatDeltas({ role: 'assistant', content: '' }, { content: 'It ' }, { content: 'scättérs.' }),
        ': OPENROUTER PROCESSING\n\n',
        chatEnd('stop'),
        CHAT_USAGE,
        CHAT_DONE,
      ].map((frame) => frame.replaceAll('\n', '\r\n')),
      sending: 'bytes',
    },
    { text: 'It scättérs.', usage: { input: 9, output: 4 } },
  ),
  answered('a stream without usage', streamed({ content: 'It scatters.' }), { text: 'It scatters.', usage: 'unknown' }),
  answered(
    'usage on the chunk that finishes',
    { frames: [...chatDeltas({ content: 'It scatters.' }), chatEnd('stop', COUNTED), CHAT_DONE] },
    { text: 'It scatters.', usage: { input: 9, output: 4 } },
  ),
  answered(
    'tool calls in pieces',
    calling(
      { index: 0, id: 'a', type: 'function', function: { name: 'get_weather', arguments: '{"ci' } },
      { index: 0, function: { arguments: 'ty":"Paris"}' } },
      { index: 1, id: 'b', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Rome"}' } },
    ),
    { calls: [weather('Paris'), weather('Rome')], finish: 'tool-calls' },
  ),
  answered(
    'tool calls without an index, each whole',
    calling(
      { id: 'a', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } },
      { id: 'b', function: { name: 'get_weather', arguments: '{"city":"Rome"}' } },
    ),
    { calls: [weather('Paris'), weather('Rome')], finish: 'tool-calls' },
  ),
  answered(
    'tool calls that continue with an empty id and name',
    calling(
      { index: 0, id: 'a', type: 'function', function: { name: 'get_weather', arguments: '{"city":' } },
      { index: 0, id: '', type: 'function', function: { name: '', arguments: '"Paris"}' } },
    ),
    { calls: [weather('Paris')], finish: 'tool-calls' },
  ),
  answered(
    'a call with the finish reason stop',
    {
      frames: [
        ...chatDeltas({ tool_calls: [{ index: 0, id: 'a', function: { name: 'get_weather', arguments: '{}' } }] }),
        chatEnd('stop'),
        CHAT_DONE,
      ],
    },
    { calls: [{ name: 'get_weather', input: {} }], finish: 'tool-calls' },
  ),
  ...['reasoning_content', 'reasoning'].flatMap((member) => [
    answered(`reasoning in ${member}`, chatAnswer({ [member]: 'Rayleigh?', content: 'It scatters.' }), {
      reasoning: 'Rayleigh?',
      text: 'It scatters.',
    }),
    answered(
      `streamed reasoning in ${member}`,
      streamed({ [member]: 'Ray' }, { [member]: 'leigh?', content: '' }, { content: 'It scatters.' }),
      { reasoning: 'Rayleigh?', text: 'It scatters.' },
    ),
  ]),
  answered('an error instead of the first chunk', { frames: [ERROR, CHAT_DONE] }, { error: true }),
  answered('an error after some text', { frames: [...chatDeltas({ content: 'It ' }), ERROR] }, { error: true }),
  answered(
    'an error as JSON with status 200 instead of a stream',
    { frames: ['{"code":"busy","error":"Too many calls."}'], headers: { 'content-type': 'application/json' } },
    { error: true },
  ),
  answered(
    'a stream that stops without an end',
    { frames: chatDeltas({ content: 'It ' }, { content: 'scat' }) },
    { error: true },
  ),
  answered(
    'a stream whose connection breaks',
    { frames: chatDeltas({ content: 'It ' }, { content: 'scat' }), sending: 'broken' },
    { error: true },
  ),
]

function answered(title: string, answer: ScriptedAnswer, expects: Expected): AnswerCase {
  return { title, protocol: 'chat', answer, expects }
}

function streamed(...deltas: readonly object[]): ScriptedAnswer {
  return { frames: [...chatDeltas(...deltas), chatEnd('stop'), CHAT_DONE] }
}

function calling(...calls: readonly object[]): ScriptedAnswer {
  const deltas = calls.map((call) => ({ tool_calls: [call] }))
  return { frames: [...chatDeltas(...deltas), chatEnd('tool_calls'), CHAT_DONE] }
}

function weather(city: string) {
  return { name: 'get_weather', input: { city } }
}

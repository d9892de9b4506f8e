import type { JsonObject } from '../../fidelity/json.ts'
import { frames, messageStart } from '../../fidelity/wire/frames.ts'
import type { EventProbe } from '../probe.ts'
import { USE, SEARCH } from './messages.ts'

const end = [
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 50 } },
  { type: 'message_stop' },
]
const block = (shown: JsonObject, ...deltas: readonly JsonObject[]) => [
  { type: 'content_block_start', index: 0, content_block: shown },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
  { type: 'content_block_stop', index: 0 },
]
const blocks = (event: string, shown: JsonObject): EventProbe => ({
  event: `content_block_start[${event}]`,
  stream: frames(messageStart, ...block(shown), ...endOf(event)),
  base: frames(messageStart, ...endOf(event)),
})
/** The stop reason of a turn with calls. */
const endOf = (type: string) =>
  type === 'tool_use'
    ? [
        { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: {} },
        { type: 'message_stop' },
      ]
    : end
const deltas = (event: string, shown: JsonObject, delta: JsonObject): EventProbe => ({
  event: `content_block_delta[${event}]`,
  stream: frames(messageStart, ...block(shown, { type: event, ...delta }), ...end),
  base: frames(messageStart, ...block(shown), ...end),
})
const EMPTY = { type: 'text', text: '' }
const THOUGHT = { type: 'thinking', thinking: '', signature: '' }

/** Every kind of event in a messages stream. */
export const messagesEvents: readonly EventProbe[] = [
  { event: 'message_start', stream: frames(messageStart, ...end), base: '' },
  { event: 'ping', stream: frames(messageStart, { type: 'ping' }, ...end), base: frames(messageStart, ...end) },
  blocks('tool_use', { ...USE, input: {} }),
  blocks('redacted_thinking', { type: 'redacted_thinking', data: 'c2VjcmV0' }),
  blocks('server_tool_use', { ...SEARCH, input: {} }),
  deltas('text_delta', EMPTY, { text: 'Good day' }),
  deltas('thinking_delta', THOUGHT, { thinking: 'They greet.' }),
  deltas('signature_delta', THOUGHT, { signature: 'c2lnbmF0dXJl' }),
  deltas('input_json_delta', USE, { partial_json: '{"zone":"CET"}' }),
  deltas(
    'citations_delta',
    { type: 'text', text: 'A' },
    {
      citation: {
        type: 'web_search_result_location',
        cited_text: 'a',
        url: 'https://example.com',
        title: 'A',
        encrypted_index: 'c2Vj',
      },
    },
  ),
  { event: 'message_delta', stream: frames(messageStart, ...end), base: frames(messageStart, ...end.slice(1)) },
  { event: 'message_stop', stream: frames(messageStart, ...end), base: frames(messageStart, ...end.slice(0, 1)) },
  {
    event: 'error',
    stream: frames(messageStart, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
    base: frames(messageStart, ...end),
  },
]

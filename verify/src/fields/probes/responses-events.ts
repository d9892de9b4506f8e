import type { JsonObject } from '../../fidelity/json.ts'
import { answer, functionCall, spoken, summarized } from '../../fidelity/wire/build.ts'
import { frames } from '../../fidelity/wire/frames.ts'
import type { EventProbe } from '../probe.ts'

const stream = (...events: readonly JsonObject[]) =>
  frames(
    ...events.map((event, sequence_number) => ({
      ...event,
      type: `response.${String(event['type'])}`,
      sequence_number,
    })),
  )
const created = {
  type: 'created',
  response: answer.responses({ output: [], body: { status: 'in_progress', usage: null } }),
}
const completed = (...output: readonly JsonObject[]) => ({ type: 'completed', response: answer.responses({ output }) })
const position = { item_id: 'msg_1', output_index: 0, content_index: 0 }
const added = (item: JsonObject) => ({ type: 'output_item.added', output_index: 0, item })
const done = (item: JsonObject) => ({ type: 'output_item.done', output_index: 0, item })

/** Deltas of an item, before its end. */
const deltas = (type: string, whole: JsonObject, shell: JsonObject, members: JsonObject): EventProbe => ({
  event: `response.${type}`,
  stream: stream(
    created,
    added(shell),
    { type, output_index: 0, item_id: whole['id'], ...members },
    done(whole),
    completed(whole),
  ),
  base: stream(created, added(shell), completed()),
})
const whole = (type: string, item: JsonObject): EventProbe => ({
  event: `response.output_item.done[${type}]`,
  stream: stream(created, added(item), done(item), completed(item)),
  base: stream(created, completed()),
})
const WORDS = spoken('Good day')
const WRITTEN = [added(spoken()), { type: 'output_text.delta', ...position, delta: 'Good day' }]
const CITATION = { type: 'url_citation', url: 'https://example.com', title: 'A', start_index: 0, end_index: 4 }
const CITED = { ...spoken(), content: [{ type: 'output_text', text: 'Good day', annotations: [CITATION] }] }
const REFUSAL = { ...spoken(), content: [{ type: 'refusal', refusal: 'No.' }] }
const CALL = functionCall('call_1', 'now', '{}')
const CUSTOM = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_1', name: 'shell', input: 'ls' }
const THOUGHT = summarized('They greet.', 'c2VjcmV0')

/** Every kind of event in a Responses stream that is read. */
export const responsesEvents: readonly EventProbe[] = [
  { event: 'response.created', stream: stream(created, completed()), base: '' },
  {
    event: 'response.in_progress',
    stream: stream(created, { ...created, type: 'in_progress' }, completed()),
    base: stream(created, completed()),
  },
  deltas('output_text.delta', WORDS, spoken(), { content_index: 0, delta: 'Good day' }),
  deltas('refusal.delta', REFUSAL, spoken(), { content_index: 0, delta: 'No.' }),
  deltas(
    'reasoning_summary_text.delta',
    THOUGHT,
    { ...THOUGHT, summary: [] },
    { summary_index: 0, delta: 'They greet.' },
  ),
  deltas('function_call_arguments.delta', CALL, { ...CALL, arguments: '' }, { delta: '{}' }),
  deltas('custom_tool_call_input.delta', CUSTOM, { ...CUSTOM, input: '' }, { delta: 'ls' }),
  {
    event: 'response.output_text.annotation.added',
    stream: stream(
      created,
      ...WRITTEN,
      { type: 'output_text.annotation.added', ...position, annotation_index: 0, annotation: CITATION },
      done(CITED),
      completed(CITED),
    ),
    base: stream(created, ...WRITTEN, done(WORDS), completed(WORDS)),
  },
  whole('reasoning, encrypted', { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'c2VjcmV0' }),
  whole('web_search_call', {
    type: 'web_search_call',
    id: 'ws_1',
    status: 'completed',
    action: { type: 'search', query: 'sky' },
  }),
  { event: 'response.completed', stream: stream(created, completed()), base: stream(created) },
  {
    event: 'response.incomplete',
    stream: stream(created, {
      type: 'incomplete',
      response: answer.responses({
        output: [],
        body: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
      }),
    }),
    base: stream(created, completed()),
  },
  {
    event: 'response.failed',
    stream: stream(created, {
      type: 'failed',
      response: answer.responses({
        output: [],
        body: { status: 'failed', error: { code: 'server_error', message: 'Broken' } },
      }),
    }),
    base: stream(created, completed()),
  },
]

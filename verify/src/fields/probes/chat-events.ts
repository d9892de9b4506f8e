import type { JsonObject } from '../../fidelity/json.ts'
import type { EventProbe } from '../probe.ts'
import { CALL } from './chat.ts'

const chunk = (choice: JsonObject) => ({
  id: 'answer-1',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'model-1',
  choices: [{ index: 0, finish_reason: null, ...choice }],
})
const stream = (...chunks: readonly (JsonObject | undefined)[]) =>
  chunks.map((each) => (each === undefined ? '' : `data: ${JSON.stringify(each)}\n\n`)).join('') + 'data: [DONE]\n\n'
const start = chunk({ delta: { role: 'assistant', content: '' } })
const end = chunk({ delta: {}, finish_reason: 'stop' })
const event = (name: string, value: JsonObject, before?: JsonObject): EventProbe => ({
  event: name,
  stream: stream(start, before, value, end),
  base: stream(start, before, end),
})
const counted = { ...chunk({}), choices: [], usage: { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 } }
const opened = chunk({ delta: { tool_calls: [{ index: 0, ...CALL, function: { name: 'now', arguments: '' } }] } })

/** Every kind of event in a chat stream. */
export const chatEvents: readonly EventProbe[] = [
  event('delta.content', chunk({ delta: { content: 'Good day' } })),
  event('delta.refusal', chunk({ delta: { refusal: 'I must not.' } })),
  event('delta.reasoning', chunk({ delta: { reasoning: 'They greet.' } })),
  event('delta.reasoning_content', chunk({ delta: { reasoning_content: 'They greet.' } })),
  event(
    'delta.reasoning_details',
    chunk({
      delta: { reasoning_details: [{ type: 'reasoning.text', text: 'They greet.', signature: 'c2ln', index: 0 }] },
    }),
  ),
  event('delta.tool_calls, the first piece', opened),
  event(
    'delta.tool_calls, further pieces',
    chunk({ delta: { tool_calls: [{ index: 0, function: { arguments: '{"zone":"CET"}' } }] } }),
    opened,
  ),
  event(
    'delta.annotations',
    chunk({ delta: { annotations: [{ type: 'url_citation', url_citation: { url: 'https://example.com' } }] } }),
    chunk({ delta: { content: 'Good' } }),
  ),
  {
    event: 'logprobs',
    stream: stream(
      start,
      chunk({ delta: { content: 'A' }, logprobs: { content: [{ token: 'A', logprob: -1 }] } }),
      end,
    ),
    base: stream(start, chunk({ delta: { content: 'A' } }), end),
  },
  { event: 'finish_reason', stream: stream(start, end), base: `data: ${JSON.stringify(start)}\n\n` },
  { event: 'usage', stream: stream(start, end, counted), base: stream(start, end) },
  {
    event: 'error',
    stream: stream(start, { error: { message: 'Overloaded', type: 'server_error' } }),
    base: stream(start, end),
  },
]

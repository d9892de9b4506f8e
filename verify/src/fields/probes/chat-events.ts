import type { JsonObject } from '../../fidelity/json.ts'
import { chatChunk, frames } from '../../fidelity/wire/frames.ts'
import type { EventProbe } from '../probe.ts'
import { CALL } from './chat.ts'

const stream = (...chunks: readonly (JsonObject | undefined)[]) =>
  `${frames(...chunks.filter((each) => each !== undefined))}data: [DONE]\n\n`
const start = chatChunk({ delta: { role: 'assistant', content: '' } })
const end = chatChunk({ delta: {}, finish_reason: 'stop' })
const event = (name: string, value: JsonObject, before?: JsonObject): EventProbe => ({
  event: name,
  stream: stream(start, before, value, end),
  base: stream(start, before, end),
})
const counted = {
  ...chatChunk({}),
  choices: [],
  usage: { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 },
}
const opened = chatChunk({ delta: { tool_calls: [{ index: 0, ...CALL, function: { name: 'now', arguments: '' } }] } })

/** Every kind of event in a chat stream. */
export const chatEvents: readonly EventProbe[] = [
  event('delta.content', chatChunk({ delta: { content: 'Good day' } })),
  event('delta.refusal', chatChunk({ delta: { refusal: 'I must not.' } })),
  event('delta.reasoning', chatChunk({ delta: { reasoning: 'They greet.' } })),
  event('delta.reasoning_content', chatChunk({ delta: { reasoning_content: 'They greet.' } })),
  event(
    'delta.reasoning_details',
    chatChunk({
      delta: { reasoning_details: [{ type: 'reasoning.text', text: 'They greet.', signature: 'c2ln', index: 0 }] },
    }),
  ),
  event('delta.tool_calls, the first piece', opened),
  event(
    'delta.tool_calls, further pieces',
    chatChunk({ delta: { tool_calls: [{ index: 0, function: { arguments: '{"zone":"CET"}' } }] } }),
    opened,
  ),
  event(
    'delta.annotations',
    chatChunk({ delta: { annotations: [{ type: 'url_citation', url_citation: { url: 'https://example.com' } }] } }),
    chatChunk({ delta: { content: 'Good' } }),
  ),
  {
    event: 'logprobs',
    stream: stream(
      start,
      chatChunk({ delta: { content: 'A' }, logprobs: { content: [{ token: 'A', logprob: -1 }] } }),
      end,
    ),
    base: stream(start, chatChunk({ delta: { content: 'A' } }), end),
  },
  { event: 'finish_reason', stream: stream(start, end), base: frames(start) },
  { event: 'usage', stream: stream(start, end, counted), base: stream(start, end) },
  {
    event: 'error',
    stream: stream(start, { error: { message: 'Overloaded', type: 'server_error' } }),
    base: stream(start, end),
  },
]

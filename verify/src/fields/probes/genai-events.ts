import type { JsonObject } from '../../fidelity/json.ts'
import type { EventProbe } from '../probe.ts'
import { CALL, IMAGE } from './genai.ts'

const chunk = (candidate: JsonObject, more: JsonObject = {}) => ({
  candidates: [{ index: 0, ...candidate }],
  modelVersion: 'model-1',
  responseId: 'answer-1',
  ...more,
})
const stream = (...chunks: readonly JsonObject[]) => chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')
const speaking = (...parts: readonly JsonObject[]) => chunk({ content: { role: 'model', parts } })
const end = chunk({ finishReason: 'STOP' })
const event = (name: string, value: JsonObject): EventProbe => ({
  event: name,
  stream: stream(value, end),
  base: stream(end),
})

/** Every kind of event in a genai stream. */
export const genaiEvents: readonly EventProbe[] = [
  event('parts[text]', speaking({ text: 'Good day' })),
  event('parts[thought]', speaking({ text: 'They greet.', thought: true })),
  {
    event: 'parts[].thoughtSignature',
    stream: stream(speaking({ text: 'They greet.', thought: true, thoughtSignature: 'c2lnbmF0dXJl' }), end),
    base: stream(speaking({ text: 'They greet.', thought: true }), end),
  },
  event('parts[functionCall]', speaking(CALL)),
  {
    event: 'parts[functionCall.partialArgs]',
    stream: stream(
      speaking({ functionCall: { id: 'call_1', name: 'now', willContinue: true } }),
      speaking({ functionCall: { partialArgs: [{ jsonPath: '$.zone', stringValue: 'CET' }] } }),
      end,
    ),
    base: stream(end),
  },
  event('parts[inlineData]', speaking(IMAGE)),
  event('parts[executableCode]', speaking({ executableCode: { language: 'PYTHON', code: 'print(1)' } })),
  {
    event: 'citationMetadata',
    stream: stream(
      speaking({ text: 'Good day' }),
      chunk({ finishReason: 'STOP', citationMetadata: { citations: [{ endIndex: 4, uri: 'https://example.com' }] } }),
    ),
    base: stream(speaking({ text: 'Good day' }), end),
  },
  { event: 'finishReason', stream: stream(speaking({ text: 'Good' }), end), base: stream(speaking({ text: 'Good' })) },
  {
    event: 'usageMetadata',
    stream: stream(
      chunk({ finishReason: 'STOP' }, { usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 50 } }),
    ),
    base: stream(end),
  },
  {
    event: 'promptFeedback',
    stream: stream({ promptFeedback: { blockReason: 'SAFETY' }, responseId: 'answer-1', modelVersion: 'model-1' }),
    base: stream(end),
  },
  {
    event: 'error',
    stream: stream({ error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } }),
    base: stream(end),
  },
]

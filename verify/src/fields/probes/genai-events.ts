import type { JsonObject } from '../../fidelity/json.ts'
import { frames, genaiChunk } from '../../fidelity/wire/frames.ts'
import type { EventProbe } from '../probe.ts'
import { CALL, IMAGE } from './genai.ts'

const speaking = (...parts: readonly JsonObject[]) => genaiChunk({ content: { role: 'model', parts } })
const end = genaiChunk({ finishReason: 'STOP' })
const event = (name: string, value: JsonObject): EventProbe => ({
  event: name,
  stream: frames(value, end),
  base: frames(end),
})

/** Every kind of event in a genai stream. */
export const genaiEvents: readonly EventProbe[] = [
  event('parts[text]', speaking({ text: 'Good day' })),
  event('parts[thought]', speaking({ text: 'They greet.', thought: true })),
  {
    event: 'parts[].thoughtSignature',
    stream: frames(speaking({ text: 'They greet.', thought: true, thoughtSignature: 'c2lnbmF0dXJl' }), end),
    base: frames(speaking({ text: 'They greet.', thought: true }), end),
  },
  event('parts[functionCall]', speaking(CALL)),
  {
    event: 'parts[functionCall.partialArgs]',
    stream: frames(
      speaking({ functionCall: { id: 'call_1', name: 'now', willContinue: true } }),
      speaking({ functionCall: { partialArgs: [{ jsonPath: '$.zone', stringValue: 'CET' }] } }),
      end,
    ),
    base: frames(end),
  },
  event('parts[inlineData]', speaking(IMAGE)),
  event('parts[executableCode]', speaking({ executableCode: { language: 'PYTHON', code: 'print(1)' } })),
  {
    event: 'citationMetadata',
    stream: frames(
      speaking({ text: 'Good day' }),
      genaiChunk({
        finishReason: 'STOP',
        citationMetadata: { citations: [{ endIndex: 4, uri: 'https://example.com' }] },
      }),
    ),
    base: frames(speaking({ text: 'Good day' }), end),
  },
  { event: 'finishReason', stream: frames(speaking({ text: 'Good' }), end), base: frames(speaking({ text: 'Good' })) },
  {
    event: 'usageMetadata',
    stream: frames(
      genaiChunk({ finishReason: 'STOP' }, { usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 50 } }),
    ),
    base: frames(end),
  },
  {
    event: 'promptFeedback',
    stream: frames({ promptFeedback: { blockReason: 'SAFETY' }, responseId: 'answer-1', modelVersion: 'model-1' }),
    base: frames(end),
  },
  {
    event: 'error',
    stream: frames({ error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } }),
    base: frames(end),
  },
]

import type { JsonObject } from '../json.ts'

/** Server-sent events as on the wire. Those with a type are named by it. */
export function frames(...events: readonly JsonObject[]): string {
  return events
    .map((event) => {
      const { type } = event
      return `${typeof type === 'string' ? `event: ${type}\n` : ''}data: ${JSON.stringify(event)}\n\n`
    })
    .join('')
}

/** One chunk of a chat stream. */
export function chatChunk(choice: JsonObject): JsonObject {
  return {
    id: 'answer-1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'model-1',
    choices: [{ index: 0, finish_reason: null, ...choice }],
  }
}

/** One chunk of a genai stream. */
export function genaiChunk(candidate: JsonObject, more: JsonObject = {}): JsonObject {
  return { candidates: [{ index: 0, ...candidate }], modelVersion: 'model-1', responseId: 'answer-1', ...more }
}

/** The first event of a messages stream. */
export const messageStart: JsonObject = {
  type: 'message_start',
  message: {
    id: 'answer-1',
    type: 'message',
    role: 'assistant',
    model: 'model-1',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 1 },
  },
}

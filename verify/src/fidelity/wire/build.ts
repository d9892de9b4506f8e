import type { JsonObject, JsonValue } from '../json.ts'

const MODEL = 'model-1'

/** Requests: a question, and the members that the caller adds. */
export const ask = {
  chat: (more: JsonObject = {}): JsonObject => ({
    model: MODEL,
    messages: [{ role: 'user', content: 'Hello' }],
    ...more,
  }),
  messages: (more: JsonObject = {}): JsonObject => ({
    model: MODEL,
    max_tokens: 32_000,
    messages: [{ role: 'user', content: 'Hello' }],
    ...more,
  }),
  genai: (more: JsonObject = {}): JsonObject => ({ contents: [{ role: 'user', parts: [{ text: 'Hello' }] }], ...more }),
  responses: (more: JsonObject = {}): JsonObject => ({
    model: MODEL,
    input: [{ role: 'user', content: 'Hello' }],
    ...more,
  }),
}

/** Requests with these parts in the user's turn. */
export const show = {
  chat: (...content: readonly JsonValue[]): JsonObject => ask.chat({ messages: [{ role: 'user', content }] }),
  messages: (...content: readonly JsonValue[]): JsonObject => ask.messages({ messages: [{ role: 'user', content }] }),
  genai: (...parts: readonly JsonValue[]): JsonObject => ask.genai({ contents: [{ role: 'user', parts }] }),
  responses: (...content: readonly JsonValue[]): JsonObject => ask.responses({ input: [{ role: 'user', content }] }),
}

/** Requests with generation settings, for which only genai has a separate object. */
export const tune = (config: JsonObject): JsonObject => ask.genai({ generationConfig: config })

/** Words of the model in a Responses request. */
export const assistant = (text: string): JsonObject => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
})

/** Items of a Responses response. */
export const spoken = (...texts: readonly string[]): JsonObject => ({
  type: 'message',
  id: 'msg_1',
  status: 'completed',
  role: 'assistant',
  content: texts.map((text) => ({ type: 'output_text', text, annotations: [], logprobs: [] })),
})
export const functionCall = (id: string, name: string, text: string): JsonObject => ({
  type: 'function_call',
  id: `fc_${id}`,
  status: 'completed',
  call_id: id,
  name,
  arguments: text,
})
export const summarized = (text: string, seal?: string): JsonObject => ({
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text }],
  ...(seal === undefined ? {} : { encrypted_content: seal }),
})

interface Answer {
  readonly chat: { readonly message?: JsonObject; readonly choice?: JsonObject; readonly body?: JsonObject }
  readonly messages: { readonly content?: readonly JsonValue[]; readonly body?: JsonObject }
  readonly responses: { readonly output?: readonly JsonValue[]; readonly body?: JsonObject }
  readonly genai: { readonly parts?: readonly JsonValue[]; readonly candidate?: JsonObject; readonly body?: JsonObject }
}

/** Whole responses: a greeting, and the members that the caller adds. */
export const answer = {
  chat: ({ message, choice, body }: Answer['chat'] = {}): JsonObject => ({
    id: 'answer-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: MODEL,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Good day', refusal: null, ...message },
        logprobs: null,
        finish_reason: 'stop',
        ...choice,
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 },
    ...body,
  }),
  messages: ({ content, body }: Answer['messages'] = {}): JsonObject => ({
    id: 'answer-1',
    type: 'message',
    role: 'assistant',
    model: MODEL,
    content: content ?? [{ type: 'text', text: 'Good day' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 50 },
    ...body,
  }),
  genai: ({ parts, candidate, body }: Answer['genai'] = {}): JsonObject => ({
    responseId: 'answer-1',
    modelVersion: MODEL,
    createTime: '2023-11-14T22:13:20Z',
    candidates: [
      {
        content: { role: 'model', parts: parts ?? [{ text: 'Good day' }] },
        finishReason: 'STOP',
        index: 0,
        ...candidate,
      },
    ],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 50, totalTokenCount: 150 },
    ...body,
  }),
  responses: ({ output, body }: Answer['responses'] = {}): JsonObject => ({
    id: 'answer-1',
    object: 'response',
    created_at: 1_700_000_000,
    status: 'completed',
    model: MODEL,
    error: null,
    incomplete_details: null,
    output: output ?? [spoken('Good day')],
    usage: { input_tokens: 100, output_tokens: 50, total_tokens: 150 },
    ...body,
  }),
}

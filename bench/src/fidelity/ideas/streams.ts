import { fact, type Fact, type ProtocolName } from '../fact.ts'
import { listOf, objectOf, textOf, type JsonObject, type JsonValue } from '../json.ts'
import { at, has, pick } from '../look.ts'

const chatChunk = (choice: JsonObject) => ({
  id: 'answer-1',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'model-1',
  choices: [{ index: 0, finish_reason: null, ...choice }],
})
const genaiChunk = (candidate: JsonObject, more: JsonObject = {}) => ({
  candidates: [{ index: 0, ...candidate }],
  modelVersion: 'model-1',
  responseId: 'answer-1',
  ...more,
})

/** Frames as on the wire. */
const sse = (...events: readonly JsonObject[]) =>
  events
    .map(
      (event) =>
        (typeof event['type'] === 'string' ? `event: ${event['type']}\n` : '') + `data: ${JSON.stringify(event)}\n\n`,
    )
    .join('')

const start = {
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
const opened = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }
const words = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Good' } }

const typesOf = (body: JsonValue) => pick(body, 'events.*.type').map(textOf)
const text: Fact = fact('the words so far', /nothing/, {
  chat: at('choices.0.message.content', 'Good'),
  messages: has('content.*', { text: 'Good' }),
  genai: has('candidates.0.content.parts.*', { text: 'Good' }),
})

/** Every block is opened before its deltas and closed once, indexes have no gaps, and nothing follows the end. */
function wellFormed(body: JsonValue): 'kept' | 'wrong' {
  const types = typesOf(body)
  const once = ['message_start', 'message_delta', 'message_stop'].every(
    (type) => types.filter((it) => it === type).length === 1,
  )
  if (!once || types[0] !== 'message_start' || types.at(-1) !== 'message_stop') return 'wrong'
  let open = -1
  let next = 0
  for (const event of pick(body, 'events.*')) {
    const { type, index } = objectOf(event)
    if (type === 'content_block_start') {
      if (open !== -1 || index !== next) return 'wrong'
      open = next++
    } else if (type === 'content_block_delta' && index !== open) return 'wrong'
    else if (type === 'content_block_stop') {
      if (index !== open) return 'wrong'
      open = -1
    }
  }
  return open === -1 ? 'kept' : 'wrong'
}

/** Facts of every stream: what the clients of a protocol need to read it. */
export const FORM: Fact = fact('a stream that clients can read', /nothing/, {
  chat: (body) => {
    const choices = pick(body, 'events.*.choices.0').map(objectOf)
    const roles = choices.map((choice) => objectOf(choice['delta'])['role'])
    const calls = choices.flatMap((choice) => listOf(objectOf(choice['delta'])['tool_calls'])).map(objectOf)
    const ended = choices.filter((choice) => choice['finish_reason'] != null).length
    const numbered = calls.every((call) => Number.isInteger(call['index']))
    return roles[0] === 'assistant' && ended === 1 && numbered ? 'kept' : 'wrong'
  },
  messages: wellFormed,
  genai: (body) => {
    const reasons = pick(body, 'events.*.candidates.0.finishReason')
    const unnamed = typesOf(body).every((type) => type === '')
    return (reasons.length === 1 || pick(body, 'events.*.promptFeedback').length > 0) && unnamed ? 'kept' : 'wrong'
  },
})

const failed: Fact = fact('that the answer failed', /nothing/, {
  chat: has('events.*.error.message', /./),
  messages: has('events.*', { type: 'error', error: { message: /./ } }),
  genai: has('events.*.error.message', /./),
})

/** Features of streams only. Each stream is written by hand. */
export const streams: readonly {
  readonly name: string
  readonly in: { readonly [Name in ProtocolName]?: string }
  readonly facts: readonly Fact[]
}[] = [
  {
    name: 'an error in the middle',
    in: {
      chat: sse(chatChunk({ delta: { role: 'assistant', content: 'Good' } }), {
        error: { message: 'Overloaded', type: 'server_error', param: null, code: null },
      }),
      messages: sse(start, opened, words, {
        type: 'error',
        error: { type: 'overloaded_error', message: 'Overloaded' },
      }),
      genai: sse(genaiChunk({ content: { role: 'model', parts: [{ text: 'Good' }] } }), {
        error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' },
      }),
    },
    facts: [text, failed],
  },
  {
    name: 'an end that comes too early',
    in: {
      chat: sse(chatChunk({ delta: { role: 'assistant', content: 'Good' } })),
      messages: sse(start, opened, words),
      genai: sse(genaiChunk({ content: { role: 'model', parts: [{ text: 'Good' }] } })),
    },
    facts: [{ ...failed, implied: true }],
  },
  {
    name: 'counts that grow',
    in: {
      messages: sse(
        start,
        opened,
        words,
        { type: 'content_block_stop', index: 0 },
        {
          type: 'message_delta',
          delta: { stop_reason: 'end_turn', stop_sequence: null },
          usage: { output_tokens: 50 },
        },
        { type: 'message_stop' },
      ),
      genai: sse(
        genaiChunk(
          { content: { role: 'model', parts: [{ text: 'Go' }] } },
          { usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 } },
        ),
        genaiChunk(
          { content: { role: 'model', parts: [{ text: 'od' }] }, finishReason: 'STOP' },
          { usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 50, totalTokenCount: 150 } },
        ),
      ),
    },
    facts: [
      text,
      fact('the last count, not the sum', /usage/i, {
        chat: at('usage', { prompt_tokens: 100, completion_tokens: 50 }),
        messages: at('usage', { input_tokens: 100, output_tokens: 50 }),
        genai: at('usageMetadata', { promptTokenCount: 100, candidatesTokenCount: 50 }),
      }),
      FORM,
    ],
  },
  {
    name: 'calls whose pieces are mixed',
    in: {
      chat: sse(
        chatChunk({ delta: { role: 'assistant' } }),
        chatChunk({
          delta: {
            tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'one', arguments: '{"a"' } }],
          },
        }),
        chatChunk({
          delta: {
            tool_calls: [{ index: 1, id: 'call_2', type: 'function', function: { name: 'two', arguments: '{"b"' } }],
          },
        }),
        chatChunk({
          delta: {
            tool_calls: [
              { index: 0, function: { arguments: ':1}' } },
              { index: 1, function: { arguments: ':2}' } },
            ],
          },
        }),
        chatChunk({ delta: {}, finish_reason: 'tool_calls' }),
      ),
    },
    facts: [
      fact('the first', /nothing/, {
        chat: has('choices.0.message.tool_calls.*.function', { name: 'one', arguments: '{"a":1}' }),
        messages: has('content.*', { type: 'tool_use', name: 'one', input: { a: 1 } }),
        genai: has('candidates.0.content.parts.*.functionCall', { name: 'one', args: { a: 1 } }),
      }),
      fact('the second', /nothing/, {
        chat: has('choices.0.message.tool_calls.*.function', { name: 'two', arguments: '{"b":2}' }),
        messages: has('content.*', { type: 'tool_use', name: 'two', input: { b: 2 } }),
        genai: has('candidates.0.content.parts.*.functionCall', { name: 'two', args: { b: 2 } }),
      }),
      FORM,
    ],
  },
  {
    name: 'a call, and the end in a later chunk',
    in: {
      genai: sse(
        genaiChunk({
          content: { role: 'model', parts: [{ functionCall: { id: 'call_1', name: 'one', args: { a: 1 } } }] },
        }),
        genaiChunk({ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' }),
      ),
    },
    facts: [
      fact('that it ends with a call', /nothing/, {
        chat: at('choices.0.finish_reason', 'tool_calls'),
        messages: at('stop_reason', 'tool_use'),
        genai: at('candidates.0.finishReason', 'STOP'),
      }),
      FORM,
    ],
  },
  {
    name: 'arguments in pieces of genai',
    in: {
      genai: sse(
        genaiChunk({
          content: { role: 'model', parts: [{ functionCall: { id: 'call_1', name: 'one', willContinue: true } }] },
        }),
        genaiChunk({
          content: {
            role: 'model',
            parts: [
              {
                functionCall: {
                  partialArgs: [{ jsonPath: '$.city', stringValue: 'Par', willContinue: true }],
                  willContinue: true,
                },
              },
            ],
          },
        }),
        genaiChunk({
          content: {
            role: 'model',
            parts: [{ functionCall: { partialArgs: [{ jsonPath: '$.city', stringValue: 'is' }], willContinue: true } }],
          },
        }),
        genaiChunk({ content: { role: 'model', parts: [{ functionCall: {} }] }, finishReason: 'STOP' }),
      ),
    },
    facts: [
      fact('the arguments', /argument/i, {
        chat: has('choices.0.message.tool_calls.*.function', { name: 'one', arguments: /^\{"city": ?"Paris"\}$/ }),
        messages: has('content.*', { type: 'tool_use', name: 'one', input: { city: 'Paris' } }),
        genai: has('candidates.0.content.parts.*.functionCall', { name: 'one' }),
      }),
      FORM,
    ],
  },
]

import { fact, type Fact, type ProtocolName } from '../fact.ts'
import type { JsonObject } from '../json.ts'
import { at, both, has } from '../look.ts'
import { functionCall, spoken } from '../wire/build.ts'
import { chatChunk, frames, genaiChunk, messageStart } from '../wire/frames.ts'
import { FORM } from './stream-form.ts'

const opened = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }
const words = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Good' } }

const created = {
  id: 'answer-1',
  object: 'response',
  created_at: 1_700_000_000,
  status: 'in_progress',
  model: 'model-1',
  output: [],
}
const position = { item_id: 'msg_1', output_index: 0, content_index: 0 }
const begun = [
  { type: 'response.created', response: created },
  { type: 'response.output_item.added', output_index: 0, item: { ...spoken(), status: 'in_progress' } },
  { type: 'response.content_part.added', ...position, part: { type: 'output_text', text: '', annotations: [] } },
  { type: 'response.output_text.delta', ...position, delta: 'Good' },
].map((event, sequence_number) => ({ ...event, sequence_number }))

const one = functionCall('call_1', 'one', '{"a":1}')
const two = functionCall('call_2', 'two', '{"b":2}')
const piece = (output_index: number, delta: string) => ({
  type: 'response.function_call_arguments.delta',
  item_id: `fc_call_${output_index + 1}`,
  output_index,
  delta,
})
const added = (output_index: number, item: JsonObject) => ({
  type: 'response.output_item.added',
  output_index,
  item: { ...item, arguments: '', status: 'in_progress' },
})
const mixed = frames(
  ...[
    { type: 'response.created', response: created },
    added(0, one),
    piece(0, '{"a"'),
    added(1, two),
    piece(1, '{"b"'),
    piece(0, ':1}'),
    piece(1, ':2}'),
    ...[one, two].map((item, output_index) => ({ type: 'response.output_item.done', output_index, item })),
    { type: 'response.completed', response: { ...created, status: 'completed', output: [one, two] } },
  ].map((event, sequence_number) => ({ ...event, sequence_number })),
)

const text: Fact = fact('the words so far', /nothing/, {
  chat: at('choices.0.message.content', 'Good'),
  messages: has('content.*', { text: 'Good' }),
  genai: has('candidates.0.content.parts.*', { text: 'Good' }),
  responses: has('output.*.content.*', { text: 'Good' }),
})

const failed: Fact = fact('that the answer failed', /nothing/, {
  chat: has('events.*.error.message', /./),
  messages: has('events.*', { type: 'error', error: { message: /./ } }),
  genai: has('events.*.error.message', /./),
  responses: both(
    has('events.*', { type: 'error', message: /./ }),
    has('events.*', { type: 'response.failed', response: { error: { message: /./ } } }),
  ),
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
      chat: frames(chatChunk({ delta: { role: 'assistant', content: 'Good' } }), {
        error: { message: 'Overloaded', type: 'server_error', param: null, code: null },
      }),
      messages: frames(messageStart, opened, words, {
        type: 'error',
        error: { type: 'overloaded_error', message: 'Overloaded' },
      }),
      genai: frames(genaiChunk({ content: { role: 'model', parts: [{ text: 'Good' }] } }), {
        error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' },
      }),
      responses: frames(
        ...begun,
        { type: 'error', sequence_number: 4, code: 'server_is_overloaded', message: 'Overloaded', param: null },
        {
          type: 'response.failed',
          sequence_number: 5,
          response: { ...created, status: 'failed', error: { code: 'server_is_overloaded', message: 'Overloaded' } },
        },
      ),
    },
    facts: [text, failed],
  },
  {
    name: 'an end that comes too early',
    in: {
      chat: frames(chatChunk({ delta: { role: 'assistant', content: 'Good' } })),
      messages: frames(messageStart, opened, words),
      genai: frames(genaiChunk({ content: { role: 'model', parts: [{ text: 'Good' }] } })),
      responses: frames(...begun),
    },
    facts: [{ ...failed, implied: true }],
  },
  {
    name: 'counts that grow',
    in: {
      messages: frames(
        messageStart,
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
      genai: frames(
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
        responses: at('usage', { input_tokens: 100, output_tokens: 50 }),
      }),
      FORM,
    ],
  },
  {
    name: 'calls whose pieces are mixed',
    in: {
      chat: frames(
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
      responses: mixed,
    },
    facts: [
      fact('the first', /nothing/, {
        chat: has('choices.0.message.tool_calls.*.function', { name: 'one', arguments: '{"a":1}' }),
        messages: has('content.*', { type: 'tool_use', name: 'one', input: { a: 1 } }),
        genai: has('candidates.0.content.parts.*.functionCall', { name: 'one', args: { a: 1 } }),
        responses: has('output.*', { type: 'function_call', name: 'one', arguments: '{"a":1}' }),
      }),
      fact('the second', /nothing/, {
        chat: has('choices.0.message.tool_calls.*.function', { name: 'two', arguments: '{"b":2}' }),
        messages: has('content.*', { type: 'tool_use', name: 'two', input: { b: 2 } }),
        genai: has('candidates.0.content.parts.*.functionCall', { name: 'two', args: { b: 2 } }),
        responses: has('output.*', { type: 'function_call', name: 'two', arguments: '{"b":2}' }),
      }),
      FORM,
    ],
  },
  {
    name: 'a call, and the end in a later chunk',
    in: {
      genai: frames(
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
        responses: both(at('status', 'completed'), has('output.*', { type: 'function_call' })),
      }),
      FORM,
    ],
  },
  {
    name: 'arguments in pieces of genai',
    in: {
      genai: frames(
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
        responses: has('output.*', { type: 'function_call', name: 'one', arguments: /^\{"city": ?"Paris"\}$/ }),
      }),
      FORM,
    ],
  },
]

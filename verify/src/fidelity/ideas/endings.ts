import { fact, type Idea, type Look, type ProtocolName } from '../fact.ts'
import type { JsonObject } from '../json.ts'
import { at, either, has, contains } from '../look.ts'
import { answer, functionCall } from '../wire/build.ts'
import { FINISHED } from './answer-facts.ts'

const finished = {
  chat: (word: string) => answer.chat({ choice: { finish_reason: word } }),
  messages: (word: string) => answer.messages({ body: { stop_reason: word } }),
  genai: (word: string) => answer.genai({ candidate: { finishReason: word } }),
}
const incomplete = (reason: string) =>
  answer.responses({ body: { status: 'incomplete', incomplete_details: { reason } } })
const CUT = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
const PATH: { readonly [Name in ProtocolName]: string } = {
  chat: 'choices.0.finish_reason',
  messages: 'stop_reason',
  genai: 'candidates.0.finishReason',
  responses: 'incomplete_details.reason',
}

const FILTERED = /^(SAFETY|PROHIBITED_CONTENT|BLOCKLIST|SPII|RECITATION|IMAGE_SAFETY|LANGUAGE|OTHER)$/

/** A finish reason with the same meaning in all protocols. */
const shared = (
  name: string,
  chat: string,
  messages: string,
  genai: string,
  responses: JsonObject,
  look: Look,
): Idea => ({
  name,
  in: { chat: finished.chat(chat), messages: finished.messages(messages), genai: finished.genai(genai), responses },
  facts: [
    fact('the reason', /finish|stop/i, {
      chat: at(PATH.chat, chat),
      messages: at(PATH.messages, messages),
      genai: at(PATH.genai, genai),
      responses: look,
    }),
  ],
})

/** A finish reason of genai with a less specific one in the others: the meaning is kept, its name is not. */
const filtered = (word: string): Idea => ({
  name: `${word} of genai`,
  in: { genai: finished.genai(word) },
  facts: [
    fact('that it was cut off for its content', /finish|stop/i, {
      chat: at(PATH.chat, 'content_filter'),
      messages: at(PATH.messages, 'refusal'),
      genai: at(PATH.genai, FILTERED),
      responses: at(PATH.responses, 'content_filter'),
    }),
  ],
})

/** Finish reasons. */
export const endings: readonly Idea[] = [
  shared('the end of a turn', 'stop', 'end_turn', 'STOP', answer.responses(), at('status', 'completed')),
  shared(
    'the limit of tokens',
    'length',
    'max_tokens',
    'MAX_TOKENS',
    answer.responses({ body: CUT }),
    at(PATH.responses, 'max_output_tokens'),
  ),
  {
    name: 'the end of the context window',
    in: { messages: finished.messages('model_context_window_exceeded') },
    facts: [
      fact('that it was cut off by a limit', /finish|stop/i, {
        chat: at(PATH.chat, 'length'),
        messages: at(PATH.messages, /^(model_context_window_exceeded|max_tokens)$/),
        genai: at(PATH.genai, 'MAX_TOKENS'),
        responses: at(PATH.responses, 'max_output_tokens'),
      }),
    ],
  },
  {
    name: 'a call without a finish reason',
    in: {
      chat: answer.chat({
        message: {
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'now', arguments: '{}' } }],
        },
        choice: { finish_reason: null },
      }),
    },
    facts: [{ ...FINISHED, implied: true }],
    whole: true,
  },
  {
    name: 'a filter',
    in: {
      chat: finished.chat('content_filter'),
      messages: finished.messages('refusal'),
    },
    facts: [
      fact('that it was cut off for its content', /finish|stop/i, {
        chat: at(PATH.chat, 'content_filter'),
        messages: at(PATH.messages, 'refusal'),
        genai: at(PATH.genai, FILTERED),
        // A refusal is complete, and has words of its own.
        responses: either(at(PATH.responses, 'content_filter'), has('output.*.content.*', { type: 'refusal' })),
      }),
    ],
  },
  {
    name: 'a filter of Responses',
    in: { responses: incomplete('content_filter') },
    facts: [
      fact(
        'that it was cut off for its content',
        /finish|stop/i,
        {
          chat: at(PATH.chat, 'content_filter'),
          messages: at(PATH.messages, 'refusal'),
          genai: at(PATH.genai, FILTERED),
          responses: at(PATH.responses, 'content_filter'),
        },
        // Messages has only refusals, and a refusal with words is complete.
        { messages: at('status', /^(incomplete|completed)$/) },
      ),
    ],
  },
  ...['SAFETY', 'FINISH_REASON_SAFETY', 'PROHIBITED_CONTENT', 'BLOCKLIST', 'SPII', 'RECITATION'].map(filtered),
  {
    name: 'a stop sequence',
    in: { messages: answer.messages({ body: { stop_reason: 'stop_sequence', stop_sequence: 'END' } }) },
    facts: [
      fact('that it ended well', /finish|stop/i, {
        chat: at(PATH.chat, 'stop'),
        messages: at(PATH.messages, /^(stop_sequence|end_turn)$/),
        genai: at(PATH.genai, 'STOP'),
        responses: at('status', 'completed'),
      }),
      fact('which one', /stop|sequence/i, {
        chat: 'never',
        messages: at('stop_sequence', 'END'),
        genai: 'never',
        responses: 'never',
      }),
    ],
  },
  {
    name: 'a pause',
    in: { messages: finished.messages('pause_turn') },
    facts: [
      fact('that it is a pause', /finish|pause|stop/i, {
        chat: 'never',
        messages: at(PATH.messages, 'pause_turn'),
        genai: 'never',
        responses: 'never',
      }),
    ],
  },
  {
    name: 'a call that went wrong',
    in: { genai: answer.genai({ candidate: { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'bad call' } }) },
    facts: [
      fact('that it did not end well', /finish|malformed/i, {
        chat: { perhaps: at(PATH.chat, /^(content_filter|length|error)$/) },
        messages: { perhaps: at(PATH.messages, /^(refusal|max_tokens)$/) },
        genai: at(PATH.genai, 'MALFORMED_FUNCTION_CALL'),
        responses: { perhaps: at('status', /^(incomplete|failed)$/) },
      }),
      fact('the message', /finish|message/i, {
        chat: 'never',
        messages: 'never',
        genai: at('candidates.0.finishMessage', 'bad call'),
        responses: 'never',
      }),
    ],
  },
  {
    name: 'a call, but cut off by the limit',
    in: {
      messages: answer.messages({
        content: [{ type: 'tool_use', id: 'call_1', name: 'now', input: {} }],
        body: { stop_reason: 'max_tokens' },
      }),
      genai: answer.genai({
        parts: [{ functionCall: { id: 'call_1', name: 'now', args: {} } }],
        candidate: { finishReason: 'MAX_TOKENS' },
      }),
      chat: answer.chat({
        message: {
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'now', arguments: '{}' } }],
        },
        choice: { finish_reason: 'length' },
      }),
      responses: answer.responses({
        output: [{ ...functionCall('call_1', 'now', '{}'), status: 'incomplete' }],
        body: CUT,
      }),
    },
    facts: [
      fact('the limit', /finish|stop/i, {
        chat: at(PATH.chat, 'length'),
        messages: at(PATH.messages, 'max_tokens'),
        genai: at(PATH.genai, 'MAX_TOKENS'),
        responses: at(PATH.responses, 'max_output_tokens'),
      }),
    ],
  },
  {
    name: 'a prompt that was blocked',
    in: {
      genai: {
        promptFeedback: { blockReason: 'PROHIBITED_CONTENT', blockReasonMessage: 'not here' },
        usageMetadata: { promptTokenCount: 100, totalTokenCount: 100 },
        modelVersion: 'model-1',
        responseId: 'answer-1',
      },
    },
    facts: [
      fact('that it was blocked', /block/i, {
        chat: at(PATH.chat, 'content_filter'),
        messages: at(PATH.messages, 'refusal'),
        genai: either(at('promptFeedback.blockReason', 'PROHIBITED_CONTENT'), at(PATH.genai, FILTERED)),
        responses: at(PATH.responses, 'content_filter'),
      }),
      fact('the reason', /block/i, {
        chat: { perhaps: has('choices.0.message', contains('not here')) },
        messages: { perhaps: has('content.*', contains('not here')) },
        genai: at('promptFeedback', { blockReason: 'PROHIBITED_CONTENT', blockReasonMessage: 'not here' }),
        responses: { perhaps: has('output.*', contains('not here')) },
      }),
    ],
  },
]

import { fact, type Fact, type Idea, type Look, type ProtocolName } from '../fact.ts'
import { has, inOrder, json, contains } from '../look.ts'
import { answer, functionCall, spoken, summarized } from '../wire/build.ts'

const SIGNATURE = 'EqMBCkgIBRABGAIqQNmNV7vQ8oR2'
const SECOND = 'ErUBCkYIAxgCIkDWwC1pYx0kq7Zd'
const BLOCK = 'messages.1.content.*'
const PART = 'contents.1.parts.*'
const ITEM = 'input.*'

/** A fact about the history that an upstream gets back. Its client uses another protocol, where the fact is not checked. */
const back = (name: string, home: ProtocolName, look: Look): Fact =>
  fact(name, /text|call|result|reasoning|thinking|thought|redact|sign|seal/i, {
    chat: 'elsewhere',
    messages: 'elsewhere',
    genai: 'elsewhere',
    responses: 'elsewhere',
    [home]: look,
  })

const chatCall = { id: 'call_1', type: 'function', function: { name: 'now', arguments: '{"zone":"CET"}' } }

/** Responses that a client of another protocol sends back in its next request, and what the upstream receives. */
export const conversations: readonly Idea[] = [
  {
    name: 'words of chat',
    in: { chat: answer.chat() },
    facts: [back('the words', 'chat', has('messages.1', { role: 'assistant', content: contains('Good day') }))],
  },
  {
    name: 'a call of chat',
    in: {
      chat: answer.chat({
        message: { content: null, tool_calls: [chatCall] },
        choice: { finish_reason: 'tool_calls' },
      }),
    },
    facts: [
      back('the call, by its own id', 'chat', has('messages.1.tool_calls.*', chatCall)),
      back(
        'its result',
        'chat',
        has('messages.*', { role: 'tool', tool_call_id: 'call_1', content: contains('noon') }),
      ),
    ],
  },
  {
    name: 'a sealed thought of chat',
    in: {
      chat: answer.chat({
        message: { reasoning_details: [{ type: 'reasoning.encrypted', data: SIGNATURE, index: 0 }] },
      }),
    },
    facts: [
      back('the seal', 'chat', has('messages.1.reasoning_details.*', { type: 'reasoning.encrypted', data: SIGNATURE })),
    ],
  },
  {
    name: 'a signed thought of messages',
    in: {
      messages: answer.messages({
        content: [
          { type: 'thinking', thinking: 'They greet.', signature: SIGNATURE },
          { type: 'text', text: 'Good day' },
        ],
      }),
    },
    facts: [
      back('the thought and its signature', 'messages', has(BLOCK, { thinking: 'They greet.', signature: SIGNATURE })),
      back('the words', 'messages', has(BLOCK, { type: 'text', text: 'Good day' })),
    ],
  },
  {
    name: 'a hidden thought of messages',
    in: {
      messages: answer.messages({
        content: [
          { type: 'redacted_thinking', data: SIGNATURE },
          { type: 'text', text: 'Good day' },
        ],
      }),
    },
    facts: [back('the seal', 'messages', has(BLOCK, { type: 'redacted_thinking', data: SIGNATURE }))],
  },
  {
    name: 'thoughts and calls of messages',
    in: {
      messages: answer.messages({
        content: [
          { type: 'thinking', thinking: 'First this.', signature: SIGNATURE },
          { type: 'tool_use', id: 'toolu_1', name: 'now', input: { zone: 'CET' } },
          { type: 'thinking', thinking: 'Then that.', signature: SECOND },
          { type: 'tool_use', id: 'toolu_2', name: 'weather', input: {} },
        ],
        body: { stop_reason: 'tool_use' },
      }),
    },
    facts: [
      back('the first thought', 'messages', has(BLOCK, { thinking: 'First this.', signature: SIGNATURE })),
      back('the second thought', 'messages', has(BLOCK, { thinking: 'Then that.', signature: SECOND })),
      back(
        'the calls, by their own ids',
        'messages',
        inOrder(BLOCK, { id: 'toolu_1', input: { zone: 'CET' } }, { id: 'toolu_2' }),
      ),
      back(
        'their results',
        'messages',
        has('messages.2.content.*', { type: 'tool_result', tool_use_id: 'toolu_1' }, { tool_use_id: 'toolu_2' }),
      ),
    ],
  },
  {
    name: 'a signed call of genai',
    in: {
      genai: answer.genai({
        parts: [
          { text: 'What time is it there?', thought: true },
          { functionCall: { name: 'now', args: { zone: 'CET' } }, thoughtSignature: SIGNATURE },
        ],
      }),
    },
    facts: [
      back(
        'the signature, on the call',
        'genai',
        has(PART, { functionCall: { name: 'now', args: { zone: 'CET' } }, thoughtSignature: SIGNATURE }),
      ),
      back(
        'its result',
        'genai',
        has('contents.2.parts.*', { functionResponse: { name: 'now', response: contains('noon') } }),
      ),
    ],
  },
  {
    name: 'two calls of genai, the first of them signed',
    in: {
      genai: answer.genai({
        parts: [
          { functionCall: { name: 'now', args: { zone: 'CET' } }, thoughtSignature: SIGNATURE },
          { functionCall: { name: 'now', args: { zone: 'UTC' } } },
        ],
      }),
    },
    facts: [
      back(
        'both, and the signature where it was',
        'genai',
        inOrder(
          PART,
          { functionCall: { args: { zone: 'CET' } }, thoughtSignature: SIGNATURE },
          { functionCall: { args: { zone: 'UTC' } }, thoughtSignature: (value: unknown) => value === undefined },
        ),
      ),
    ],
  },
  {
    name: 'signed words of genai',
    in: { genai: answer.genai({ parts: [{ text: 'Good day', thoughtSignature: SIGNATURE }] }) },
    facts: [
      {
        ...back('the signature, on the words', 'genai', has(PART, { text: 'Good day', thoughtSignature: SIGNATURE })),
        late: true,
      },
    ],
  },
  {
    name: 'words of Responses',
    in: { responses: answer.responses() },
    facts: [back('the words', 'responses', has(ITEM, { role: 'assistant', content: contains('Good day') }))],
  },
  {
    name: 'a sealed thought and a call of Responses',
    in: {
      responses: answer.responses({
        output: [
          summarized('They ask.', SIGNATURE),
          spoken('I look.'),
          functionCall('call_1', 'now', '{"zone":"CET"}'),
        ],
      }),
    },
    facts: [
      back(
        'the thought and its seal',
        'responses',
        has(ITEM, { type: 'reasoning', summary: [{ text: 'They ask.' }], encrypted_content: SIGNATURE }),
      ),
      back('the words', 'responses', has(ITEM, { role: 'assistant', content: contains('I look.') })),
      back(
        'the call, by its own id',
        'responses',
        has(ITEM, { type: 'function_call', call_id: 'call_1', name: 'now', arguments: json({ zone: 'CET' }) }),
      ),
      back(
        'its result',
        'responses',
        has(ITEM, { type: 'function_call_output', call_id: 'call_1', output: contains('noon') }),
      ),
    ],
  },
  {
    name: 'a hidden thought of Responses',
    in: {
      responses: answer.responses({
        output: [{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: SIGNATURE }, spoken('Good day')],
      }),
    },
    facts: [back('the seal', 'responses', has(ITEM, { type: 'reasoning', encrypted_content: SIGNATURE }))],
  },
]

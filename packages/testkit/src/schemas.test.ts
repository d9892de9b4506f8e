import Anthropic from '@anthropic-ai/sdk'
import * as schemas from '@dragoman/core/schemas'
import { GoogleGenAI, Type } from '@google/genai'
import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import { createChatDouble } from './doubles/chat.ts'
import { createGenaiDouble } from './doubles/genai.ts'
import { createMessagesDouble } from './doubles/messages.ts'
import type { Script } from './doubles/script.ts'
import type { Double } from './doubles/server.ts'

const doubles: Double[] = []
afterEach(async () => {
  for (const double of doubles.splice(0)) await double.close()
})

const SCRIPT: Script = [{ parts: [{ text: 'Hello.' }] }]
const PIXEL = 'iVBORw0KGgo='
const PARAMETERS = { type: 'object' as const, properties: { city: { type: 'string' } } }

interface StandardSchema {
  readonly '~standard': { readonly validate: (value: unknown) => Result | Promise<Result> }
}
interface Result {
  readonly issues?: readonly { readonly path?: readonly unknown[] | undefined; readonly message: string }[] | undefined
}

/** What is wrong with a value, by the interface that all libraries share. */
function issuesOf(schema: StandardSchema, value: unknown): string[] {
  const result = schema['~standard'].validate(value)
  if (result instanceof Promise) throw new Error('the grammars are not asynchronous')
  return (result.issues ?? []).map(({ path = [], message }) => `${path.map(String).join('.')}: ${message}`)
}

async function started(double: Promise<Double>): Promise<Double> {
  doubles.push(await double)
  return double
}

describe('the exported schema of a request', () => {
  it('accepts what the official client of chat sends', async () => {
    const double = await started(createChatDouble(SCRIPT))
    await new OpenAI({ baseURL: double.url, apiKey: 'key', maxRetries: 0 }).chat.completions.create({
      model: 'm',
      messages: [
        { role: 'developer', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}`, detail: 'low' } },
          ],
        },
      ],
      tools: [{ type: 'function', function: { name: 'look', parameters: PARAMETERS } }],
      tool_choice: 'auto',
      max_completion_tokens: 100,
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: PARAMETERS } },
    })
    expect(double.received).toHaveLength(1)
    expect(issuesOf(schemas.chat.request, double.received[0]?.body)).toEqual([])
  })

  it('accepts what the official client of messages sends', async () => {
    const double = await started(createMessagesDouble(SCRIPT))
    await new Anthropic({ baseURL: double.url, apiKey: 'key', maxRetries: 0 }).messages.create({
      model: 'm',
      max_tokens: 2000,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
          ],
        },
      ],
      tools: [{ name: 'look', input_schema: PARAMETERS }],
      thinking: { type: 'enabled', budget_tokens: 1024 },
    })
    expect(double.received).toHaveLength(1)
    expect(issuesOf(schemas.messages.request, double.received[0]?.body)).toEqual([])
  })

  it('accepts what the official client of genai sends', async () => {
    const double = await started(createGenaiDouble(SCRIPT))
    const httpOptions = { baseUrl: double.url, apiVersion: 'v1' }
    await new GoogleGenAI({ apiKey: 'key', vertexai: true, httpOptions }).models.generateContent({
      model: 'gemini-double',
      contents: [{ role: 'user', parts: [{ text: 'Hi' }, { inlineData: { mimeType: 'image/png', data: PIXEL } }] }],
      config: {
        systemInstruction: 'Be brief.',
        temperature: 0.5,
        maxOutputTokens: 100,
        tools: [{ functionDeclarations: [{ name: 'look', parameters: { type: Type.OBJECT, properties: {} } }] }],
      },
    })
    expect(double.received).toHaveLength(1)
    expect(issuesOf(schemas.genai.request, double.received[0]?.body)).toEqual([])
  })

  it('reports what is wrong with any other request, and where', () => {
    const hello = { role: 'user', content: 'Hello' }
    expect(issuesOf(schemas.chat.request, { model: 'm', messages: [hello], stream: 'yes' })).toEqual([
      'stream: expected boolean',
    ])
    expect(issuesOf(schemas.chat.request, { model: '', messages: [{ role: 'user' }] })).toEqual([
      'model: must not be empty',
      'messages.0: has none of the expected forms',
    ])
    expect(issuesOf(schemas.messages.request, { model: 'm', max_tokens: 0.5, messages: [hello] })).toEqual([
      'max_tokens: must be a whole number',
      'max_tokens: must be at least 1',
    ])
    expect(issuesOf(schemas.genai.request, { contents: [{ role: 7, parts: [] }] })).toEqual([
      'contents.0.role: has none of the expected forms',
      'contents.0.parts: must not be empty',
    ])
  })
})

describe('the exported schema of an answer', () => {
  it('accepts an answer and a chunk of chat', () => {
    const answer: OpenAI.ChatCompletion = {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'm',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: null,
            refusal: null,
            tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
          },
          logprobs: null,
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
    }
    const chunk: OpenAI.ChatCompletionChunk = {
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model: 'm',
      choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: '{' } }] }, finish_reason: null }],
    }
    expect(issuesOf(schemas.chat.response, answer)).toEqual([])
    expect(issuesOf(schemas.chat.streamEvent, chunk)).toEqual([])
    expect(issuesOf(schemas.chat.response, { choices: 'none' })).toEqual(['choices: expected array'])
  })

  it('accepts an answer and events of messages', () => {
    const usage = { input_tokens: 9, output_tokens: 3 }
    const answer = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text: 'Hello.', citations: null }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage,
    } satisfies Partial<Anthropic.Message> | { usage: object }
    const events = [
      { type: 'message_start', message: answer },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '', citations: null } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello.' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 3 } },
      { type: 'message_stop' },
      { type: 'ping' },
      { type: 'an_event_of_tomorrow' },
    ]
    expect(issuesOf(schemas.messages.response, answer)).toEqual([])
    for (const event of events) expect(issuesOf(schemas.messages.streamEvent, event)).toEqual([])
    expect(issuesOf(schemas.messages.response, { usage: { input_tokens: '9' } })).toEqual([
      'usage.input_tokens: expected number',
    ])
  })

  it('accepts an answer of genai', () => {
    const answer = {
      candidates: [{ content: { role: 'model', parts: [{ text: 'Hello.' }] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 3, totalTokenCount: 12 },
      modelVersion: 'gemini',
      responseId: 'r1',
    }
    expect(issuesOf(schemas.genai.response, answer)).toEqual([])
    expect(issuesOf(schemas.genai.streamEvent, { candidates: [{ index: 'first' }] })).toEqual([
      'candidates.0.index: expected number',
    ])
  })
})

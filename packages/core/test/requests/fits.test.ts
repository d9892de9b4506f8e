import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { safeParse } from 'zod/v4/core'
import type { Json, JsonObject } from '../../src/lib/json.ts'
import { createReader } from '../../src/lib/grammar/reader.ts'
import type { Schema } from '../../src/lib/grammar/schema.ts'
import { zodOf } from '../../src/lib/grammar/zod.ts'
import { chatRequest } from '../../src/protocols/chat/schema.ts'
import { genaiRequest } from '../../src/protocols/genai/schema.ts'
import { messagesRequest } from '../../src/protocols/messages/schema.ts'

const IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
const SUBJECTS: readonly (readonly [name: string, schema: Schema, body: JsonObject])[] = [
  [
    'chat',
    chatRequest,
    {
      model: 'm',
      messages: [
        { role: 'system', content: 'be brief' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'hi' },
            { type: 'image_url', image_url: { url: 'u' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
          reasoning_details: [{ type: 'reasoning.text', text: 't', index: 0 }],
        },
        { role: 'tool', tool_call_id: 'c', content: 'ok' },
      ],
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
      tool_choice: 'auto',
      stop: ['a'],
      temperature: 1,
      metadata: { a: 'b' },
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema: {} } },
    },
  ],
  [
    'messages',
    messagesRequest,
    {
      model: 'm',
      max_tokens: 10,
      system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral', ttl: '5m' } }],
      messages: [
        {
          role: 'user',
          content: ['hi', IMAGE].map((each) => (typeof each === 'string' ? { type: 'text', text: each } : each)),
        },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'ok' }] }] },
      ],
      tools: [{ name: 'f', input_schema: { type: 'object' } }],
      tool_choice: { type: 'tool', name: 'f' },
      thinking: { type: 'enabled', budget_tokens: 1024 },
      top_k: 3,
    },
  ],
  [
    'genai',
    genaiRequest,
    {
      contents: [
        { role: 'user', parts: [{ text: 'hi' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
        { role: 'model', parts: [{ functionCall: { name: 'f', args: {} }, thoughtSignature: 'AAAA' }] },
        { role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] },
      ],
      tools: [{ functionDeclarations: [{ name: 'f', parameters: { type: 'OBJECT' } }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
      generationConfig: { temperature: 1, stopSequences: ['a'], topK: 3, thinkingConfig: { thinkingBudget: 0 } },
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
    },
  ],
]

describe('what is derived from a grammar', () => {
  it.each(SUBJECTS)('agrees with zod for every body of %s, valid or not', (_name, schema, body) => {
    const reader = createReader(schema)
    const zod = zodOf(schema)
    expect(reader.findProblem(body)).toBeUndefined()
    expect(safeParse(zod, body).error).toBeUndefined()
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom('auto', 'text', 'user', -3, 0.5, 21, 1e9, '', null, [], {}))
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), value), { minLength: 1, maxLength: 3 }), (changes) => {
        const changed = changes.reduce<Json>(
          (json, [position, to]) => replaceAt(json, { left: position % 60 }, to as Json),
          body,
        )
        const { success } = safeParse(zod, changed)
        expect(reader.fits(changed)).toBe(success)
        expect(reader.findProblem(changed) === undefined).toBe(success)
      }),
      { numRuns: 2000 },
    )
  })
})

/** The value with the n-th node of it replaced. */
function replaceAt(json: Json, position: { left: number }, to: Json): Json {
  if (position.left-- === 0) return to
  if (Array.isArray(json)) return (json as readonly Json[]).map((item) => replaceAt(item, position, to))
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, replaceAt(value, position, to)]))
}

import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/lib/json.ts'
import { chat } from '../../src/protocols/chat/index.ts'
import { genai } from '../../src/protocols/genai/index.ts'
import { messages } from '../../src/protocols/messages/index.ts'
import type { Protocol } from '../../src/protocols/protocol.ts'
import { translate } from '../../src/protocols/translate.ts'

const hello = { role: 'user', content: 'Hello' }
const chatBody: JsonObject = { model: 'm', messages: [hello] }
const messagesBody: JsonObject = { model: 'm', max_tokens: 9, messages: [hello] }
const genaiBody: JsonObject = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }
const schema = { type: 'object', properties: {} }

function read(protocol: Protocol, body: JsonObject) {
  return protocol.request.decode(protocol.request.check(body), { issuer: protocol.issuer })
}

/** What official clients send back of an answer without these. */
const EMPTY = { audio: null, images: null, parsed: null, function_call: null, refusal: null }

/** A request with nulls, and the same without them. */
const SAME: readonly (readonly [Protocol, nulls: JsonObject, without: JsonObject])[] = [
  [
    messages,
    { ...messagesBody, tool_choice: null, temperature: null, tools: null, system: null, stream: null },
    messagesBody,
  ],
  [
    messages,
    { ...messagesBody, thinking: null, metadata: null, output_config: null, service_tier: null },
    messagesBody,
  ],
  [messages, { ...messagesBody, thread: null, container: null }, messagesBody],
  [
    messages,
    { ...messagesBody, tools: [{ name: 'f', description: null, input_schema: schema, strict: null }] },
    { ...messagesBody, tools: [{ name: 'f', input_schema: schema }] },
  ],
  [
    messages,
    { ...messagesBody, tool_choice: { type: 'auto', disable_parallel_tool_use: null } },
    { ...messagesBody, tool_choice: { type: 'auto' } },
  ],
  [
    messages,
    {
      ...messagesBody,
      messages: [hello, { role: 'assistant', content: [{ type: 'thinking', thinking: 'a', signature: null }] }],
    },
    { ...messagesBody, messages: [hello, { role: 'assistant', content: [{ type: 'thinking', thinking: 'a' }] }] },
  ],
  [chat, { ...chatBody, temperature: null, tools: null, seed: null, store: null, user: null, audio: null }, chatBody],
  [chat, { ...chatBody, messages: [{ ...hello, name: null }] }, chatBody],
  [
    chat,
    {
      ...chatBody,
      messages: [
        hello,
        { role: 'assistant', content: 'Hi', ...EMPTY, tool_calls: null, annotations: null, reasoning: null },
      ],
    },
    { ...chatBody, messages: [hello, { role: 'assistant', content: 'Hi' }] },
  ],
  [chat, { ...chatBody, stream_options: { include_usage: null } }, { ...chatBody, stream_options: {} }],
  [chat, { ...chatBody, logit_bias: { 1: 5, 2: null } }, { ...chatBody, logit_bias: { 1: 5 } }],
  [
    chat,
    { ...chatBody, tools: [{ type: 'function', function: { name: 'f', description: null, parameters: null } }] },
    { ...chatBody, tools: [{ type: 'function', function: { name: 'f' } }] },
  ],
  [
    genai,
    { ...genaiBody, generationConfig: null, tools: null, systemInstruction: null, safetySettings: null },
    genaiBody,
  ],
  [
    genai,
    { ...genaiBody, generation_config: { top_p: null, thinking_config: null } },
    { ...genaiBody, generationConfig: {} },
  ],
  [genai, { contents: [{ role: null, parts: [{ text: 'Hello', thought: null, thoughtSignature: null }] }] }, genaiBody],
  [
    genai,
    { contents: [{ parts: [{ functionCall: { name: 'f', id: null, args: null } }] }] },
    { contents: [{ parts: [{ functionCall: { name: 'f' } }] }] },
  ],
  [
    genai,
    { ...genaiBody, tools: [{ googleSearch: null, functionDeclarations: [{ name: 'f', parameters: null }] }] },
    { ...genaiBody, tools: [{ functionDeclarations: [{ name: 'f' }] }] },
  ],
]

describe('a null member', () => {
  it.each(SAME)('counts as absent (trap 71): %#', (protocol, nulls, without) => {
    expect(read(protocol, nulls)).toEqual(read(protocol, without))
  })

  it('is refused by name if the member is required', () => {
    expect(() => read(messages, { ...messagesBody, max_tokens: null })).toThrow('max_tokens')
    expect(() => read(chat, { ...chatBody, model: null })).toThrow('model')
    expect(() => read(genai, { contents: null })).toThrow('contents')
  })

  it('is kept in data of callers', () => {
    const input = { city: null }
    const use = { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input }] }
    const asked = { ...messagesBody, temperature: null, messages: [hello, use], x_new: null }
    expect(messages.request.check(asked)).toEqual({ ...messagesBody, messages: [hello, use], x_new: null })
    const parameters = { type: 'object', properties: { a: { default: null } } }
    const declared = { ...genaiBody, tools: [{ functionDeclarations: [{ name: 'f', parameters, description: null }] }] }
    expect(genai.request.check(declared)['tools']).toEqual([{ functionDeclarations: [{ name: 'f', parameters }] }])
  })

  it('costs nothing for a body without nulls', () => {
    expect(messages.request.check(messagesBody)).toBe(messagesBody)
    expect(chat.request.check(chatBody)).toBe(chatBody)
  })
})

describe("what Go's genai SDK leaves out", () => {
  const asked = { role: 'user', parts: [{ text: 'Hello' }] }

  it('is ignored if a part has no members', () => {
    const contents = [{ role: 'user', parts: [{}, { text: 'Hello' }] }, { role: 'model', parts: [{}] }, asked]
    const { body, losses } = translate(genai, messages, genai.request.check({ contents }))
    expect(body['messages']).toEqual([hello, hello])
    expect(losses.filter(({ path }) => path[0] === 'messages')).toEqual([])
  })

  it('is an empty text if a part is a thought with its signature (trap 69)', () => {
    const sealed = (part: JsonObject) => read(genai, { contents: [asked, { role: 'model', parts: [part] }, asked] })
    const whole = sealed({ text: '', thought: true, thoughtSignature: 'c2ln' })
    expect(sealed({ thought: true, thoughtSignature: 'c2ln' })).toEqual(whole)
    expect(whole.messages[1]?.parts).toMatchObject([{ type: 'reasoning', seal: { issuer: 'google', value: 'c2ln' } }])
    expect(sealed({ thought: true })).toEqual(sealed({ text: '', thought: true }))
  })
})

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { chat, genai, messages } from '../untyped.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { translate, type Translation } from '../../src/protocols/translate.ts'

/**
 * What clients sent back after a turn with thinking and a tool call, recorded on 2026-11-15 at a server that answers each protocol in its
 * own form. The signatures and ids of those answers stand for the ones of this library, which the tests put in their place.
 */
interface Echo {
  readonly client: string
  readonly protocol: string
  readonly streamed: boolean
  readonly turns: readonly JsonObject[]
}

const RECORDED = readFileSync(new URL('../echoes.jsonl', import.meta.url), 'utf8')
const ECHOES = RECORDED.trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Echo)
const OF_THOUGHT = 'SIGNATURE-OF-THE-THOUGHT'
const OF_GENAI_CALL = 'Q0FMTC1TSUdOQVRVUkU='

const named = (protocol: string) =>
  ECHOES.filter((echo) => echo.protocol === protocol).map(
    (echo) => [`${echo.client}, ${echo.streamed ? 'streamed' : 'whole'}`, echo] as const,
  )
const replaced = (turns: readonly JsonObject[], values: { readonly [text: string]: string }): JsonObject[] =>
  JSON.parse(
    Object.entries(values).reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(turns)),
  ) as JsonObject[]

const SIGNED = 'EqQB+signed/=='
const thinking = { type: 'thinking', thinking: 'I think.', signature: SIGNED }
const use = { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 'sky' } }
const CLAUDE = [thinking, { type: 'text', text: 'Let me look.' }, use]
const call = { functionCall: { id: 'fc_1', name: 'look', args: { at: 'sky' } }, thoughtSignature: 'Z2VtaW5p' }
const GEMINI = [{ text: 'I think.', thought: true }, { text: 'Let me look.' }, call]
const geminiAnswer = { candidates: [{ content: { role: 'model', parts: GEMINI }, finishReason: 'STOP', index: 0 }] }

const chatTools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }]
const messagesTools = [{ name: 'look', input_schema: { type: 'object' } }]
const genaiTools = [{ functionDeclarations: [{ name: 'look', parameters: { type: 'OBJECT', properties: {} } }] }]
const match = { model: 'm', stream: false }

const inChat = (to: typeof chat, turns: JsonObject[]): Translation =>
  translate(chat, to, chat.request.check({ model: 'm', tools: chatTools, reasoning_effort: 'low', messages: turns }))
const inMessages = (turns: JsonObject[]): Translation =>
  translate(
    messages,
    genai,
    messages.request.check({ model: 'm', max_tokens: 9000, tools: messagesTools, messages: turns }),
  )
const inGenai = (turns: JsonObject[]): Translation => {
  const generationConfig = { maxOutputTokens: 9000, thinkingConfig: { thinkingBudget: 2048 } }
  const body = genai.request.check({ contents: turns, tools: genaiTools, generationConfig })
  return translate(genai, messages, body, { match })
}
const contentOf = ({ body }: Translation) => (body['messages'] as { content: JsonObject[] }[])[1]?.content
const callOf = ({ body }: Translation) =>
  (body['contents'] as { parts: JsonObject[] }[])[1]?.parts.find((part) => part['functionCall'] !== undefined)

describe.each(named('chat'))('the chat history of %s', (_name, echo) => {
  const hello = [{ role: 'user', content: 'hello' }]

  it('has the signature of a messages upstream if the client sent it back, and otherwise no thinking [tr.signatures]', () => {
    const { body } = inChat(messages, hello).response({ content: CLAUDE, stop_reason: 'tool_use' })
    const [{ message }] = body['choices'] as [{ message: { reasoning_details: { signature: string }[] } }]
    const turns = replaced(echo.turns, { [OF_THOUGHT]: message.reasoning_details[0]!.signature })
    const next = inChat(messages, turns)
    const keeps = JSON.stringify(echo.turns).includes(OF_THOUGHT)
    const calls = { ...use, id: 'call_1' }
    expect(contentOf(next)).toEqual(keeps ? [thinking, calls] : [calls])
    expect(next.body['thinking']).toMatchObject({ type: keeps ? 'enabled' : 'disabled' })
    expect(chat.relay.obstacle({ messages: turns }, {}) === undefined).toBe(!keeps)
  })

  it("has the signature of a genai upstream's call, in the id (trap 5) [tr.signatures]", () => {
    const { body } = inChat(genai, hello).response(geminiAnswer)
    const [{ message }] = body['choices'] as [{ message: { tool_calls: { id: string }[] } }]
    const next = inChat(genai, replaced(echo.turns, { call_1: message.tool_calls[0]!.id }))
    expect(callOf(next)).toEqual(call)
  })
})

describe.each(named('messages'))('the messages history of %s', (_name, echo) => {
  it("has the signature of a genai upstream's call (trap 5) [tr.signatures]", () => {
    const { body } = inMessages([{ role: 'user', content: 'hello' }]).response(geminiAnswer)
    const [thought, , used] = body['content'] as [{ signature: string }, object, { id: string }]
    const carried = replaced(echo.turns, { [OF_THOUGHT]: thought.signature })
    expect(callOf(inMessages(carried))).toMatchObject({ thoughtSignature: call.thoughtSignature })
    const named = replaced(carried, { toolu_1: used.id })
    expect(callOf(inMessages(named))).toEqual(call)
  })
})

describe.each(named('genai'))('the genai history of %s', (_name, echo) => {
  it('has the signature of a messages upstream (trap 68) [tr.signatures]', () => {
    const first = inGenai([{ role: 'user', parts: [{ text: 'hello' }] }])
    const { body } = first.response({ content: CLAUDE, stop_reason: 'tool_use' })
    const [{ content }] = body['candidates'] as [{ content: { parts: { thoughtSignature?: string }[] } }]
    const bundle = content.parts.at(-1)?.thoughtSignature ?? ''
    const next = inGenai(replaced(echo.turns, { [OF_GENAI_CALL]: bundle, fc_1: 'toolu_1' }))
    expect(contentOf(next)).toMatchObject([thinking, CLAUDE[1], { ...use, id: expect.any(String) as string }])
    expect(next.body['thinking']).toMatchObject({ type: 'enabled' })
  })
})

const OWN = [{ type: 'reasoning.text', text: 'I think.', signature: 'of-the-upstream', index: 0 }]

describe('reasoning in members of a client', () => {
  const calls = [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":"sky"}' } }]
  const result = { role: 'tool', tool_call_id: 'call_1', content: 'seen' }
  const ask = (to: typeof chat, members: JsonObject) =>
    inChat(to, [{ role: 'user', content: 'hello' }, { role: 'assistant', tool_calls: calls, ...members }, result])
  const details = [{ type: 'reasoning.text', text: 'I think.', signature: `dg1.anthropic.self.${SIGNED}`, index: 0 }]
  const blocks = [thinking, { type: 'redacted_thinking', data: 'EmwKAhgB' }]

  it.each<[string, JsonObject]>([
    ['provider_specific_fields', { provider_specific_fields: { reasoning_details: details, refusal: null } }],
    ['additional_kwargs', { additional_kwargs: { reasoning_details: details, reasoning_content: 'I think.' } }],
    ['both', { additional_kwargs: { provider_specific_fields: { reasoning_details: details } } }],
  ])('is read from reasoning_details in %s [tr.signatures]', (_name, members) => {
    const next = ask(messages, members)
    expect(contentOf(next)).toEqual([thinking, { ...use, id: 'call_1' }])
    expect(next.losses.filter(({ path }) => path[0] === 'messages')).toEqual([])
  })

  it.each<[string, JsonObject]>([
    ['the message', { thinking_blocks: blocks, reasoning_content: 'I think.' }],
    ['provider_specific_fields', { provider_specific_fields: { thinking_blocks: blocks } }],
    ['additional_kwargs', { additional_kwargs: { thinking_blocks: blocks } }],
  ])(
    'is read from thinking_blocks in %s, whose plain signatures are of Anthropic [tr.signatures]',
    (_name, members) => {
      expect(contentOf(ask(messages, members))).toEqual([...blocks, { ...use, id: 'call_1' }])
      expect(
        chat.relay.obstacle({ messages: [{ role: 'assistant', tool_calls: calls, ...members }] }, {}),
      ).toBeUndefined()
    },
  )

  it('is complete without nulls, and without the index and the parsed arguments of a call, which repeat what is sent', () => {
    const [{ function: called, ...call }] = calls as [(typeof calls)[0]]
    const echoed = { ...call, index: 0, function: { ...called, parsed_arguments: { at: 'sky' } } }
    const nulls = { parsed: null, audio: null, function_call: null, refusal: null }
    const given = { role: 'assistant', ...nulls, tool_calls: [echoed] }
    expect(ask(messages, given).losses.filter(({ path }) => path[0] === 'messages')).toEqual([])
    const sent = ask(chat, given)
    expect(sent.losses).toEqual([])
    expect((sent.body['messages'] as JsonObject[])[1]).toEqual({ role: 'assistant', content: null, tool_calls: calls })
    expect(chat.relay.obstacle({ messages: [given] }, {})).toBeUndefined()
  })

  it('is located where the client has it', () => {
    const { losses } = ask(genai, { provider_specific_fields: { reasoning_details: details } })
    expect(losses.map(({ wirePath }) => wirePath)).toContain(
      'messages[1].provider_specific_fields.reasoning_details[0]',
    )
  })

  it('keeps other members for its own protocol', () => {
    const { body } = ask(chat, {
      additional_kwargs: { thinking_blocks: [{ type: 'thinking', thinking: 'a' }], own: 1 },
    })
    expect((body['messages'] as JsonObject[])[1]).toMatchObject({ additional_kwargs: { own: 1 }, reasoning: 'a' })
  })

  it.each<[string, JsonObject, boolean]>([
    ['provider_specific_fields', { provider_specific_fields: { reasoning_details: OWN, refusal: null } }, true],
    ['provider_specific_fields without any', { provider_specific_fields: { refusal: null } }, false],
  ])('goes from %s to a chat upstream in reasoning_details: others would be refused', (_name, members, has) => {
    expect(chat.relay.obstacle({ messages: [{ role: 'assistant', tool_calls: calls, ...members }] }, {})).toBeDefined()
    const sent = (ask(chat, members).body['messages'] as JsonObject[])[1]
    expect(sent).toMatchObject({ tool_calls: calls, ...(has ? { reasoning_details: OWN } : {}) })
    expect(sent).not.toHaveProperty('provider_specific_fields')
  })

  it.each<[string, JsonObject]>([
    ['on the call', { tool_calls: [{ ...calls[0], provider_specific_fields: { thought_signature: 'Z2VtaW5p' } }] }],
    ['by id', { additional_kwargs: { __gemini_function_call_thought_signatures__: { call_1: 'Z2VtaW5p' } } }],
  ])("has the signatures of Gemini's calls %s (trap 5) [tr.signatures]", (_name, members) => {
    expect(callOf(ask(genai, members))).toMatchObject({ thoughtSignature: 'Z2VtaW5p' })
  })
})

import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/lib/json.ts'
import { describeLoss } from '../../src/ir/loss.ts'
import { chat } from '../../src/protocols/chat/index.ts'
import { genai } from '../../src/protocols/genai/index.ts'
import { messages } from '../../src/protocols/messages/index.ts'
import type { Protocol } from '../../src/protocols/protocol.ts'
import { translate, translateResponse } from '../../src/protocols/translate.ts'

const match = { model: 'm', stream: false }
const toward = (from: Protocol, to: Protocol, body: JsonObject) => {
  const translation = translate(from, to, body, { match })
  return { body: translation.body, losses: translation.losses.map(describeLoss) }
}
const asked = { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'hello' }] }
const contents = [{ role: 'user', parts: [{ text: 'hello' }] }]

describe('equivalents in another protocol', () => {
  it('gives messages the text of a text file', () => {
    const data = Buffer.from('naïve').toString('base64')
    const inline = { inlineData: { mimeType: 'text/plain', data } }
    const { body, losses } = toward(genai, messages, { contents: [{ role: 'user', parts: [inline] }] })
    expect(body['messages']).toEqual([
      {
        role: 'user',
        content: [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'naïve' } }],
      },
    ])
    expect(losses).toContain('changed contents[0].parts[0].inlineData: messages takes texts as they are')
  })

  it('has no tools where a client sent an empty list, which OpenAI and Google refuse', () => {
    const tools: JsonObject[] = []
    for (const to of [chat, messages, genai]) {
      for (const [from, body] of [
        [chat, { ...asked, tools }],
        [messages, { ...asked, tools }],
        [genai, { contents, tools }],
      ] as const)
        expect(toward(from, to, body).body).not.toHaveProperty('tools')
    }
  })

  it('has no stop sequences where a client sent an empty list, which OpenAI refuses', () => {
    expect(toward(genai, chat, { contents, generationConfig: { stopSequences: [] } }).body).not.toHaveProperty('stop')
    expect(toward(messages, chat, { ...asked, stop_sequences: [] }).body).not.toHaveProperty('stop')
  })

  it('puts the members of a schema into its order', () => {
    const parameters = {
      type: 'OBJECT',
      properties: { a: { type: 'STRING' }, b: { type: 'STRING' }, c: { type: 'STRING' } },
      propertyOrdering: ['c', 'a', 'unknown'],
    }
    const { body } = toward(genai, messages, {
      contents,
      tools: [{ functionDeclarations: [{ name: 't', parameters }] }],
    })
    const [tool] = body['tools'] as [{ input_schema: { properties: object } }]
    expect(Object.keys(tool.input_schema.properties)).toEqual(['c', 'a', 'b'])
  })

  it('names the lost options of a web search', () => {
    const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 3, allowed_domains: ['a.example'] }
    for (const to of [chat, genai]) {
      const { losses } = toward(messages, to, { ...asked, tools: [search] })
      expect(losses.find((loss) => loss.startsWith('changed tools[0]'))).toMatch(/without max_uses, allowed_domains$/)
    }
  })

  it('lets the model call one of several tools', () => {
    const names = ['one', 'two']
    const functions = names.map((name) => ({ type: 'function', function: { name } }))
    const allowed_tools = { mode: 'required', tools: functions }
    const body = { ...asked, tools: functions, tool_choice: { type: 'allowed_tools', allowed_tools } }
    const config = { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: names } }
    expect(toward(chat, genai, body).body['toolConfig']).toEqual(config)
    expect(toward(chat, chat, body).body['tool_choice']).toEqual({ type: 'allowed_tools', allowed_tools })
    expect(toward(chat, messages, body).body['tool_choice']).toEqual({ type: 'any' })
    const declared = {
      contents,
      tools: [{ functionDeclarations: names.map((name) => ({ name })) }],
      toolConfig: config,
    }
    expect(toward(genai, chat, declared).body['tool_choice']).toEqual({ type: 'allowed_tools', allowed_tools })
  })

  it('drops and reports the names of several tools if the upstream does not support allowed_tools', () => {
    const names = ['one', 'two']
    const declared = {
      contents,
      tools: [{ functionDeclarations: names.map((name) => ({ name })) }],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: names } },
    }
    const { body, losses } = translate(genai, chat, declared, { dialect: { allowedTools: false } })
    expect(body['tool_choice']).toBe('required')
    expect(losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)).toContain('dropped toolChoice.names')
  })

  it('keeps a list of allowed tools whole if it has more than names', () => {
    const functions = ['one', 'two'].map((name) => ({ type: 'function', function: { name } }))
    const tools = [...functions, { type: 'custom', custom: { name: 'three' } }]
    const tool_choice = { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools } }
    const { body, losses } = toward(chat, chat, { ...asked, tools: functions, tool_choice })
    expect(body['tool_choice']).toEqual(tool_choice)
    expect(losses).toEqual([])
  })

  it('counts all cache writes for chat, with any lifetime', () => {
    const counts = { cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 } }
    const answer = {
      content: [{ type: 'text', text: 'hi' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 5, output_tokens: 1, cache_creation_input_tokens: 30, ...counts },
    }
    const { body, losses } = translateResponse(chat, messages, answer)
    expect(body['usage']).toMatchObject({ prompt_tokens: 35, prompt_tokens_details: { cache_write_tokens: 30 } })
    expect(losses.map(describeLoss)).toContain('changed usage.cacheWrite5m: chat usage has one count for all caches')
  })
})

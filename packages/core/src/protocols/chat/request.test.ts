import { describe, expect, it } from 'vitest'
import { chat, messages } from '../../../test/untyped.ts'
import type { JsonObject } from '../../lib/json.ts'
import { translate, type Translation, type TranslateOptions } from '../translate.ts'

const hello = { role: 'user', content: 'hello' }
const parameters = { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] }
const tool = { type: 'function', function: { name: 'look', description: 'Looks.', parameters } }

function ask(
  members: JsonObject,
  options: TranslateOptions = {},
): { toChat: Translation; toMessages: Translation; losses: string[] } {
  const body = { model: 'm', max_completion_tokens: 50_000, messages: [hello], ...members }
  chat.request.check(body)
  const toMessages = translate(chat, messages, body, options)
  return { toChat: translate(chat, chat, body, options), toMessages, losses: reported(toMessages) }
}
const reported = ({ losses }: Translation): string[] => losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)

describe('a translated chat request', () => {
  it.each([
    ['max_completion_tokens', 4000, 'max_tokens', 4000, '[chat.max_completion_tokens:through]'],
    ['temperature', 0, 'temperature', 0, '[chat.temperature:through]'],
    ['top_p', 0.5, 'top_p', 0.5, '[chat.top_p:through]'],
    ['stop', ['a', 'b'], 'stop_sequences', ['a', 'b'], '[chat.stop:through]'],
    ['stop', 'a', 'stop_sequences', ['a'], '[chat.stop:through]'],
  ])('writes %s %j as %s %j in messages %s', (member, value, there, written, _row) => {
    const { toChat, toMessages, losses } = ask({ [member]: value })
    expect(toMessages.body[there]).toEqual(written)
    expect(losses).toEqual([])
    expect(toChat.body[member]).toEqual(value)
    expect(reported(toChat)).toEqual([])
  })

  it('gives messages the limit of the model, or 8192, if none is set [chat.max_completion_tokens:through]', () => {
    const without = ask({ max_completion_tokens: null })
    expect(without.toMessages.body['max_tokens']).toBe(8192)
    expect(without.losses).toEqual(['added settings.maxTokens'])
    const limited = ask({ max_completion_tokens: null }, { limits: { maxTokens: 64_000 } })
    expect(limited.toMessages.body['max_tokens']).toBe(64_000)
    expect(limited.toChat.body).not.toHaveProperty('max_completion_tokens')
  })

  it('clamps a temperature above 1 for messages, reported [chat.temperature:through]', () => {
    const { toChat, toMessages, losses } = ask({ temperature: 1.7 })
    expect(toMessages.body['temperature']).toBe(1)
    expect(losses).toEqual(['changed settings.temperature'])
    expect(toChat.body['temperature']).toBe(1.7)
  })

  it.each([
    [{ frequency_penalty: 0.5 }, 'frequencyPenalty', '[chat.penalties:through]'],
    [{ presence_penalty: -1.5 }, 'presencePenalty', '[chat.penalties:through]'],
    [{ logit_bias: { 50256: -100 } }, 'logitBias', '[chat.logit_bias:through]'],
    [{ logprobs: true, top_logprobs: 3 }, 'logprobs', '[chat.logprobs:through]'],
  ])('keeps %j for chat and reports %s for messages %s', (members, setting, _row) => {
    const { toChat, toMessages, losses } = ask(members)
    expect(toChat.body).toMatchObject(members)
    expect(reported(toChat)).toEqual([])
    for (const member of Object.keys(members)) expect(toMessages.body).not.toHaveProperty(member)
    expect(losses).toEqual([`dropped settings.${setting}`])
  })

  it('reports a blank stop sequence that messages refuses [chat.stop:through]', () => {
    const { toMessages, losses } = ask({ stop: ['\n\n', 'END'] })
    expect(toMessages.body['stop_sequences']).toEqual(['END'])
    expect(losses).toEqual(['dropped settings.stop.0'])
  })

  it('declares function tools [chat.tools:through]', () => {
    const { toChat, toMessages, losses } = ask({ tools: [tool] })
    expect(toMessages.body['tools']).toEqual([{ name: 'look', description: 'Looks.', input_schema: parameters }])
    expect(toChat.body['tools']).toEqual([tool])
    expect(losses).toEqual([])
  })

  it.each([
    [{}, { type: 'object' }],
    [{ properties: { at: { type: 'string' } } }, { type: 'object', properties: { at: { type: 'string' } } }],
    [
      {
        anyOf: [
          { type: 'object', properties: { a: {} } },
          { type: 'object', properties: { b: {} } },
        ],
      },
      { type: 'object', properties: { a: {}, b: {} }, required: [] },
    ],
  ])('gives messages an object schema for %j, reported (trap 51) [chat.tools:through]', (parameters, input_schema) => {
    const { toMessages, toChat, losses } = ask({ tools: [{ type: 'function', function: { name: 'now', parameters } }] })
    expect(toMessages.body['tools']).toEqual([{ name: 'now', input_schema }])
    expect(losses).toEqual(['changed tools.0.schema'])
    expect(toChat.body['tools']).toMatchObject([{ function: { parameters } }])
  })

  it('gives a tool without parameters an empty schema in messages, reported [chat.tools:through]', () => {
    const { toMessages, losses } = ask({ tools: [{ type: 'function', function: { name: 'now' } }] })
    expect(toMessages.body['tools']).toEqual([{ name: 'now', input_schema: { type: 'object', properties: {} } }])
    expect(losses).toEqual(['added tools.0.schema'])
  })

  it('declares a custom tool as a function with a text, reported [chat.tools:through]', () => {
    const format = { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "a"' } }
    const custom = { type: 'custom', custom: { name: 'run', description: 'Runs.', format } }
    const { toChat, toMessages, losses } = ask({ tools: [custom] })
    expect(toChat.body['tools']).toEqual([custom])
    expect(toMessages.body['tools']).toMatchObject([
      {
        name: 'run',
        description: expect.stringMatching(/^Runs\.[^]*start: "a"/),
        input_schema: { type: 'object', required: ['input'] },
      },
    ])
    expect(losses).toEqual(['changed tools.0'])
  })

  it.each([
    ['none', { type: 'none' }],
    ['auto', { type: 'auto' }],
    ['required', { type: 'any' }],
    [
      { type: 'function', function: { name: 'look' } },
      { type: 'tool', name: 'look' },
    ],
  ])('writes the tool choice %j as %j in messages [chat.tool_choice:through]', (choice, written) => {
    const { toChat, toMessages, losses } = ask({ tools: [tool], tool_choice: choice })
    expect(toMessages.body['tool_choice']).toEqual(written)
    expect(toChat.body['tool_choice']).toEqual(choice)
    expect(losses).toEqual([])
  })

  it('disables parallel calls [chat.parallel_tool_calls:through]', () => {
    const single = ask({ tools: [tool], tool_choice: 'required', parallel_tool_calls: false })
    expect(single.toMessages.body['tool_choice']).toEqual({ type: 'any', disable_parallel_tool_use: true })
    expect(single.toChat.body['parallel_tool_calls']).toBe(false)
    expect(single.losses).toEqual([])
    const alone = ask({ tools: [tool], parallel_tool_calls: false })
    expect(alone.toMessages.body['tool_choice']).toEqual({ type: 'auto', disable_parallel_tool_use: true })
    expect(alone.losses).toEqual(['added toolChoice.mode'])
  })

  it.each([
    ['minimal', 1024],
    ['low', 2048],
    ['medium', 5120],
    ['high', 10_240],
    ['xhigh', 20_480],
  ])(
    'converts effort %s to a budget of %i tokens for messages, reported [chat.reasoning_effort:through]',
    (effort, budget) => {
      const { toChat, toMessages, losses } = ask({ reasoning_effort: effort })
      expect(toMessages.body['thinking']).toEqual({ type: 'enabled', budget_tokens: budget })
      expect(losses).toEqual(['changed reasoning'])
      expect(toChat.body['reasoning_effort']).toBe(effort)
      expect(reported(toChat)).toEqual([])
    },
  )

  it('converts effort max to the highest budget of the card [chat.reasoning_effort:through]', () => {
    const { toMessages } = ask({ reasoning_effort: 'max' }, { limits: { reasoning: { max: 32_000 } } })
    expect(toMessages.body['thinking']).toEqual({ type: 'enabled', budget_tokens: 32_000 })
  })

  it('turns reasoning off for effort none [chat.reasoning_effort:through]', () => {
    const { toChat, toMessages, losses } = ask({ reasoning_effort: 'none' })
    expect(toMessages.body['thinking']).toEqual({ type: 'disabled' })
    expect(toChat.body['reasoning_effort']).toBe('none')
    expect(losses).toEqual([])
  })

  it('requests the budget of reasoning.max_tokens from messages [chat.reasoning:through]', () => {
    const { toChat, toMessages, losses } = ask(
      { reasoning: { enabled: true, max_tokens: 3000 } },
      { dialect: { reasoning: 'object' } },
    )
    expect(toMessages.body['thinking']).toEqual({ type: 'enabled', budget_tokens: 3000 })
    expect(losses).toEqual([])
    expect(toChat.body['reasoning']).toEqual({ enabled: true, max_tokens: 3000 })
  })

  it('reads reasoning.effort as reasoning_effort, and enabled false as none [chat.reasoning:through]', () => {
    expect(ask({ reasoning: { effort: 'low' } }).toMessages.body['thinking']).toMatchObject({ budget_tokens: 2048 })
    expect(ask({ reasoning: { effort: 'low' } }).toChat.body['reasoning_effort']).toBe('low')
    expect(ask({ reasoning: { enabled: false } }).toMessages.body['thinking']).toEqual({ type: 'disabled' })
  })

  it('leaves excluded reasoning out of the response although it was requested [chat.reasoning:through]', () => {
    const { toMessages } = ask({ reasoning: { effort: 'low', exclude: true } })
    expect(toMessages.body['thinking']).toMatchObject({ type: 'enabled' })
    const content = [
      { type: 'thinking', thinking: 'secret thought', signature: 'EqQB' },
      { type: 'text', text: 'said' },
    ]
    const { body } = toMessages.response({ content, stop_reason: 'end_turn', usage: { output_tokens: 9 } })
    expect(JSON.stringify(body)).not.toContain('secret thought')
    expect(JSON.stringify(body)).toContain('said')
    expect(body['usage']).toMatchObject({ completion_tokens: 9 })
  })

  it('keeps verbosity for chat and reports it for messages [chat.verbosity:through]', () => {
    const { toChat, toMessages, losses } = ask({ verbosity: 'low' })
    expect(toChat.body['verbosity']).toBe('low')
    expect(toMessages.body).not.toHaveProperty('verbosity')
    expect(losses).toEqual(['dropped output.verbosity'])
  })

  it("requests a web search from messages, with the user's location [chat.web_search_options:through]", () => {
    const options = {
      search_context_size: 'low',
      user_location: { type: 'approximate', approximate: { city: 'Oslo', country: 'NO' } },
    }
    const { toChat, toMessages, losses } = ask({ web_search_options: options })
    expect(toChat.body['web_search_options']).toEqual(options)
    expect(reported(toChat)).toEqual([])
    expect(toMessages.body['tools']).toEqual([
      {
        type: 'web_search_20250305',
        name: 'web_search',
        user_location: { type: 'approximate', city: 'Oslo', country: 'NO' },
      },
    ])
    expect(losses).toEqual(['changed tools.0'])
  })

  it('keeps metadata for chat and reports it for messages, which has another kind [chat.metadata:through]', () => {
    const metadata = { user_id: 'u1', team: 'red' }
    const { toChat, toMessages, losses } = ask({ metadata })
    expect(toChat.body['metadata']).toEqual(metadata)
    expect(toMessages.body).not.toHaveProperty('metadata')
    expect(losses).toEqual(['dropped metadata'])
  })

  it('always requests usage from chat [chat.stream_options:through]', () => {
    for (const members of [
      {},
      { stream_options: { include_usage: true } },
      { stream_options: { include_usage: false } },
    ]) {
      const { toChat, toMessages, losses } = ask({ stream: true, ...members })
      expect(toChat.body).toMatchObject({ stream: true, stream_options: { include_usage: true } })
      expect(toMessages.body['stream']).toBe(true)
      expect(toMessages.body).not.toHaveProperty('stream_options')
      expect(losses).toEqual([])
    }
    expect(ask({}).toChat.body).not.toHaveProperty('stream_options')
  })

  it('requests JSON with a schema in both protocols [chat.response_format:through]', () => {
    const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }
    const format = { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true, description: 'An a.' } }
    const { toChat, toMessages, losses } = ask({ response_format: format })
    expect(toChat.body['response_format']).toEqual(format)
    expect(reported(toChat)).toEqual([])
    expect(toMessages.body['output_config']).toEqual({ format: { type: 'json_schema', schema } })
    expect(losses.sort()).toEqual(['dropped output.description', 'dropped output.name', 'dropped output.strict'])
  })

  it('asks messages for JSON without a schema in words and drops text [chat.response_format:through]', () => {
    const json = ask({ response_format: { type: 'json_object' } })
    expect(json.toChat.body['response_format']).toEqual({ type: 'json_object' })
    expect(json.losses).toEqual(['added messages.1', 'dropped output.format'])
    const text = ask({ response_format: { type: 'text' } })
    expect(text.losses).toEqual([])
    expect(text.toMessages.body).not.toHaveProperty('output_config')
  })

  it('keeps unknown members for chat and reports them for messages [tr.identity] [tr.losses]', () => {
    const { toChat, toMessages, losses } = ask({ brand_new: { a: [1] }, service_tier: 'flex' })
    expect(toChat.body).toMatchObject({ brand_new: { a: [1] }, service_tier: 'flex' })
    expect(toMessages.body).not.toHaveProperty('brand_new')
    expect(losses).toEqual(['dropped serviceTier', 'dropped extras.chat.brand_new.a'])
  })

  it('does not forward the routing members of the gateway', () => {
    const { toChat, toMessages } = ask({
      provider: { type: 'priority' },
      model_routing_config: { preference: 'a/b' },
      usage: { include: true },
    })
    for (const { body } of [toChat, toMessages]) {
      expect(body).not.toHaveProperty('provider')
      expect(body).not.toHaveProperty('model_routing_config')
      expect(body).not.toHaveProperty('usage')
    }
  })
})

import { describe, expect, it } from 'vitest'
import { chat, genai, messages } from '../../../test/untyped.ts'
import type { JsonObject } from '../../lib/json.ts'
import { translate, type Translation } from '../translate.ts'

const hello = { role: 'user', content: 'hello' }
const tool = { name: 'look', input_schema: { type: 'object', properties: {} } }

function ask(members: JsonObject, options = {}): { toChat: Translation; toMessages: Translation } {
  const body = { model: 'm', max_tokens: 4096, messages: [hello], ...members }
  messages.request.check(body)
  return { toChat: translate(messages, chat, body, options), toMessages: translate(messages, messages, body, options) }
}
const reported = ({ losses }: Translation): string[] => losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)

describe('a translated messages request', () => {
  it.each([
    ['max_tokens', 4000, 'max_completion_tokens', 4000, '[msg.max_tokens:through]'],
    ['temperature', 0, 'temperature', 0, '[msg.temperature:through]'],
    ['temperature', 0.7, 'temperature', 0.7, '[msg.temperature:through]'],
    ['top_p', 0.5, 'top_p', 0.5, '[msg.top_p:through]'],
    ['stop_sequences', ['a', 'b'], 'stop', ['a', 'b'], '[msg.stop_sequences:through]'],
    ['stop_sequences', ['a'], 'stop', 'a', '[msg.stop_sequences:through]'],
  ])('writes %s %j as %s %j in chat %s', (member, value, there, written, _row) => {
    const { toChat, toMessages } = ask({ [member]: value })
    expect(toChat.body[there]).toEqual(written)
    expect(reported(toChat)).toEqual([])
    expect(toMessages.body[member]).toEqual(value)
    expect(reported(toMessages)).toEqual([])
  })

  it('keeps top_k for messages and reports it for chat [msg.top_k:through]', () => {
    const { toChat, toMessages } = ask({ top_k: 40 })
    expect(toMessages.body['top_k']).toBe(40)
    expect(toChat.body).not.toHaveProperty('top_k')
    expect(reported(toChat)).toEqual(['dropped settings.topK'])
  })

  it('clamps max_tokens to the limit of the model and reports it [msg.max_tokens:through]', () => {
    const { toChat, toMessages } = ask({ max_tokens: 128_000 }, { limits: { maxTokens: 8000 } })
    expect(toChat.body['max_completion_tokens']).toBe(8000)
    expect(toMessages.body['max_tokens']).toBe(8000)
    for (const each of [toChat, toMessages]) expect(reported(each)).toEqual(['changed settings.maxTokens'])
  })

  it('keeps four stop sequences for chat and reports the fifth [msg.stop_sequences:through]', () => {
    const { toChat, toMessages } = ask({ stop_sequences: ['a', 'b', 'c', 'd', 'e'] })
    expect(toChat.body['stop']).toEqual(['a', 'b', 'c', 'd'])
    expect(reported(toChat)).toEqual(['dropped settings.stop.4'])
    expect(toMessages.body['stop_sequences']).toHaveLength(5)
  })

  it('names the stop sequence if the upstream reports only that there was one [msg.stop_sequences:through]', () => {
    const answer = { content: [{ type: 'text', text: 'a' }], stop_reason: 'stop_sequence', stop_sequence: null }
    const one = ask({ stop_sequences: ['END'] }).toMessages.response(answer).body
    expect(one).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: 'END' })
    const two = ask({ stop_sequences: ['END', 'STOP'] }).toMessages.response(answer).body
    expect(two).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: null })
    const written = ask({ stop_sequences: ['END', 'STOP'] }).toMessages.response({
      ...answer,
      stop_sequence: 'STOP',
    }).body
    expect(written).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: 'STOP' })
  })

  it('gives chat the system prompt as its first message [msg.system:through]', () => {
    const text = ask({ system: 'Be brief.' })
    expect(text.toChat.body['messages']).toEqual([{ role: 'system', content: 'Be brief.' }, hello])
    expect(text.toMessages.body['system']).toBe('Be brief.')
    const blocks = [
      { type: 'text', text: 'Be brief.' },
      { type: 'text', text: 'Be kind.' },
    ]
    const list = ask({ system: blocks })
    expect(list.toChat.body['messages']).toEqual([{ role: 'system', content: blocks }, hello])
    expect(list.toMessages.body['system']).toEqual(blocks)
    for (const each of [text.toChat, text.toMessages, list.toChat, list.toMessages]) expect(reported(each)).toEqual([])
  })

  describe('with a system turn between question and answer [msg.system:through] (trap 47)', () => {
    const brief = { role: 'system', content: 'Be brief.' }
    const turns = [hello, brief, { role: 'assistant', content: 'Hi.' }, { role: 'user', content: 'Bye.' }]
    const taken = { dialect: { systemTurns: true } }

    it('keeps it if the upstream accepts it', () => {
      const { toMessages } = ask({ messages: turns }, taken)
      expect(toMessages.body['messages']).toEqual(turns)
      expect(reported(toMessages)).toEqual([])
    })

    it('makes it user text for others, and reports that', () => {
      const { toMessages } = ask({ messages: turns })
      expect(toMessages.body['messages']).toEqual(turns.with(1, { ...brief, role: 'user' }))
      expect(reported(toMessages)).toEqual(['changed messages.1.role'])
    })

    it('keeps its settings only as a system turn', () => {
      const effort = { ...brief, output_config: { effort: 'low' } }
      const kept = ask({ messages: turns.with(1, effort) }, taken).toMessages
      expect(kept.body['messages']).toEqual(turns.with(1, effort))
      expect(reported(kept)).toEqual([])
      const moved = ask({ messages: turns.with(1, effort) }).toMessages
      expect(moved.body['messages']).toEqual(turns.with(1, { ...brief, role: 'user' }))
      expect(reported(moved)).toEqual(['changed messages.1.role', 'dropped messages.1.extras.messages'])
    })

    it('keeps it in place for chat', () => {
      const { toChat } = ask({ messages: turns })
      expect(toChat.body['messages']).toEqual(turns)
      expect(reported(toChat)).toEqual([])
    })

    it('makes it user text in genai, and reports that', () => {
      const toGenai = translate(messages, genai, { model: 'm', max_tokens: 9, messages: turns })
      expect(toGenai.body).not.toHaveProperty('systemInstruction')
      expect(toGenai.body['contents']).toMatchObject([
        { role: 'user', parts: [{ text: 'hello' }] },
        { role: 'user', parts: [{ text: 'Be brief.' }] },
        { role: 'model', parts: [{ text: 'Hi.' }] },
        { role: 'user', parts: [{ text: 'Bye.' }] },
      ])
      expect(reported(toGenai)).toEqual(['changed messages.1.role'])
    })

    it('keeps several in a row', () => {
      const { toMessages } = ask({ messages: [hello, brief, { ...brief, content: 'Be kind.' }] }, taken)
      expect(toMessages.body['messages']).toEqual([hello, brief, { role: 'system', content: 'Be kind.' }])
      expect(reported(toMessages)).toEqual([])
    })

    it('makes one after an answer, or before another question, user text', () => {
      const answered = [hello, { role: 'assistant', content: 'Hi.' }, brief]
      expect(ask({ messages: answered }, taken).toMessages.body['messages']).toEqual(
        answered.with(2, { ...brief, role: 'user' }),
      )
      const asked = [hello, brief, hello]
      expect(ask({ messages: asked }, taken).toMessages.body['messages']).toEqual(
        asked.with(1, { ...brief, role: 'user' }),
      )
    })

    it('makes one before the words that ask for JSON user text: it would not precede an answer', () => {
      const body = { model: 'm', messages: [hello, brief], response_format: { type: 'json_object' } }
      const { body: sent } = translate(chat, messages, body, taken)
      expect(sent['messages']).toMatchObject([hello, { ...brief, role: 'user' }, { role: 'user' }])
    })

    it('adds one at the start to the system prompt', () => {
      const { toMessages } = ask({ system: 'Be kind.', messages: [brief, hello] })
      expect(toMessages.body).toMatchObject({
        system: [
          { type: 'text', text: 'Be kind.' },
          { type: 'text', text: 'Be brief.' },
        ],
        messages: [hello],
      })
      expect(reported(toMessages)).toEqual(['merged messages.1'])
    })

    it('detects a tool loop with lost thinking behind it', () => {
      const use = { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'look', input: {} }] }
      const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'x' }] }
      const thinking = { type: 'enabled', budget_tokens: 1024 }
      const { toMessages } = ask({ messages: [hello, use, result, brief], tools: [tool], thinking }, taken)
      expect(toMessages.body['thinking']).toEqual({ type: 'disabled' })
    })
  })

  it('keeps strings, blocks and the order of roles [msg.messages:through]', () => {
    const conversation = [
      { role: 'user', content: 'one' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'two' },
          { type: 'text', text: 'three' },
        ],
      },
      { role: 'assistant', content: 'four' },
      hello,
    ]
    const { toChat, toMessages } = ask({ messages: conversation })
    const written = (body: JsonObject) => JSON.stringify(body['messages']).match(/one|two|three|four|hello/g)
    expect(written(toChat.body)).toEqual(['one', 'two', 'three', 'four', 'hello'])
    expect(written(toMessages.body)).toEqual(['one', 'two', 'three', 'four', 'hello'])
    expect(reported(toMessages)).toEqual([])
  })

  it('leaves a last assistant message last, to be continued [msg.messages:through]', () => {
    const prefill = { role: 'assistant', content: 'The answer is' }
    const { toChat, toMessages } = ask({ messages: [hello, prefill] })
    expect(toChat.body['messages']).toEqual([hello, prefill])
    expect(toMessages.body['messages']).toEqual([hello, prefill])
  })

  it('reads calls and results of consecutive messages of one role as one turn [msg.messages:through]', () => {
    const call = (id: string) => ({
      role: 'assistant',
      content: [{ type: 'tool_use', id, name: 'look', input: {} }],
    })
    const result = (id: string) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: id }] })
    const conversation = [hello, call('t1'), call('t2'), result('t1'), result('t2')]
    const { toChat } = ask({ tools: [tool], messages: conversation })
    const wire = toChat.body['messages'] as { role: string; tool_calls?: { id: string }[] }[]
    expect(wire.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool'])
    expect(wire[1]?.tool_calls?.map(({ id }) => id)).toEqual(['t1', 't2'])
  })

  it('requests reasoning from chat with its budget, or none [msg.thinking:through]', () => {
    const on = ask({ thinking: { type: 'enabled', budget_tokens: 2048 } }, { dialect: { reasoning: 'object' } })
    expect(on.toChat.body['reasoning']).toMatchObject({ max_tokens: 2048 })
    expect(on.toMessages.body['thinking']).toEqual({ type: 'enabled', budget_tokens: 2048 })
    const off = ask({ thinking: { type: 'disabled' } })
    expect(off.toChat.body['reasoning_effort']).toBe('none')
    expect(off.toMessages.body['thinking']).toEqual({ type: 'disabled' })
    for (const each of [on.toChat, on.toMessages, off.toChat, off.toMessages]) expect(reported(each)).toEqual([])
  })

  it('keeps adaptive thinking for messages and reports the nearest for chat [msg.thinking:through]', () => {
    const { toChat, toMessages } = ask({ thinking: { type: 'adaptive' }, output_config: { effort: 'high' } })
    expect(toMessages.body).toMatchObject({ thinking: { type: 'adaptive' }, output_config: { effort: 'high' } })
    expect(reported(toMessages)).toEqual([])
    expect(toChat.body).toMatchObject({ reasoning_effort: 'high' })
    expect(reported(toChat)).toEqual(['dropped reasoning.on'])
  })

  it.each([
    [{ type: 'auto' }, 'auto', undefined],
    [{ type: 'any' }, 'required', undefined],
    [{ type: 'none' }, 'none', undefined],
    [{ type: 'tool', name: 'look' }, { type: 'function', function: { name: 'look' } }, undefined],
    [{ type: 'auto', disable_parallel_tool_use: true }, 'auto', false],
    [{ type: 'any', disable_parallel_tool_use: false }, 'required', true],
  ])('writes the tool choice %j as %j in chat [msg.tool_choice:through]', (choice, written, parallel) => {
    const { toChat, toMessages } = ask({ tools: [tool], tool_choice: choice })
    expect(toChat.body['tool_choice']).toEqual(written)
    expect(toChat.body['parallel_tool_calls']).toBe(parallel)
    expect(toMessages.body['tool_choice']).toEqual(choice)
    expect([...reported(toChat), ...reported(toMessages)]).toEqual([])
  })

  it('translates a tool with its description, schema and cache mark [msg.tool.custom:through]', () => {
    const declared = {
      name: 'look',
      description: 'Looks.',
      input_schema: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
      cache_control: { type: 'ephemeral', ttl: '1h' },
    }
    const { toChat, toMessages } = ask({ tools: [declared] })
    expect(toMessages.body['tools']).toEqual([declared])
    const { name, description, input_schema: parameters } = declared
    expect(toChat.body['tools']).toEqual([{ type: 'function', function: { name, description, parameters } }])
    expect(reported(toChat)).toEqual(['dropped tools.0.cache'])
  })

  it('accepts a tool name of 128 characters and shortens it for chat [msg.tool.custom:through]', () => {
    const name = 'n'.repeat(128)
    const { toChat, toMessages } = ask({ tools: [{ ...tool, name }] })
    expect(toMessages.body['tools']).toEqual([{ ...tool, name }])
    const [sent] = toChat.body['tools'] as { function: { name: string } }[]
    expect(sent?.function.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
  })

  it('keeps built-in tools for messages and reports them for chat [msg.tool.builtin:through]', () => {
    const bash = { type: 'bash_20250124', name: 'bash' }
    const editor = { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool', max_characters: 9000 }
    const search = {
      type: 'web_search_20250305',
      name: 'web_search',
      allowed_domains: ['example.com'],
      max_uses: 3,
      user_location: { type: 'approximate', city: 'Oslo', country: 'NO', timezone: 'Europe/Oslo' },
      cache_control: { type: 'ephemeral' },
    }
    const { toChat, toMessages } = ask({ tools: [tool, bash, editor, search] })
    expect(toMessages.body['tools']).toEqual([tool, bash, editor, search])
    expect(reported(toMessages)).toEqual([])
    expect(toChat.body['tools']).toHaveLength(1)
    expect(reported(toChat)).toContain('dropped tools.1')
    expect(reported(toChat)).toContain('dropped tools.2')
  })

  it("requests a web search from chat, with the user's location [msg.tool.builtin:through]", () => {
    const user_location = { type: 'approximate', city: 'Oslo', country: 'NO' }
    const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 3, user_location }
    const { toChat } = ask({ tools: [search] })
    expect(toChat.body['web_search_options']).toEqual({
      user_location: { type: 'approximate', approximate: { city: 'Oslo', country: 'NO' } },
    })
    expect(reported(toChat).some((loss) => loss.includes(' tools.0'))).toBe(true)
  })

  it('requests structured output in both protocols [msg.structured:through]', () => {
    const schema = { type: 'object', properties: { a: { type: 'number' } }, additionalProperties: false }
    const { toChat, toMessages } = ask({ output_config: { format: { type: 'json_schema', schema } } })
    expect(toMessages.body['output_config']).toEqual({ format: { type: 'json_schema', schema } })
    expect(toChat.body['response_format']).toMatchObject({ type: 'json_schema', json_schema: { schema } })
    const format = toChat.body['response_format'] as { json_schema: { name: string } }
    expect(format.json_schema.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(reported(toChat)).toEqual(['added output.name'])
  })

  it('keeps unknown members for messages and reports them for chat [tr.identity] [tr.losses]', () => {
    const { toChat, toMessages } = ask({ service_tier: 'auto', brand_new: { a: [1] } })
    expect(toMessages.body).toMatchObject({ service_tier: 'auto', brand_new: { a: [1] } })
    expect(toChat.body).not.toHaveProperty('brand_new')
    expect(reported(toChat)).toEqual(['dropped extras.messages.service_tier', 'dropped extras.messages.brand_new.a'])
  })
})

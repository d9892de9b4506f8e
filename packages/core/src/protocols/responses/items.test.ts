import { describe, expect, it } from 'vitest'
import { askResponses, sendToResponses, type Target } from '../../../test/ask-responses.ts'
import type { JsonObject } from '../../lib/json.ts'

const user = { role: 'user', content: 'Go.' }
const next = { role: 'user', content: 'And now?' }
const look = { type: 'function', name: 'look', parameters: { type: 'object', properties: {} } }
const OTHERS = ['chat', 'messages', 'genai'] as const

/** What an upstream of each protocol gets of a conversation: its items, messages or contents. */
function turnsFor(target: Target, items: readonly JsonObject[], members: JsonObject = {}): JsonObject[] {
  const { body } = askResponses({ input: [...items], ...members })[target]
  const list = target === 'responses' ? 'input' : target === 'genai' ? 'contents' : 'messages'
  return body[list] as JsonObject[]
}

function lossesFor(target: Target, items: readonly JsonObject[]): readonly string[] {
  return askResponses({ input: [...items] })[target].losses
}

describe('the input', () => {
  it.each(['Go.', [user], [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go.' }] }]])(
    '[resp.input:through] %j is one message of the user',
    (input) => {
      const { chat, messages, genai, responses } = askResponses({ input })
      expect(chat.body['messages']).toEqual([user])
      expect(messages.body['messages']).toEqual([user])
      expect(genai.body['contents']).toEqual([{ role: 'user', parts: [{ text: 'Go.' }] }])
      expect(responses.body['input']).toEqual([{ type: 'message', ...user }])
    },
  )

  it.each([
    ['chat', { messages: [user] }],
    ['messages', { messages: [user] }],
    ['genai', { contents: [{ role: 'user', parts: [{ text: 'Go.' }] }] }],
  ] as const)('[resp.input:through] of a client of %s is items', (from, members) => {
    expect(sendToResponses(from, members).body['input']).toEqual([{ type: 'message', ...user }])
  })
})

describe('a message', () => {
  const full = {
    type: 'message',
    id: 'msg_1',
    status: 'completed',
    phase: 'commentary',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'Hi.', annotations: [] }],
  }

  it('[resp.item.message:through] of the assistant may be a string, and has no type', () => {
    const plain = { role: 'assistant', content: 'Hi.' }
    for (const one of [plain, full]) {
      expect(turnsFor('chat', [user, one, next])[1]).toEqual(plain)
      expect(turnsFor('messages', [user, one, next])[1]).toEqual(plain)
      expect(turnsFor('genai', [user, one, next])[1]).toEqual({ role: 'model', parts: [{ text: 'Hi.' }] })
    }
    const output = [{ type: 'output_text', text: 'Hi.' }]
    expect(turnsFor('responses', [user, plain, next])[1]).toEqual({
      type: 'message',
      role: 'assistant',
      content: output,
    })
  })

  it('[resp.item.message:through] keeps its id and phase for Responses, and reports them elsewhere', () => {
    const { status: _status, content: _content, ...kept } = full
    expect(turnsFor('responses', [user, full, next])[1]).toMatchObject(kept)
    expect(lossesFor('responses', [user, full, next])).toEqual([])
    for (const target of OTHERS)
      expect(lossesFor(target, [user, full, next])).toEqual(
        expect.arrayContaining(['dropped input[1].id', 'dropped input[1].phase']),
      )
  })

  it.each(['system', 'developer'])(
    '[resp.item.message:through] of the %s stays where it is, or is user text, reported (trap 118)',
    (role) => {
      const middle = { role, content: 'Be brief.' }
      const items = [user, middle, next]
      expect(turnsFor('chat', items)[1]).toEqual(middle)
      expect(turnsFor('responses', items)[1]).toEqual({ type: 'message', ...middle })
      for (const target of ['messages', 'genai'] as const) {
        expect(turnsFor(target, items)[1]).toMatchObject({ role: 'user' })
        expect(lossesFor(target, items)).toEqual(['changed input[1].role'])
      }
    },
  )

  it('[resp.item.message:through] of the system at the start is the system prompt (trap 118)', () => {
    const lead = { role: 'developer', content: 'Be brief.' }
    expect(askResponses({ input: [lead, user] }).messages.body['system']).toBe('Be brief.')
    expect(askResponses({ input: [lead, user] }).genai.body).toMatchObject({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
    })
  })
})

describe('an item of reasoning', () => {
  const of = (encrypted_content: string): JsonObject[] => [
    user,
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content },
    { role: 'assistant', content: 'Hi.' },
    next,
  ]

  it('[resp.item.reasoning:through] goes to the upstream that issued it, byte for byte', () => {
    expect(turnsFor('responses', of('gAAA'))[1]).toEqual(of('gAAA')[1])
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'SIG' }
    expect(turnsFor('messages', of('dg1.anthropic.self.SIG'))[1]).toEqual({
      role: 'assistant',
      content: [thinking, { type: 'text', text: 'Hi.' }],
    })
  })

  it.each<[Target, string]>([
    ['chat', 'gAAA'],
    ['messages', 'gAAA'],
    ['genai', 'gAAA'],
    ['responses', 'dg1.anthropic.self.SIG'],
  ])('[resp.item.reasoning:through] of another issuer never goes to %s, reported (trap 121)', (target, seal) => {
    const sent = JSON.stringify(turnsFor(target, of(seal)))
    expect([sent.includes('gAAA'), sent.includes('SIG')]).toEqual([false, false])
    expect(lossesFor(target, of(seal))).toContain('dropped input[1].summary[0]')
  })

  it('[resp.item.reasoning:through] may have an empty summary, or content', () => {
    const hidden = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' }
    const thoughts = { ...hidden, content: [{ type: 'reasoning_text', text: 'Hm.' }] }
    for (const item of [hidden, thoughts]) expect(turnsFor('responses', [user, item, next])[1]).toEqual(item)
  })

  it('[resp.item.reasoning:through] of codex comes back with content: null', () => {
    const [, item = {}] = of('gAAA')
    expect(turnsFor('responses', [user, { ...item, content: null }, next])[1]).toEqual(item)
  })
})

describe('a call', () => {
  const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'look', arguments: '{"at": 1}' }
  const output = { type: 'function_call_output', call_id: 'call_1', output: 'sky' }
  const chatCall = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at": 1}' } }
  const custom = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_1', name: 'run', input: 'a "b"' }
  const done = { type: 'custom_tool_call_output', call_id: 'call_1', output: 'done' }
  const tools = [look, { type: 'custom', name: 'run' }]

  it('[resp.item.function_call:through] [resp.item.function_call_output:through] reach every upstream', () => {
    const items = [user, { ...call, status: 'completed' }, output]
    expect(turnsFor('responses', items, { tools }).slice(1)).toEqual([call, output])
    expect(turnsFor('chat', items, { tools }).slice(1)).toEqual([
      { role: 'assistant', content: null, tool_calls: [chatCall] },
      { role: 'tool', tool_call_id: 'call_1', content: 'sky' },
    ])
    expect(turnsFor('messages', items, { tools }).slice(1)).toEqual([
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'look', input: { at: 1 } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'sky' }] },
    ])
    expect(turnsFor('genai', items, { tools }).slice(1)).toEqual([
      { role: 'model', parts: [{ functionCall: { id: 'call_1', name: 'look', args: { at: 1 } } }] },
      {
        role: 'user',
        parts: [{ functionResponse: { id: 'call_1', name: 'look', response: { output: 'sky' } } }],
      },
    ])
  })

  it('[resp.item.function_call:through] [resp.item.function_call_output:through] are written for a client of chat', () => {
    const messages = [
      user,
      { role: 'assistant', content: null, tool_calls: [chatCall] },
      { role: 'tool', tool_call_id: 'call_1', content: 'sky' },
    ]
    const { id: _id, ...withoutId } = call
    expect(sendToResponses('chat', { messages }).body['input']).toEqual([
      { type: 'message', ...user },
      withoutId,
      output,
    ])
  })

  it('[resp.item.function_call:through] has its namespace in its name elsewhere', () => {
    const items = [user, { ...call, namespace: 'fs' }, output]
    const group = [{ type: 'namespace', name: 'fs', tools: [look] }]
    expect(turnsFor('responses', items, { tools: group })[1]).toEqual({ ...call, namespace: 'fs' })
    expect(turnsFor('messages', items, { tools: group })[1]).toMatchObject({ content: [{ name: 'fs__look' }] })
  })

  it('[resp.item.function_call_output:through] may have an image, which stays one (trap 126)', () => {
    const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' }
    const items = [user, call, { ...output, output: [{ type: 'input_text', text: 'sky' }, image] }]
    const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' }
    expect(turnsFor('responses', items, { tools })[2]).toMatchObject({ output: [{ text: 'sky' }, image] })
    expect(turnsFor('messages', items, { tools })[2]).toMatchObject({
      content: [{ content: [{ text: 'sky' }, { type: 'image', source }] }],
    })
    // Most upstreams of chat take none there: it follows as a message of the user.
    expect(turnsFor('chat', items, { tools })[3]).toMatchObject({ role: 'user', content: [{ type: 'image_url' }] })
    expect(lossesFor('chat', items)).toContain('moved input[2].output[1]')
  })

  it('[resp.item.custom_tool_call:through] [resp.item.custom_tool_call_output:through] have plain text', () => {
    const items = [user, custom, done]
    expect(turnsFor('responses', items, { tools }).slice(1)).toEqual([custom, done])
    expect(turnsFor('chat', items, { tools }).slice(1)).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'custom', custom: { name: 'run', input: 'a "b"' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'done' },
    ])
    expect(turnsFor('messages', items, { tools })[1]).toMatchObject({ content: [{ input: { input: 'a "b"' } }] })
    expect(turnsFor('genai', items, { tools })[1]).toMatchObject({
      parts: [{ functionCall: { args: { input: 'a "b"' } } }],
    })
  })

  it('[resp.item.custom_tool_call:through] [resp.item.custom_tool_call_output:through] are written for a client of chat', () => {
    const messages = turnsFor('chat', [user, custom, done], { tools })
    const { id: _id, ...withoutId } = custom
    expect(sendToResponses('chat', { messages }).body['input']).toEqual([{ type: 'message', ...user }, withoutId, done])
  })

  it('[resp.call_id:through] of more than 64 characters is hashed, alike in calls and outputs (trap 119)', () => {
    const ids = ['x', 'y'].map((last) => `${'c'.repeat(70)}${last}`)
    const items = [
      user,
      ...ids.map((call_id) => ({ ...call, id: null, call_id })),
      ...ids.map((call_id) => ({ ...output, call_id })),
    ]
    const [first, second, ...again] = turnsFor('responses', items, { tools })
      .slice(1)
      .map(({ call_id }) => call_id)
    expect([first, second]).toEqual(again)
    expect(first).not.toBe(second)
    for (const id of [first, second]) expect(id).toMatch(/^[\w-]{1,64}$/)
    expect(lossesFor('responses', items)).toContain('changed input[1].call_id')
  })
})

describe('other items', () => {
  it('[resp.item.additional_tools:through] are tools from the start elsewhere, reported', () => {
    const added = { type: 'additional_tools', role: 'developer', tools: [look] }
    expect(turnsFor('responses', [added, user])).toEqual([added, { type: 'message', ...user }])
    for (const target of OTHERS) {
      const { body, losses } = askResponses({ input: [added, user] })[target]
      expect(JSON.stringify(body['tools'])).toContain('"name":"look"')
      expect(losses).toContain('dropped input[0]')
    }
  })

  it('[resp.item.web_search_call:through] is a search of messages, and reported elsewhere', () => {
    const action = { type: 'search', query: 'sky', sources: [{ type: 'url', url: 'https://a.example' }] }
    const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action }
    const items = [user, search, { role: 'assistant', content: 'Blue.' }, next]
    expect(turnsFor('responses', items)[1]).toEqual(search)
    expect(turnsFor('messages', items)[1]).toEqual({
      role: 'assistant',
      content: [
        { type: 'server_tool_use', id: 'srvtoolu_ws_1', name: 'web_search', input: { query: 'sky' } },
        { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_ws_1', content: [] },
        { type: 'text', text: 'Blue.' },
      ],
    })
    for (const target of ['chat', 'genai'] as const) expect(lossesFor(target, items)).toContain('dropped input[1]')
  })

  it.each(['open_page', 'find_in_page'])('[resp.item.web_search_call:through] with %s is for Responses', (type) => {
    const page = {
      type: 'web_search_call',
      id: 'ws_1',
      status: 'completed',
      action: { type, url: 'https://a.example' },
    }
    expect(turnsFor('responses', [user, page, next])[1]).toEqual(page)
    for (const target of OTHERS) expect(lossesFor(target, [user, page, next])).toContain('dropped input[1]')
  })
})

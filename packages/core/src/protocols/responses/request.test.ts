import { describe, expect, it } from 'vitest'
import { chat, genai, messages, responses } from '../../../test/untyped.ts'
import { prepareQuirks } from '../../ir/apply-quirks.ts'
import type { JsonObject } from '../../lib/json.ts'
import { translate } from '../translate.ts'

const user = { role: 'user', content: 'Go.' }
const ask = (more: JsonObject): JsonObject => ({ model: 'm', input: [user], ...more })
const TO = { chat, messages, genai, responses }

function toMessages(body: JsonObject) {
  const { body: sent, losses } = translate(responses, messages, responses.request.check(body))
  return { sent: sent as never as { system?: unknown; messages: JsonObject[]; tools?: JsonObject[] }, losses }
}

describe('a request of codex', () => {
  const patch = {
    type: 'custom',
    name: 'apply_patch',
    description: 'Edits files.',
    format: { type: 'grammar', syntax: 'lark', definition: 'start: "*** Begin Patch"' },
  }
  const exec = { type: 'function', name: 'exec', parameters: { type: 'object', properties: {} }, strict: false }

  it('has its developer messages as the system prompt of a messages model', () => {
    const lead = [
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'You are codex.' }] },
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Be brief.' }] },
    ]
    const { sent } = toMessages(ask({ input: [...lead, user] }))
    expect(sent.system).toEqual([
      { type: 'text', text: 'You are codex.' },
      { type: 'text', text: 'Be brief.' },
    ])
    expect(sent.messages).toEqual([user])
  })

  it('has the grammar of a custom tool in its description (trap 115)', () => {
    const inside = { type: 'namespace', name: 'fs', tools: [patch] }
    const { sent } = toMessages(ask({ tools: [inside] }))
    expect(sent.tools?.[0]).toMatchObject({ name: 'fs__apply_patch', input_schema: { required: ['input'] } })
    expect(sent.tools?.[0]?.['description']).toContain('*** Begin Patch')
  })

  it('has its namespaces in the names of tools, and two of them may have one name (traps 110 and 111)', () => {
    const tools = ['a', 'b'].map((name) => ({ type: 'namespace', name, tools: [exec] }))
    for (const to of [chat, messages, genai]) {
      const { body } = translate(responses, to, responses.request.check(ask({ tools })), { match: { model: 'm' } })
      expect(JSON.stringify(body)).toContain('a__exec')
      expect(JSON.stringify(body)).toContain('b__exec')
    }
  })

  it('may have tools only in the middle of its history (trap 113)', () => {
    const item = {
      type: 'additional_tools',
      role: 'developer',
      tools: [{ type: 'namespace', name: 'fs', tools: [patch, exec] }],
    }
    const { sent, losses } = toMessages(ask({ input: [item, user] }))
    expect(sent.tools?.map(({ name }) => name)).toEqual(['fs__apply_patch', 'fs__exec'])
    expect(losses.map(({ wirePath }) => wirePath)).toContain('input[0]')
    const same = translate(responses, responses, responses.request.check(ask({ input: [item, user] }))).body
    expect(same['input']).toEqual([item, { type: 'message', ...user }])
    expect(same['tools']).toBeUndefined()
  })

  it('sends what the model said and called as one turn, with its signature, and the results first (trap 104)', () => {
    const history = [
      user,
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'hm' }],
        encrypted_content: 'dg1.anthropic.self.SIG',
      },
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'I look.', annotations: [] }],
      },
      {
        type: 'function_call',
        id: 'fc_1',
        call_id: 'toolu_1',
        namespace: 'fs',
        name: 'exec',
        arguments: '{"cmd":"ls"}',
      },
      { type: 'custom_tool_call', id: 'ctc_1', call_id: 'toolu_2', name: 'apply_patch', input: '*** Begin Patch' },
      { type: 'function_call_output', call_id: 'toolu_1', output: 'a.txt' },
      { type: 'custom_tool_call_output', call_id: 'toolu_2', output: 'done' },
      { role: 'user', content: 'Well?' },
    ]
    const tools = [{ type: 'namespace', name: 'fs', tools: [exec] }, patch]
    const { sent } = toMessages(ask({ input: history, tools }))
    expect(sent.messages).toEqual([
      user,
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'SIG' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'toolu_1', name: 'fs__exec', input: { cmd: 'ls' } },
          { type: 'tool_use', id: 'toolu_2', name: 'apply_patch', input: { input: '*** Begin Patch' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' },
          { type: 'tool_result', tool_use_id: 'toolu_2', content: 'done' },
          { type: 'text', text: 'Well?' },
        ],
      },
    ])
  })
})

describe('a history with calls and no tools, as codex compacts it', () => {
  const history = [
    user,
    { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c1', output: 'sky' },
    { role: 'user', content: 'Summarize.' },
  ]
  const body = responses.request.check(ask({ input: history, tools: [], tool_choice: 'auto' }))

  it('declares the called tools where the card says so, reported (trap 128)', () => {
    const quirks = prepareQuirks([{ verb: 'declare', at: 'tools' }])
    const { body: sent, losses } = translate(responses, messages, body, quirks === undefined ? {} : { quirks })
    expect(sent).toMatchObject({
      tools: [{ name: 'look', input_schema: { type: 'object' } }],
      tool_choice: { type: 'none' },
    })
    expect(losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)).toEqual(
      expect.arrayContaining(['added tools', 'changed toolChoice']),
    )
  })

  it.each([chat, messages, genai, responses])('is sent to $name without tools otherwise (trap 128)', (upstream) => {
    const { body: sent } = translate(responses, upstream, body, { match: { model: 'm' } })
    expect(sent['tools']).toBeUndefined()
    expect(JSON.stringify(sent)).toContain('sky')
  })
})

describe('a request that needs a memory', () => {
  it.each([
    ['previous_response_id', { previous_response_id: 'resp_1' }, 'send the whole conversation'],
    ['conversation', { conversation: { id: 'conv_1' } }, 'send the whole conversation'],
    ['prompt', { prompt: { id: 'p' } }, 'send instructions and input'],
    ['background', { background: true }, 'leave it out'],
    ['input[0]', { input: [{ type: 'item_reference', id: 'msg_1' }] }, 'store to false'],
  ])('is refused with the way out: %s', (param, more, way) => {
    expect(() => responses.request.check(ask(more))).toThrow(expect.objectContaining({ param, kind: 'unsupported' }))
    expect(() => responses.request.check(ask(more))).toThrow(way)
  })

  it.each([{ store: true }, { store: false }, { background: false }, { previous_response_id: null }])(
    'is taken without one: %j',
    (more) => {
      const { body } = translate(responses, responses, responses.request.check(ask(more)))
      expect(body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })
    },
  )
})

describe('a request for a compaction', () => {
  const trigger = { type: 'compaction_trigger' }
  const history = [
    { role: 'user', content: 'Hi' },
    { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c', output: 'done' },
  ]
  const body = responses.request.check(ask({ input: [...history, trigger] }))

  it.each([chat, messages, genai])(
    '[resp.compaction_trigger] is refused with the way out if the upstream has none, as $name (trap 122)',
    (upstream) => {
      expect(() => translate(responses, upstream, body)).toThrow(
        expect.objectContaining({ param: 'input[3]', kind: 'unsupported' }),
      )
      expect(() => translate(responses, upstream, body)).toThrow('one of its model_providers')
    },
  )

  it('[resp.compaction_trigger] reaches an upstream of Responses', () => {
    expect(translate(responses, responses, body).body['input']).toContainEqual(trigger)
  })
})

describe('what clients really send', () => {
  it('of LangChain: nulls and empty objects', () => {
    const tool = { type: 'function', name: 'f', parameters: { type: 'object' }, strict: null }
    const body = responses.request.check(ask({ tools: [tool], text: {}, tool_choice: null, include: null }))
    expect(translate(responses, chat, body).body['tools']).toEqual([
      { type: 'function', function: { name: 'f', parameters: { type: 'object' } } },
    ])
  })

  it('of the AI SDK: assistant content as a string, messages without a type', () => {
    const input = [user, { role: 'assistant', content: 'Hi.' }, user]
    for (const [name, to] of Object.entries(TO)) {
      const { body } = translate(responses, to, responses.request.check(ask({ input })), { match: { model: 'm' } })
      expect([name, JSON.stringify(body).includes('Hi.')]).toEqual([name, true])
    }
  })
})

describe('a request for an upstream that speaks responses', () => {
  const asked = {
    model: 'm',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Go.' },
    ],
    tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
  }

  it('has instructions, stores nothing, gets its reasoning back, and enforces no schema', () => {
    const { body } = translate(chat, responses, asked)
    expect(body).toEqual({
      model: 'm',
      instructions: 'Be brief.',
      input: [{ type: 'message', role: 'user', content: 'Go.' }],
      tools: [{ type: 'function', name: 'f', parameters: { type: 'object' }, strict: false }],
      store: false,
      include: ['reasoning.encrypted_content'],
    })
  })

  it('has ids of calls of 64 characters at most, alike in calls and results (trap 119)', () => {
    const long = `call_${'x'.repeat(100)}`
    const history = [
      ...asked.messages,
      { role: 'assistant', tool_calls: [{ id: long, type: 'function', function: { name: 'f', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: long, content: 'done' },
    ]
    const { body } = translate(chat, responses, { ...asked, messages: history })
    const items = body['input'] as JsonObject[]
    const ids = items.flatMap(({ call_id }) => call_id ?? [])
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
    expect((ids[0] as string).length).toBeLessThanOrEqual(64)
  })

  it('has only seals of its own domain (trap 121)', () => {
    const content = [
      { type: 'thinking', thinking: 'hm', signature: 'OF_CLAUDE' },
      { type: 'thinking', thinking: 'ah', signature: 'dg1.openai-responses.self.OF_OPENAI' },
      { type: 'text', text: 'Hi.' },
    ]
    const turns = [user, { role: 'assistant', content }, user]
    const { body, losses } = translate(messages, responses, { model: 'm', max_tokens: 100, messages: turns })
    expect(JSON.stringify(body)).not.toContain('OF_CLAUDE')
    expect(JSON.stringify(body)).toContain('"encrypted_content":"OF_OPENAI"')
    expect(losses.map(({ reason }) => reason)).toContain('signed by another issuer')
  })
})

import { describe, expect, it } from 'vitest'
import { chat, genai, messages, responses } from '../../../test/untyped.ts'
import { describeLoss } from '../../ir/loss.ts'
import type { JsonObject } from '../../lib/json.ts'
import { translate } from '../translate.ts'
import { relay } from './relay.ts'

// What codex sends, and what xAI refuses with 422: CLIProxyAPI#4434, #5257, #3704.
const dialect = { tools: ['function', 'web_search'] }
const user = { type: 'message', role: 'user', content: 'Go.' }
const schema = { type: 'object', properties: {} }
const exec = { type: 'function', name: 'exec', parameters: schema, strict: false }
const patch = {
  type: 'custom',
  name: 'apply_patch',
  description: 'Edits files.',
  format: { type: 'grammar', syntax: 'lark', definition: 'start: "*** Begin Patch"' },
}
const inside = { type: 'namespace', name: 'fs', description: 'Files.', tools: [exec] }
const late = { type: 'additional_tools', role: 'developer', tools: [{ ...exec, name: 'late' }] }
const search = { type: 'web_search' }
const called = { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: '*** Begin Patch' }
const flat = { type: 'function_call', call_id: 'c2', name: 'exec', namespace: 'fs', arguments: '{}' }
const results = [
  { type: 'custom_tool_call_output', call_id: 'c1', output: 'Done.' },
  { type: 'function_call_output', call_id: 'c2', output: 'Done.' },
]
const searchTool = { type: 'tool_search', execution: 'client', parameters: schema }
const asked = { type: 'tool_search_call', call_id: 'c', execution: 'client', arguments: { query: 'files' } }
const found = { type: 'tool_search_output', call_id: 'c', execution: 'client', tools: [inside] }
const BODY = {
  model: 'm',
  input: [late, user, called, flat, ...results],
  tools: [inside, patch, search, { type: 'shell' }],
}

function send(body: JsonObject) {
  return translate(responses, responses, responses.request.check(body), { dialect })
}

describe('an upstream that knows some types of tools', () => {
  it('gets functions, in the names of their namespaces, all from the start', () => {
    const { body, losses } = send(BODY)
    const tools = body['tools'] as readonly JsonObject[]
    expect(tools.map(({ type, name }) => [type, name])).toEqual([
      ['function', 'fs__exec'],
      ['function', 'apply_patch'],
      ['web_search', undefined],
      ['function', 'late'],
    ])
    expect(tools[1]).toMatchObject({ parameters: { required: ['input'] }, strict: false })
    expect(tools[1]?.['description']).toContain('*** Begin Patch')
    expect(losses.map(describeLoss)).toEqual([
      'dropped tools[0]: this upstream has only functions and a few tools of its own',
      'changed tools[1]: this upstream has only functions and a few tools of its own',
      'dropped tools[3]: this upstream has only functions and a few tools of its own',
      'dropped input[0]: this upstream has only functions and a few tools of its own',
      'dropped input[2].type: this upstream has only functions and a few tools of its own',
      'changed input[2].input: responses takes JSON objects as arguments',
    ])
  })

  it('gets calls of functions, and their results', () => {
    expect(send(BODY).body['input']).toEqual([
      user,
      { type: 'function_call', call_id: 'c1', name: 'apply_patch', arguments: '{"input":"*** Begin Patch"}' },
      { type: 'function_call', call_id: 'c2', name: 'fs__exec', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: 'Done.' },
      { type: 'function_call_output', call_id: 'c2', output: 'Done.' },
    ])
  })

  it('answers with calls that the client knows', () => {
    const output = [
      { type: 'function_call', id: 'fc_1', call_id: 'c3', name: 'apply_patch', arguments: '{"input":"*** End"}' },
      { type: 'function_call', id: 'fc_2', call_id: 'c4', name: 'fs__exec', arguments: '{}' },
    ]
    const answer = { id: 'r', object: 'response', created_at: 1, model: 'm', status: 'completed', output }
    const { body } = send(BODY).response(answer)
    expect(body['output']).toMatchObject([
      { type: 'custom_tool_call', call_id: 'c3', name: 'apply_patch', input: '*** End' },
      { type: 'function_call', call_id: 'c4', name: 'exec', namespace: 'fs', arguments: '{}' },
    ])
  })

  it('gets a choice of a custom tool as that of a function', () => {
    const { body } = send({ ...BODY, tool_choice: { type: 'custom', name: 'apply_patch' } })
    expect(body['tool_choice']).toEqual({ type: 'function', name: 'apply_patch' })
  })
})

describe('a namespace that is declared again, in tools or in the history', () => {
  const again = { ...inside, tools: [exec, { ...exec, name: 'read' }] }
  const body = { model: 'm', tools: [inside, again, inside], input: [{ ...late, tools: [inside] }, user, asked, found] }

  it('is declared once to an upstream that knows some types of tools (trap 112)', () => {
    const { body: sent, losses } = send({ ...body, tools: [...body.tools, searchTool] })
    expect((sent['tools'] as JsonObject[]).map(({ type, name }) => [type, name])).toEqual([
      ['function', 'fs__exec'],
      ['function', 'fs__read'],
      ['function', 'tool_search'],
    ])
    expect(losses.map(({ kind, wirePath }) => `${kind} ${wirePath}`)).toContain('dropped tools[1].tools[0]')
    expect((sent['input'] as JsonObject[]).map(({ type }) => type)).toEqual([
      'message',
      'function_call',
      'function_call_output',
    ])
  })

  it.each([chat, messages, genai])('is declared once to $name (trap 112)', (upstream) => {
    const { body: sent } = translate(responses, upstream, responses.request.check(body), { match: { model: 'm' } })
    expect(JSON.stringify(sent['tools']).match(/fs__\w+/g)).toEqual(['fs__exec', 'fs__read'])
  })

  it('is sent to OpenAI as it came', () => {
    expect(translate(responses, responses, responses.request.check(body)).body['tools']).toEqual(body.tools)
  })
})

describe('a call and its output', () => {
  const call = (call_id: string) => ({ type: 'function_call', call_id, name: 'exec', arguments: '{}' })
  const output = (call_id: string) => ({ type: 'function_call_output', call_id, output: 'Done.' })
  const spoken = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Wait.' }] }
  const note = { type: 'message', role: 'developer', content: 'Be brief.' }
  const calls = [call('c1'), call('c2')]
  const outputs = [output('c1'), output('c2')]

  it.each([
    ['an instruction', [user, ...calls, note, ...outputs], [user, ...calls, ...outputs, note]],
    ['a turn', [user, ...calls, user, ...outputs], [user, ...calls, ...outputs, user]],
    ['a text', [user, call('c1'), spoken, call('c2'), ...outputs], [user, spoken, ...calls, ...outputs]],
  ])('are adjacent, whatever is between them: %s (trap 120)', (_what, input, arranged) => {
    const { body, losses } = send({ model: 'm', input, tools: [exec] })
    expect(body['input']).toEqual(arranged)
    expect(losses.map(({ kind }) => kind)).toContain('moved')
    expect(relay.obstacle({ model: 'm', input }, {}, dialect)).toMatch(/right behind them$/)
    expect(relay.obstacle({ model: 'm', input: arranged }, {}, dialect)).toBeUndefined()
  })
})

describe('the relay to an upstream that knows some types of tools', () => {
  const reason = (body: JsonObject) => relay.obstacle({ model: 'm', input: [user], ...body }, {}, dialect)

  it('passes functions and the tools that it knows', () => {
    expect(reason({ tools: [exec, search] })).toBeUndefined()
    expect(reason({ input: 'Go.' })).toBeUndefined()
  })

  it.each([
    ['namespaces', { tools: [inside] }],
    ['custom tools', { tools: [patch] }],
    ['later tools', { input: [late, user] }],
    ['searches for tools', { input: [user, asked, found] }],
    ['custom calls', { input: [user, called] }],
    ['calls in a namespace', { input: [user, flat] }],
    [
      'reasoning with null (opencodex#2239)',
      { input: [{ type: 'reasoning', summary: [], content: null, encrypted_content: 'gAAA' }] },
    ],
  ])('does not pass %s', (_what, body) => {
    expect(reason(body)).toMatch(/^the upstream/)
    expect(relay.obstacle({ model: 'm', input: [user], ...body }, {})).toBeUndefined()
  })
})

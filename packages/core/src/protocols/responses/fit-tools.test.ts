import { describe, expect, it } from 'vitest'
import { responses } from '../../../test/untyped.ts'
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
    ['custom calls', { input: [user, called] }],
    ['calls in a namespace', { input: [user, flat] }],
    ['reasoning with null (opencodex#2239)', { input: [{ type: 'reasoning', summary: [], content: null }] }],
  ])('does not pass %s', (_what, body) => {
    expect(reason(body)).toMatch(/^the upstream/)
    expect(relay.obstacle({ model: 'm', input: [user], ...body }, {})).toBeUndefined()
  })
})

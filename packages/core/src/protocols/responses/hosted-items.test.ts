import { describe, expect, it } from 'vitest'
import { askResponses, type Target } from '../../../test/ask-responses.ts'
import type { JsonObject } from '../../lib/json.ts'

const OTHERS = ['chat', 'messages', 'genai'] as const
const user = { type: 'message', role: 'user', content: 'Go.' }
const next = { type: 'message', role: 'user', content: 'And then?' }

/** A history for every upstream: what is between two messages of the user, and what is lost of it. */
function historyOf(
  ...items: JsonObject[]
): Readonly<Record<Target, { turns: JsonObject[]; losses: readonly string[] }>> {
  const sent = askResponses({ input: [user, ...items, next] })
  const of = (target: Target) => {
    const { body, losses } = sent[target]
    return { turns: (body['input'] ?? body['messages'] ?? body['contents']) as JsonObject[], losses }
  }
  return { responses: of('responses'), chat: of('chat'), messages: of('messages'), genai: of('genai') }
}

describe('what the upstream has done', () => {
  it.each<[string, JsonObject]>([
    ['[resp.item.file_search_call:through]', { type: 'file_search_call', id: 'fs_1', queries: ['sky'], results: null }],
    ['[resp.item.mcp_list_tools:through]', { type: 'mcp_list_tools', id: 'mcpl_1', server_label: 'a', tools: [] }],
    ['[resp.item.mcp_call:through]', { type: 'mcp_call', id: 'mcp_1', server_label: 'a', name: 'b', arguments: '{}' }],
    ['[resp.item.mcp_approval_request:through]', { type: 'mcp_approval_request', id: 'mcpr_1', arguments: '{}' }],
    ['[resp.item.mcp_approval_response:through]', { type: 'mcp_approval_response', approval_request_id: 'mcpr_1' }],
    ['[resp.item.program:through]', { type: 'program', id: 'prog_1', call_id: 'call_1', code: 'a()' }],
    ['[resp.item.program_output:through]', { type: 'program_output', id: 'po_1', call_id: 'call_1', result: 'a' }],
    ['[resp.item.tool_search_call:through]', { type: 'tool_search_call', execution: 'server', arguments: {} }],
    [
      '[resp.item.tool_search_output:through]',
      {
        type: 'tool_search_output',
        call_id: 'call_1',
        execution: 'server',
        tools: [{ type: 'function', name: 'look' }],
      },
    ],
    ['[resp.item.compaction:through]', { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAA' }],
    ['[resp.item.configuration_update:through]', { type: 'configuration_update', reasoning: { effort: 'low' } }],
    ['[resp.item.opaque:through]', { type: 'of_the_future', secret: 'gAAA' }],
  ])('%s is kept for Responses and reported elsewhere: %j', (_row, item) => {
    const history = historyOf(item)
    expect(history.responses).toEqual({ turns: [user, item, next], losses: [] })
    for (const target of OTHERS) {
      expect([target, history[target].losses]).toEqual([target, ['dropped input[1]']])
      expect(history[target].turns).toHaveLength(2)
    }
  })

  it('[resp.item.code_interpreter_call:through] is code with its outputs in genai, and text elsewhere', () => {
    const outputs = [
      { type: 'logs', logs: '2' },
      { type: 'image', url: 'data:image/png;base64,AAAA' },
    ]
    const code = { type: 'code_interpreter_call', id: 'ci_1', status: 'completed', code: '1+1', container_id: 'c_1' }
    const { responses, chat, messages, genai } = historyOf({ ...code, outputs })
    expect(responses).toEqual({ turns: [user, { ...code, outputs }, next], losses: [] })
    expect(genai.turns[1]).toEqual({
      role: 'model',
      parts: [
        { executableCode: { language: 'PYTHON', code: '1+1' } },
        { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '2' } },
        { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
      ],
    })
    expect(genai.losses).toContain('dropped input[1].container_id')
    for (const { turns, losses } of [chat, messages]) {
      expect(turns[1]).toMatchObject({
        role: 'assistant',
        content: [{ text: '```python\n1+1\n```' }, { text: '```\n2\n```' }],
      })
      expect(losses).toEqual(expect.arrayContaining(['changed input[1]', 'moved input[1]']))
    }
    expect(chat.turns[2]).toMatchObject({ content: [{ text: 'And then?' }, { type: 'image_url' }] })
    expect(messages.turns[2]).toMatchObject({ content: [{ text: 'And then?' }, { type: 'image' }] })
  })

  it('[resp.item.image_generation_call:through] is an image of the model in genai, and one of the user elsewhere', () => {
    const drawn = {
      type: 'image_generation_call',
      id: 'ig_1',
      status: 'completed',
      result: 'AAAA',
      output_format: 'webp',
    }
    const { responses, chat, messages, genai } = historyOf(drawn)
    expect(responses).toEqual({ turns: [user, drawn, next], losses: [] })
    expect(genai.turns[1]).toEqual({ role: 'model', parts: [{ inlineData: { mimeType: 'image/webp', data: 'AAAA' } }] })
    for (const { losses } of [chat, messages]) expect(losses).toContain('moved input[1]')
    const url = 'data:image/webp;base64,AAAA'
    expect(chat.turns.at(-1)).toMatchObject({ role: 'user', content: [{ text: 'And then?' }, { image_url: { url } }] })
    const source = { type: 'base64', media_type: 'image/webp', data: 'AAAA' }
    expect(messages.turns.at(-1)).toMatchObject({ content: [{ text: 'And then?' }, { type: 'image', source }] })
  })
})

describe('what the client has done', () => {
  const ran = [{ stdout: 'a.txt', stderr: '', outcome: { type: 'exit', exit_code: 0 } }]
  const found = { type: 'function', name: 'look' }

  it.each<[string, { call: JsonObject; output: JsonObject; name: string; input: JsonObject; words: string }]>([
    [
      '[resp.item.local_shell_call:through] [resp.item.local_shell_call_output:through]',
      {
        call: { type: 'local_shell_call', action: { type: 'exec', command: ['ls'], env: {} } },
        output: { type: 'local_shell_call_output', output: 'a.txt' },
        name: 'local_shell',
        input: { type: 'exec', command: ['ls'], env: {} },
        words: 'a.txt',
      },
    ],
    [
      '[resp.item.shell_call:through] [resp.item.shell_call_output:through]',
      {
        call: { type: 'shell_call', action: { commands: ['ls'] } },
        output: { type: 'shell_call_output', output: ran },
        name: 'shell',
        input: { commands: ['ls'] },
        words: JSON.stringify({ output: ran }),
      },
    ],
    [
      '[resp.item.apply_patch_call:through] [resp.item.apply_patch_call_output:through]',
      {
        call: { type: 'apply_patch_call', operation: { type: 'delete_file', path: 'a' } },
        output: { type: 'apply_patch_call_output', status: 'completed', output: 'Gone.' },
        name: 'apply_patch',
        input: { type: 'delete_file', path: 'a' },
        words: 'Gone.',
      },
    ],
    [
      '[resp.item.tool_search_call:through] [resp.item.tool_search_output:through]',
      {
        call: { type: 'tool_search_call', execution: 'client', arguments: { query: 'mail' } },
        output: { type: 'tool_search_output', execution: 'client', tools: [found] },
        name: 'tool_search',
        input: { query: 'mail' },
        words: '{"tools":["look"]}',
      },
    ],
  ])('%s is a call with its result elsewhere', (_row, { call, output, name, input, words }) => {
    const items = [
      { ...call, id: 'x_1', call_id: 'call_1' },
      { ...output, call_id: 'call_1' },
    ]
    const { responses, chat, messages, genai } = historyOf(...items)
    expect(responses).toEqual({ turns: [user, ...items, next], losses: [] })
    expect(chat.turns.slice(1, 3)).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(input) } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: words },
    ])
    expect(messages.turns.slice(1)).toMatchObject([
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name, input }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'call_1', content: words }, { text: 'And then?' }],
      },
    ])
    expect(genai.turns.slice(1)).toMatchObject([
      { role: 'model', parts: [{ functionCall: { name, args: input } }] },
      { role: 'user', parts: [{ functionResponse: { name } }, { text: 'And then?' }] },
    ])
    for (const { losses } of [chat, messages, genai])
      expect(losses).toEqual(expect.arrayContaining(['dropped input[1].type', 'dropped input[2].type']))
  })

  it('[resp.item.computer_call:through] [resp.item.computer_call_output:through] has its screenshot as an image', () => {
    const call = { type: 'computer_call', id: 'cu_1', call_id: 'call_1', action: { type: 'screenshot' } }
    const items = [
      { ...call, pending_safety_checks: [] },
      {
        type: 'computer_call_output',
        call_id: 'call_1',
        output: { type: 'computer_screenshot', image_url: 'data:image/png;base64,AAAA' },
      },
    ]
    const { responses, chat, messages, genai } = historyOf(...items)
    expect(responses).toEqual({ turns: [user, ...items, next], losses: [] })
    const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' }
    expect(messages.turns.slice(1)).toMatchObject([
      { content: [{ type: 'tool_use', name: 'computer', input: { type: 'screenshot' } }] },
      { content: [{ type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'image', source }] }, {}] },
    ])
    expect(chat.turns.slice(1)).toMatchObject([
      { tool_calls: [{ function: { name: 'computer', arguments: '{"type":"screenshot"}' } }] },
      { role: 'tool', tool_call_id: 'call_1' },
      { role: 'user', content: [{ text: 'And then?' }, { image_url: { url: 'data:image/png;base64,AAAA' } }] },
    ])
    expect(genai.turns[1]).toMatchObject({
      parts: [{ functionCall: { name: 'computer', args: { type: 'screenshot' } } }],
    })
    expect(JSON.stringify(genai.turns[2])).toContain('"data":"AAAA"')
    for (const { losses } of [chat, messages, genai]) expect(losses).toContain('dropped input[1].pending_safety_checks')
  })

  it('[resp.item.apply_patch_call_output:through] is a failed result if its status says so', () => {
    const call = {
      type: 'apply_patch_call',
      id: 'apc_1',
      call_id: 'call_1',
      operation: { type: 'delete_file', path: 'a' },
    }
    const output = { type: 'apply_patch_call_output', call_id: 'call_1', status: 'failed', output: 'No such file.' }
    const { responses, messages } = historyOf(call, output)
    expect(responses.turns[2]).toEqual(output)
    expect(messages.turns[2]).toMatchObject({ content: [{ content: 'No such file.', is_error: true }, {}] })
  })

  it('[resp.item.tool_search_output:through] declares what was found to every upstream', () => {
    const call = { type: 'tool_search_call', call_id: 'call_1', execution: 'client', arguments: {} }
    const output = { type: 'tool_search_output', call_id: 'call_1', execution: 'client', tools: [found] }
    const sent = askResponses({ input: [user, call, output] })
    expect(sent.responses.body['tools']).toBeUndefined()
    for (const target of OTHERS) expect(JSON.stringify(sent[target].body['tools'])).toContain('"name":"look"')
  })
})

import { describe, expect, it } from 'vitest'
import { responses } from './endpoints.ts'
import { describeFields, MODELS, useEndpoint, type Field, type Wire } from './fields.ts'

const client = useEndpoint(responses)

const user = { role: 'user', content: 'Use get_weather for Rome.' }
const next = { role: 'user', content: 'And then?' }
const between = (...input: Wire[]): Wire => ({ input: [user, ...input, next] })
const code = { type: 'code_interpreter_call', id: 'ci_1', code: '1+1', container_id: 'c_1', outputs: null }
const drawn = { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'iVBORw0KGgo=' }
const unread = (title: string, ...items: Wire[]): Field => ({
  title: `${title} of Responses alone`,
  unknown: items.map((item): [Wire, string] => [between(item), 'input[1]']),
})
const tool = (title: string, ...tools: Wire[]): Field => ({
  title: `${title} of Responses alone`,
  unknown: tools.map((each): [Wire, string] => [{ tools: [each] }, 'tools[0]']),
})

const FIELDS: Field[] = [
  tool('[resp.tool.file_search:in]', { type: 'file_search', vector_store_ids: ['vs_1'] }),
  tool('[resp.tool.image_generation:in]', { type: 'image_generation', quality: 'low' }),
  tool('[resp.tool.mcp:in]', { type: 'mcp', server_label: 'a', authorization: 'sk-1', require_approval: 'never' }),
  tool('[resp.tool.computer:in]', { type: 'computer' }, { type: 'computer_use_preview', display_width: 800 }),
  tool('[resp.tool.local_shell:in]', { type: 'local_shell' }),
  tool('[resp.tool.shell:in]', { type: 'shell', environment: { type: 'local' } }),
  tool('[resp.tool.apply_patch:in]', { type: 'apply_patch' }),
  tool('[resp.tool.programmatic_tool_calling:in]', { type: 'programmatic_tool_calling' }),
  tool('[resp.tool.tool_search:in]', { type: 'tool_search' }),
  {
    title: '[resp.tool.code_interpreter:in] of Responses and genai',
    unknown: [[{ tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }, 'tools[0]', 'sim/genai-1']],
  },
  unread('[resp.item.file_search_call:in]', { type: 'file_search_call', id: 'fs_1', queries: ['a'] }),
  unread('[resp.item.mcp_list_tools:in]', { type: 'mcp_list_tools', id: 'mcpl_1', server_label: 'a', tools: [] }),
  unread('[resp.item.mcp_call:in]', { type: 'mcp_call', id: 'mcp_1', server_label: 'a', name: 'b', arguments: '{}' }),
  unread('[resp.item.mcp_approval_request:in]', { type: 'mcp_approval_request', id: 'mcpr_1', arguments: '{}' }),
  unread('[resp.item.mcp_approval_response:in]', { type: 'mcp_approval_response', approval_request_id: 'mcpr_1' }),
  unread('[resp.item.program:in]', { type: 'program', id: 'prog_1', code: 'a()' }),
  unread('[resp.item.program_output:in]', { type: 'program_output', call_id: 'prog_1', result: 'a' }),
  unread('[resp.item.compaction:in]', { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAA' }),
  unread('[resp.item.configuration_update:in]', { type: 'configuration_update', reasoning: { effort: 'low' } }),
  unread('[resp.item.opaque:in]', { type: 'of_the_future', id: 'a_1', data: 'gAAA' }),
  unread('[resp.item.tool_search_call:in]', { type: 'tool_search_call', execution: 'server', arguments: {} }),
  unread('[resp.item.tool_search_output:in]', {
    type: 'tool_search_output',
    call_id: 'call_1',
    execution: 'server',
    tools: [],
  }),
  {
    title: '[resp.item.code_interpreter_call:in] code as text',
    good: [between(code), between({ ...code, outputs: [{ type: 'logs', logs: '2' }] })],
    bad: [[between({ ...code, code: 5 }), 'input.1.code']],
  },
  {
    title: '[resp.item.image_generation_call:in] an image as text',
    good: [between(drawn)],
    bad: [[between({ ...drawn, result: 5 }), 'input.1.result']],
  },
]

/** An action, its output, the tool that the upstream sees, and the words of the output. */
const ACTIONS: readonly (readonly [rows: string, call: Wire, output: Wire, name: string, words: string])[] = [
  [
    '[resp.item.local_shell_call:in] [resp.item.local_shell_call_output:in]',
    { type: 'local_shell_call', action: { type: 'exec', command: ['ls'], env: {} } },
    { type: 'local_shell_call_output', output: 'warm' },
    'local_shell',
    'warm',
  ],
  [
    '[resp.item.shell_call:in] [resp.item.shell_call_output:in]',
    { type: 'shell_call', action: { commands: ['ls'] } },
    { type: 'shell_call_output', output: [{ stdout: 'warm', stderr: '', outcome: { type: 'exit', exit_code: 0 } }] },
    'shell',
    'warm',
  ],
  [
    '[resp.item.apply_patch_call:in] [resp.item.apply_patch_call_output:in]',
    { type: 'apply_patch_call', operation: { type: 'delete_file', path: 'a' } },
    { type: 'apply_patch_call_output', status: 'completed', output: 'warm' },
    'apply_patch',
    'warm',
  ],
  [
    '[resp.item.tool_search_call:in] [resp.item.tool_search_output:in] [resp.tool.tool_search:in]',
    { type: 'tool_search_call', execution: 'client', arguments: { query: 'weather' } },
    { type: 'tool_search_output', execution: 'client', tools: [{ type: 'function', name: 'get_weather' }] },
    'tool_search',
    'get_weather',
  ],
  [
    '[resp.item.computer_call:in] [resp.item.computer_call_output:in]',
    { type: 'computer_call', action: { type: 'screenshot' }, pending_safety_checks: [] },
    {
      type: 'computer_call_output',
      output: { type: 'computer_screenshot', image_url: 'data:image/png;base64,iVBORw0KGgo=' },
    },
    'computer',
    '',
  ],
]

describe('a hosted tool of Responses', () => {
  describeFields(client, FIELDS)

  describe.each(MODELS.filter((model) => client.modeFor(model) === 'translate'))('for %s', (model) => {
    const tools = [{ type: 'tool_search', execution: 'client', parameters: { type: 'object', properties: {} } }]

    it.each(ACTIONS)('%s pair', async (_rows, call, output, name, words) => {
      const input = [user, { ...call, id: 'x_1', call_id: 'call_1' }, { ...output, call_id: 'call_1' }]
      const told = JSON.stringify((await client.answer({ tools, input }, { model }))['output'])
      expect([told.includes(`${name} says: `), told.includes(words)]).toEqual([true, true])
    })
  })
})

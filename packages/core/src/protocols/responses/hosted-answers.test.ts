import { expect, it } from 'vitest'
import { answerFor, answerFrom } from '../../../test/answer-responses.ts'
import type { JsonObject } from '../../lib/json.ts'

const OTHERS = ['chat', 'messages', 'genai'] as const
const words = { type: 'output_text', text: 'said', annotations: [], logprobs: [] }
const spoken = { type: 'message', id: 'msg_1', status: 'completed', role: 'assistant', content: [words] }
const of = (...output: JsonObject[]): JsonObject => ({
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  model: 'm',
  output,
})
const drawnBy = (...parts: JsonObject[]): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
})

it.each<[string, JsonObject]>([
  ['[resp.out.file_search_call]', { type: 'file_search_call', id: 'fs_1', queries: ['sky'], results: null }],
  ['[resp.out.mcp_list_tools]', { type: 'mcp_list_tools', id: 'mcpl_1', server_label: 'a', tools: [] }],
  [
    '[resp.out.mcp_call]',
    { type: 'mcp_call', id: 'mcp_1', server_label: 'a', name: 'b', arguments: '{}', output: 'c' },
  ],
  ['[resp.out.mcp_approval_request]', { type: 'mcp_approval_request', id: 'mcpr_1', name: 'b', arguments: '{}' }],
  ['[resp.out.program]', { type: 'program', id: 'prog_1', call_id: 'call_1', code: 'a()' }],
  ['[resp.out.program_output]', { type: 'program_output', id: 'po_1', call_id: 'call_1', result: 'a' }],
  ['[resp.out.tool_search_call]', { type: 'tool_search_call', id: 'tsc_1', execution: 'server', arguments: {} }],
  ['[resp.out.compaction]', { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAA' }],
])('%s is kept for a client of Responses, and reported for others: %j', (_row, item) => {
  expect(answerFor('responses', of(item, spoken)).body['output']).toEqual([item, spoken])
  for (const to of OTHERS) {
    const { body, losses } = answerFor(to, of(item, spoken))
    expect([to, losses]).toEqual([to, expect.arrayContaining(['dropped candidates.0.parts.0'])])
    expect(JSON.stringify(body)).toContain('"said"')
  }
})

it.each<[string, JsonObject, string, JsonObject]>([
  [
    '[resp.out.computer_call]',
    { type: 'computer_call', action: { type: 'screenshot' }, pending_safety_checks: [] },
    'computer',
    { type: 'screenshot' },
  ],
  [
    '[resp.out.local_shell_call]',
    { type: 'local_shell_call', action: { type: 'exec', command: ['ls'], env: {} } },
    'local_shell',
    { type: 'exec', command: ['ls'], env: {} },
  ],
  ['[resp.out.shell_call]', { type: 'shell_call', action: { commands: ['ls'] } }, 'shell', { commands: ['ls'] }],
  [
    '[resp.out.apply_patch_call]',
    { type: 'apply_patch_call', operation: { type: 'delete_file', path: 'a' } },
    'apply_patch',
    { type: 'delete_file', path: 'a' },
  ],
  [
    '[resp.out.tool_search_call]',
    { type: 'tool_search_call', execution: 'client', arguments: { query: 'mail' } },
    'tool_search',
    { query: 'mail' },
  ],
])('%s is kept for a client of Responses, and a call for others: %j', (_row, members, name, input) => {
  const item = { ...members, id: 'x_1', call_id: 'call_1', status: 'completed' }
  expect(answerFor('responses', of(item)).body['output']).toEqual([item])
  expect(answerFor('chat', of(item)).body['choices']).toMatchObject([
    {
      message: {
        tool_calls: [{ id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(input) } }],
      },
      finish_reason: 'tool_calls',
    },
  ])
  expect(answerFor('messages', of(item)).body).toMatchObject({
    content: [{ type: 'tool_use', id: 'call_1', name, input }],
    stop_reason: 'tool_use',
  })
  const [candidate] = answerFor('genai', of(item)).body['candidates'] as JsonObject[]
  expect(candidate?.['content']).toMatchObject({ parts: [{ functionCall: { id: 'call_1', name, args: input } }] })
})

it('[resp.out.code_interpreter_call] is the code execution of genai, with its outputs, and text for others', () => {
  const executableCode = { language: 'PYTHON', code: '1+1' }
  const ran = [{ executableCode }, { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '2' } }]
  const code = {
    type: 'code_interpreter_call',
    id: 'ci_1',
    status: 'completed',
    container_id: 'c_1',
    code: '1+1',
    outputs: [{ type: 'logs', logs: '2' }],
  }
  expect(answerFrom('genai', drawnBy(...ran)).body['output']).toEqual([{ ...code, id: 'ci_made', container_id: '' }])
  const failed = { codeExecutionResult: { outcome: 'OUTCOME_FAILED', output: 'no' } }
  expect(answerFrom('genai', drawnBy({ executableCode }, failed)).body['output']).toMatchObject([
    { status: 'failed', outputs: [{ logs: 'no' }] },
  ])
  expect(answerFor('responses', of(code)).body['output']).toEqual([code])
  const [candidate] = answerFor('genai', of(code)).body['candidates'] as JsonObject[]
  expect(candidate?.['content']).toEqual({ role: 'model', parts: ran })
  const broken = { ...code, status: 'failed', outputs: [{ type: 'logs', logs: 'no' }] }
  expect(answerFor('responses', of(broken)).body['output']).toEqual([broken])
  const [other] = answerFor('genai', of(broken)).body['candidates'] as JsonObject[]
  expect(other?.['content']).toEqual({ role: 'model', parts: [{ executableCode }, failed] })
  for (const to of ['chat', 'messages'] as const) {
    const { body, losses } = answerFor(to, of(code))
    expect(JSON.stringify(body)).toContain('```python\\n1+1\\n```')
    expect(losses).toContain('changed candidates.0.parts.0')
  }
})

it('[resp.out.image_generation_call] is an image of any upstream, and for every client', () => {
  const drawn = {
    type: 'image_generation_call',
    id: 'ig_1',
    status: 'completed',
    result: 'AAAA',
    output_format: 'webp',
  }
  const inlineData = { mimeType: 'image/webp', data: 'AAAA' }
  const url = 'data:image/webp;base64,AAAA'
  const image = { type: 'image_url', image_url: { url } }
  const chat = { choices: [{ message: { role: 'assistant', content: '', images: [image] }, finish_reason: 'stop' }] }
  for (const answer of [answerFrom('genai', drawnBy({ inlineData })), answerFrom('chat', chat)])
    expect(answer.body['output']).toContainEqual({ ...drawn, id: 'ig_made' })
  expect(answerFor('responses', of(drawn)).body['output']).toEqual([drawn])
  const [candidate] = answerFor('genai', of(drawn)).body['candidates'] as JsonObject[]
  expect(candidate?.['content']).toEqual({ role: 'model', parts: [{ inlineData }] })
  expect(answerFor('chat', of(drawn)).body['choices']).toMatchObject([{ message: { images: [image] } }])
  const source = { type: 'base64', media_type: 'image/webp', data: 'AAAA' }
  expect(answerFor('messages', of(drawn)).body['content']).toEqual([{ type: 'image', source }])
})

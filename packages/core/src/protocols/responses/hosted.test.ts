import { expect, it } from 'vitest'
import { askResponses } from '../../../test/ask-responses.ts'
import type { JsonObject } from '../../lib/json.ts'

const OTHERS = ['chat', 'messages', 'genai'] as const
const user = { role: 'user', content: 'Go.' }

it.each<JsonObject>([
  { type: 'file_search', vector_store_ids: ['vs_1'], max_num_results: 3 },
  { type: 'code_interpreter', container: { type: 'auto' } },
  { type: 'image_generation', quality: 'low' },
  { type: 'computer' },
  { type: 'local_shell' },
  { type: 'shell', environment: { type: 'local' } },
  { type: 'apply_patch' },
  { type: 'tool_search', execution: 'client' },
  { type: 'programmatic_tool_calling' },
])('[resp.tool.hosted] is kept for Responses, and elsewhere never lost in silence: %j', (tool) => {
  const sent = askResponses({ tools: [tool] })
  expect([sent.responses.body['tools'], sent.responses.losses]).toEqual([[tool], []])
  for (const target of OTHERS)
    expect([target, sent[target].losses.join()]).toEqual([target, expect.stringContaining('tools[0]')])
})

it('[resp.tool.mcp] is kept for Responses, and its secrets are in no report', () => {
  const mcp = { type: 'mcp', server_label: 'a', authorization: 'SECRET-1', headers: { 'x-key': 'SECRET-2' } }
  const sent = askResponses({ tools: [mcp] })
  expect(sent.responses.body['tools']).toEqual([mcp])
  for (const target of OTHERS) {
    expect(sent[target].losses).toEqual(['dropped tools[0]'])
    expect(JSON.stringify(sent[target])).not.toContain('SECRET')
  }
})

it.each<JsonObject>([
  { type: 'file_search_call', id: 'fs_1', status: 'completed', queries: ['sky'], results: null },
  { type: 'code_interpreter_call', id: 'ci_1', status: 'completed', code: '1+1', container_id: 'c_1', outputs: null },
  { type: 'computer_call', id: 'cu_1', call_id: 'call_1', status: 'completed', pending_safety_checks: [] },
  { type: 'tool_search_call', id: 'ts_1', call_id: 'call_1', status: 'completed', arguments: {}, execution: 'server' },
])('[resp.item.hosted] is kept for Responses, and elsewhere never lost in silence: %j', (item) => {
  const sent = askResponses({ input: [user, item, user] })
  expect((sent.responses.body['input'] as JsonObject[])[1]).toMatchObject({ type: item['type'], id: item['id'] })
  for (const target of OTHERS)
    expect([target, sent[target].losses.join()]).toEqual([target, expect.stringContaining('input')])
})

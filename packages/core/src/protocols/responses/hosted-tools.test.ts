import { expect, it } from 'vitest'
import { answerFrom } from '../../../test/answer-responses.ts'
import { askResponses, sendToResponses } from '../../../test/ask-responses.ts'
import type { JsonObject } from '../../lib/json.ts'

const OTHERS = ['chat', 'messages', 'genai'] as const

it.each<[string, JsonObject]>([
  ['[resp.tool.file_search:through]', { type: 'file_search', vector_store_ids: ['vs_1'], max_num_results: 3 }],
  ['[resp.tool.image_generation:through]', { type: 'image_generation', quality: 'low', partial_images: 2 }],
  ['[resp.tool.mcp:through]', { type: 'mcp', server_label: 'a', server_url: 'https://a.example' }],
  ['[resp.tool.computer:through]', { type: 'computer' }],
  ['[resp.tool.computer:through]', { type: 'computer_use_preview', display_width: 800, environment: 'browser' }],
  ['[resp.tool.local_shell:through]', { type: 'local_shell' }],
  ['[resp.tool.shell:through]', { type: 'shell', environment: { type: 'local' } }],
  ['[resp.tool.apply_patch:through]', { type: 'apply_patch' }],
  ['[resp.tool.tool_search:through]', { type: 'tool_search' }],
  ['[resp.tool.tool_search:through]', { type: 'tool_search', execution: 'server' }],
  ['[resp.tool.programmatic_tool_calling:through]', { type: 'programmatic_tool_calling' }],
])('%s is kept for Responses, and reported elsewhere: %j', (_row, tool) => {
  const sent = askResponses({ tools: [tool] })
  expect([sent.responses.body['tools'], sent.responses.losses]).toEqual([[tool], []])
  for (const target of OTHERS)
    expect([target, sent[target].body['tools'], sent[target].losses]).toEqual([target, undefined, ['dropped tools[0]']])
})

it('[resp.tool.code_interpreter:through] is the code execution of genai, and the other way round', () => {
  const tool = { type: 'code_interpreter', container: { type: 'auto' } }
  const sent = askResponses({ tools: [tool] })
  expect([sent.responses.body['tools'], sent.responses.losses]).toEqual([[tool], []])
  expect([sent.genai.body['tools'], sent.genai.losses]).toEqual([[{ codeExecution: {} }], ['changed tools[0]']])
  for (const target of ['chat', 'messages'] as const) expect(sent[target].losses).toEqual(['dropped tools[0]'])
  expect(sendToResponses('genai', { tools: [{ codeExecution: {} }] }).body['tools']).toEqual([tool])
})

it('[resp.tool.tool_search:through] that the client runs is a function elsewhere, and a search again in the answer', () => {
  const parameters = { type: 'object', properties: { query: { type: 'string' } } }
  const tool = { type: 'tool_search', execution: 'client', description: 'Finds tools.', parameters }
  const { responses, chat, messages, genai } = askResponses({ tools: [tool] })
  const named = { name: 'tool_search', description: 'Finds tools.' }
  expect([responses.body['tools'], responses.losses]).toEqual([[tool], []])
  expect(chat.body['tools']).toEqual([{ type: 'function', function: { ...named, parameters } }])
  expect(messages.body['tools']).toEqual([{ ...named, input_schema: parameters }])
  expect(genai.body['tools']).toEqual([{ functionDeclarations: [{ ...named, parametersJsonSchema: parameters }] }])
  const use = { type: 'tool_use', id: 'toolu_1', name: 'tool_search', input: { query: 'mail' } }
  const answer = { id: 'msg_1', type: 'message', role: 'assistant', content: [use], stop_reason: 'tool_use' }
  expect(answerFrom('messages', answer, { tools: [tool] }).body['output']).toEqual([
    {
      type: 'tool_search_call',
      id: 'tsc_made',
      call_id: 'toolu_1',
      execution: 'client',
      arguments: { query: 'mail' },
      status: 'completed',
    },
  ])
})

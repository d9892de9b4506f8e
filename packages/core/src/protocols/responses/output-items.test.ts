import { describe, expect, it } from 'vitest'
import { answerFor, answerFrom } from '../../../test/answer-responses.ts'
import type { JsonObject } from '../../lib/json.ts'

const of = (...output: JsonObject[]): JsonObject => ({
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  model: 'm',
  output,
})
const messageOf = (...content: JsonObject[]): JsonObject => ({
  type: 'message',
  id: 'msg_1',
  status: 'completed',
  role: 'assistant',
  content,
})
const text = { type: 'output_text', text: 'said', annotations: [], logprobs: [] }
const messages = (...content: JsonObject[]): JsonObject => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'c',
  content,
  stop_reason: 'end_turn',
})
const itemsOf = (answer: { readonly body: JsonObject }): JsonObject[] => answer.body['output'] as JsonObject[]
const chatMessage = (answer: JsonObject): unknown => {
  const { choices } = answerFor('chat', answer, { reasoning_effort: 'low' }).body as { choices: JsonObject[] }
  return choices[0]?.['message']
}
const blocksOf = (answer: JsonObject): unknown => answerFor('messages', answer).body['content']
const partsOf = (answer: JsonObject): unknown =>
  (answerFor('genai', answer).body as { candidates: { content: { parts: unknown } }[] }).candidates[0]?.content.parts

describe('an output item', () => {
  it('[resp.out.message:through] has an id, a role, a status and a phase', () => {
    expect(itemsOf(answerFrom('messages', messages({ type: 'text', text: 'said' })))).toEqual([
      {
        type: 'message',
        id: 'msg_made',
        status: 'completed',
        role: 'assistant',
        phase: 'final_answer',
        content: [text],
      },
    ])
    expect(itemsOf(answerFor('responses', of(messageOf(text))))).toEqual([messageOf(text)])
    expect(chatMessage(of(messageOf(text)))).toMatchObject({ role: 'assistant', content: 'said' })
    expect(blocksOf(of(messageOf(text)))).toEqual([{ type: 'text', text: 'said' }])
    expect(partsOf(of(messageOf(text)))).toEqual([{ text: 'said' }])
  })

  it('[resp.out.reasoning:through] of other upstreams is a summary with what they have signed (trap 101)', () => {
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'SIG' }
    const [reasoning] = itemsOf(answerFrom('messages', messages(thinking, { type: 'text', text: 'said' })))
    expect(reasoning).toEqual({
      type: 'reasoning',
      id: 'rs_made',
      summary: [{ type: 'summary_text', text: 'Hm.' }],
      encrypted_content: 'dg1.anthropic.self.SIG',
    })
  })

  it('[resp.out.reasoning:through] of an upstream is shown everywhere, with its encrypted content for the way back', () => {
    const reasoning = {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'Hm.' }],
      encrypted_content: 'gAAA',
    }
    expect(itemsOf(answerFor('responses', of(reasoning, messageOf(text))))[0]).toEqual(reasoning)
    expect(chatMessage(of(reasoning, messageOf(text)))).toMatchObject({ reasoning: 'Hm.', content: 'said' })
    expect(JSON.stringify(chatMessage(of(reasoning, messageOf(text))))).toContain('dg1.openai-responses.self.gAAA')
    expect(blocksOf(of(reasoning, messageOf(text)))).toMatchObject([
      { type: 'thinking', thinking: 'Hm.', signature: 'dg1.openai-responses.self.gAAA' },
      { type: 'text' },
    ])
    expect(partsOf(of(reasoning, messageOf(text)))).toMatchObject([{ text: 'Hm.', thought: true }, { text: 'said' }])
  })

  it('[resp.out.function_call:through] has text as arguments, and an id beside its call_id', () => {
    const use = { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 1 } }
    const tools = [{ type: 'function', name: 'look' }]
    expect(itemsOf(answerFrom('messages', messages(use), { tools }))).toEqual([
      {
        type: 'function_call',
        id: 'fc_made',
        call_id: 'toolu_1',
        name: 'look',
        arguments: '{"at":1}',
        status: 'completed',
      },
    ])
    const call = {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'call_1',
      name: 'look',
      arguments: '{"at":1}',
      status: 'completed',
    }
    expect(itemsOf(answerFor('responses', of(call)))).toEqual([call])
    expect(chatMessage(of(call))).toMatchObject({
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } }],
    })
    expect(blocksOf(of(call))).toEqual([{ type: 'tool_use', id: 'call_1', name: 'look', input: { at: 1 } }])
    expect(partsOf(of(call))).toEqual([{ functionCall: { id: 'call_1', name: 'look', args: { at: 1 } } }])
  })

  it('[resp.out.function_call:through] of a tool in a namespace has both again (trap 111)', () => {
    const use = { type: 'tool_use', id: 'toolu_1', name: 'fs__look', input: {} }
    const tools = [{ type: 'namespace', name: 'fs', tools: [{ type: 'function', name: 'look' }] }]
    expect(itemsOf(answerFrom('messages', messages(use), { tools }))).toMatchObject([{ namespace: 'fs', name: 'look' }])
  })

  it('[resp.out.custom_tool_call:through] has its plain input, whatever the upstream (trap 114)', () => {
    const use = { type: 'tool_use', id: 'toolu_1', name: 'run', input: { input: 'a "b"' } }
    const tools = [{ type: 'custom', name: 'run' }]
    expect(itemsOf(answerFrom('messages', messages(use), { tools }))).toEqual([
      {
        type: 'custom_tool_call',
        id: 'ctc_made',
        call_id: 'toolu_1',
        name: 'run',
        input: 'a "b"',
        status: 'completed',
      },
    ])
    const call = {
      type: 'custom_tool_call',
      id: 'ctc_1',
      call_id: 'call_1',
      name: 'run',
      input: 'a "b"',
      status: 'completed',
    }
    expect(itemsOf(answerFor('responses', of(call), { tools }))).toEqual([call])
    expect(chatMessage(of(call))).toMatchObject({
      tool_calls: [{ id: 'call_1', type: 'custom', custom: { name: 'run', input: 'a "b"' } }],
    })
  })

  it('[resp.out.web_search_call:through] is the search of messages, with its sources', () => {
    const found = { type: 'web_search_result', url: 'https://a.example', title: 'A', encrypted_content: 'E' }
    const use = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'sky' } }
    const result = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [found] }
    const action = { type: 'search', query: 'sky', sources: [{ type: 'url', url: 'https://a.example' }] }
    expect(itemsOf(answerFrom('messages', messages(use, result)))).toEqual([
      { type: 'web_search_call', id: 'srvtoolu_1', status: 'completed', action },
    ])
    const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action }
    expect(itemsOf(answerFor('responses', of(search, messageOf(text))))[0]).toEqual(search)
    expect(blocksOf(of(search, messageOf(text)))).toMatchObject([
      { type: 'server_tool_use', id: 'ws_1', name: 'web_search', input: { query: 'sky' } },
      { type: 'web_search_tool_result', tool_use_id: 'ws_1' },
      { type: 'text' },
    ])
    expect(answerFor('chat', of(search, messageOf(text))).losses).toContain('dropped candidates.0.parts.0')
  })

  it('[resp.out.refusal:through] is a refusal part, and one of chat', () => {
    const refused = {
      choices: [{ message: { role: 'assistant', content: null, refusal: 'No.' }, finish_reason: 'stop' }],
    }
    expect(itemsOf(answerFrom('chat', refused))).toMatchObject([{ content: [{ type: 'refusal', refusal: 'No.' }] }])
    const refusal = { type: 'refusal', refusal: 'No.' }
    expect(itemsOf(answerFor('responses', of(messageOf(refusal))))).toEqual([messageOf(refusal)])
    expect(chatMessage(of(messageOf(refusal)))).toMatchObject({ content: null, refusal: 'No.' })
    expect(answerFor('messages', of(messageOf(refusal))).body).toMatchObject({
      content: [{ type: 'text', text: 'No.' }],
      stop_reason: 'refusal',
    })
  })
})

describe('annotations', () => {
  const url = { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 0, end_index: 4 }
  const files = [
    { type: 'file_citation', file_id: 'file_1', filename: 'a.txt', index: 2 },
    {
      type: 'container_file_citation',
      container_id: 'c_1',
      file_id: 'file_2',
      filename: 'b.txt',
      start_index: 0,
      end_index: 4,
    },
    { type: 'file_path', file_id: 'file_3', index: 1 },
  ]

  it('[resp.out.annotations:through] of all kinds are kept for Responses', () => {
    const cited = messageOf({ ...text, annotations: [url, ...files] })
    expect(itemsOf(answerFor('responses', of(cited)))).toEqual([cited])
  })

  it('[resp.out.annotations:through] of URLs are citations everywhere, and files are reported', () => {
    const cited = of(messageOf({ ...text, annotations: [url, ...files] }))
    const { type, ...url_citation } = url
    expect(chatMessage(cited)).toMatchObject({ annotations: [{ type, url_citation }] })
    expect(blocksOf(cited)).toMatchObject([
      { citations: [{ type: 'web_search_result_location', url: url.url, title: 'A' }] },
    ])
    for (const to of ['chat', 'messages', 'genai'] as const)
      expect(answerFor(to, cited).losses).toContain('dropped candidates.0.parts.0.citations.1')
  })

  it('[resp.out.annotations:through] are written for the citations of a chat upstream', () => {
    const { type, ...url_citation } = url
    const answer = {
      choices: [
        {
          message: { role: 'assistant', content: 'said', annotations: [{ type, url_citation }] },
          finish_reason: 'stop',
        },
      ],
    }
    expect(itemsOf(answerFrom('chat', answer))).toMatchObject([{ content: [{ annotations: [url] }] }])
  })
})

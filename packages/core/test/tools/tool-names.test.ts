import { describe, expect, it } from 'vitest'
import { chat, messages } from '../untyped.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { translate } from '../../src/protocols/translate.ts'

const LONG = `mcp__files__${'x'.repeat(80)}`
const NAMES = ['mcp.files/read', 'mcp:files:read', 'mcp_files_read', LONG]
const schema = { type: 'object', properties: {} }
const hello = { role: 'user', content: 'hello' }

const askMessages = {
  model: 'm',
  max_tokens: 9,
  tools: NAMES.map((name) => ({ name, input_schema: schema })),
  tool_choice: { type: 'tool', name: LONG },
  messages: [
    hello,
    { role: 'assistant', content: NAMES.map((name, i) => ({ type: 'tool_use', id: `t${i}`, name, input: {} })) },
    { role: 'user', content: NAMES.map((_name, i) => ({ type: 'tool_result', tool_use_id: `t${i}`, content: 'ok' })) },
  ],
}
const askChat = {
  model: 'm',
  tools: NAMES.map((name) => ({ type: 'function', function: { name, parameters: schema } })),
  messages: [
    hello,
    {
      role: 'assistant',
      content: null,
      tool_calls: NAMES.map((name, i) => ({ id: `t${i}`, type: 'function', function: { name, arguments: '{}' } })),
    },
    ...NAMES.map((_name, i) => ({ role: 'tool', tool_call_id: `t${i}`, content: 'ok' })),
  ],
}

describe('a tool name that the upstream would refuse', () => {
  it('fits chat in tools, tool choice and history alike, no two the same (trap 29)', () => {
    const { body } = translate(messages, chat, askMessages)
    const tools = (body['tools'] as { function: { name: string } }[]).map((tool) => tool.function.name)
    for (const name of tools) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(new Set(tools).size).toBe(NAMES.length)
    expect(tools[2]).toBe('mcp_files_read')
    const [, assistant] = body['messages'] as { tool_calls: { function: { name: string } }[] }[]
    expect(assistant?.tool_calls.map((call) => call.function.name)).toEqual(tools)
    expect(body['tool_choice']).toEqual({ type: 'function', function: { name: tools[3] } })
  })

  it('fits messages too, which accepts 128 characters (trap 29)', () => {
    const { body } = translate(chat, messages, askChat)
    const tools = (body['tools'] as { name: string }[]).map(({ name }) => name)
    for (const name of tools) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,128}$/)
    expect(tools.slice(2)).toEqual(['mcp_files_read', LONG])
    const [, assistant] = body['messages'] as { content: { name: string }[] }[]
    expect(assistant?.content.map(({ name }) => name)).toEqual(tools)
  })

  it('is restored in a chat response, whole and streamed (trap 29)', () => {
    const translation = translate(messages, chat, { ...askMessages, stream: true })
    const sent = (translation.body['tools'] as { function: { name: string } }[]).map((tool) => tool.function.name)
    const tool_calls = sent.map((name, index) => ({
      index,
      id: `c${index}`,
      type: 'function',
      function: { name, arguments: '{}' },
    }))
    const message = { role: 'assistant', content: null, tool_calls }
    const { body } = translation.response({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] })
    expect((body['content'] as { name: string }[]).map(({ name }) => name)).toEqual(NAMES)
    const chunk = { choices: [{ index: 0, delta: message, finish_reason: 'tool_calls' }] }
    let out = ''
    const answer = translation.answerStream((text) => (out += text))
    answer.push(new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`))
    expect([...out.matchAll(/"name":"([^"]+)"/g)].map(([, name]) => name)).toEqual(NAMES)
  })

  it('is restored in a messages response, whole and streamed (trap 29)', () => {
    const translation = translate(chat, messages, { ...askChat, stream: true })
    const sent = (translation.body['tools'] as { name: string }[]).map(({ name }) => name)
    const content = sent.map((name, index) => ({ type: 'tool_use', id: `c${index}`, name, input: {} }))
    const { body } = translation.response({ content, stop_reason: 'tool_use' })
    const [choice] = body['choices'] as { message: { tool_calls: { function: { name: string } }[] } }[]
    expect(choice?.message.tool_calls.map((call) => call.function.name)).toEqual(NAMES)
    let out = ''
    const answer = translation.answerStream((text) => (out += text))
    const events: JsonObject[] = content.flatMap((content_block, index) => [
      { type: 'content_block_start', index, content_block },
      { type: 'content_block_stop', index },
    ])
    answer.push(new TextEncoder().encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')))
    expect([...out.matchAll(/"name":"([^"]+)"/g)].map(([, name]) => name)).toEqual(NAMES)
  })
})

import { describe, expect, it } from 'vitest'
import { chat, genai, messages } from '../untyped.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import type { Protocol } from '../../src/protocols/protocol.ts'
import { translate, translateStream } from '../../src/protocols/translate.ts'

const ask = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hello' }] }

function streamed(caller: Protocol, deltas: readonly JsonObject[]): string {
  let text = ''
  const stream = translateStream(caller, chat, (piece) => (text += piece), { id: () => 'new', now: 1 })
  const chunks = [...deltas.map((delta) => ({ delta })), { delta: {}, finish_reason: 'tool_calls' }]
  for (const choice of chunks)
    stream.push(
      new TextEncoder().encode(`data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, ...choice }] })}\n\n`),
    )
  stream.push(new TextEncoder().encode('data: [DONE]\n\n'))
  stream.end()
  return text
}

describe('the id of a streamed call', () => {
  const call = (index: number, members: JsonObject) => ({ tool_calls: [{ index, ...members }] })

  it('is used if it comes after the first piece', () => {
    const text = streamed(messages, [
      call(0, { type: 'function', function: { name: 'look', arguments: '{"a"' } }),
      call(1, { id: 'call_b', type: 'function', function: { name: 'find', arguments: '{}' } }),
      call(0, { id: 'call_a', function: { name: '', arguments: ':1}' } }),
    ])
    const ids = [...text.matchAll(/"type":"tool_use","id":"(\w+)","name":"(\w+)"/g)].map(([, id, name]) => [id, name])
    expect(ids).toEqual([
      ['call_a', 'look'],
      ['call_b', 'find'],
    ])
    expect(text.match(/"partial_json":"((?:[^"\\]|\\.)*)"/g)?.join('')).toContain('{\\"a\\":1}')
  })

  it('is made if none comes, before anything else is said', () => {
    const text = streamed(messages, [
      call(0, { type: 'function', function: { name: 'look', arguments: '{}' } }),
      { content: 'so' },
    ])
    expect(text.indexOf('"tool_use"')).toBeGreaterThan(0)
    expect(text.indexOf('"tool_use"')).toBeLessThan(text.indexOf('"so"'))
  })
})

describe('an empty function_call beside tool_calls', () => {
  it('is not a call', () => {
    const tool_calls = [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } }]
    const message = { role: 'assistant', content: null, function_call: { name: '', arguments: '' }, tool_calls }
    const { body } = translate(messages, chat, ask).response({
      choices: [{ index: 0, message, finish_reason: 'stop' }],
    })
    expect(body['content']).toEqual([{ type: 'tool_use', id: 'c', name: 'look', input: {} }])
  })
})

describe('a search result without an age', () => {
  it('has page_age null for the official client, which always has one', () => {
    const hit = { type: 'web_search_result', url: 'https://a', title: 'A', encrypted_content: 'x', page_age: null }
    const content = [
      { type: 'server_tool_use', id: 'srvtoolu_s', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_s', content: [hit] },
    ]
    const { body } = translate(messages, messages, ask).response({ content, stop_reason: 'end_turn' })
    expect(body['content']).toEqual(content)
    const history = [...ask.messages, { role: 'assistant', content }, ...ask.messages]
    expect(translate(messages, messages, { ...ask, messages: history }).body['messages']).toEqual(history)
  })
})

describe('a conversation of instructions alone', () => {
  const instruction = { model: 'm', messages: [{ role: 'system', content: 'Tell a joke.' }] }

  it('is answered by messages', () => {
    const { body, losses } = translate(chat, messages, instruction)
    expect(body).toMatchObject({ messages: [{ role: 'user', content: 'Tell a joke.' }] })
    expect(losses).toContainEqual(
      expect.objectContaining({ kind: 'changed', path: ['messages', 0, 'role'], to: 'user' }),
    )
  })

  it('is answered by genai', () => {
    const { body, losses } = translate(chat, genai, instruction)
    expect(body).toMatchObject({ contents: [{ role: 'user', parts: [{ text: 'Tell a joke.' }] }] })
    expect(losses).toContainEqual(
      expect.objectContaining({ kind: 'changed', path: ['messages', 0, 'role'], to: 'user' }),
    )
  })
})

describe('JSON without a schema', () => {
  it('is asked for in words in messages, reported', () => {
    const { body, losses } = translate(chat, messages, { ...ask, response_format: { type: 'json_object' } })
    expect(body['messages']).toEqual([
      ...ask.messages,
      { role: 'user', content: expect.stringMatching(/JSON/) as string },
    ])
    expect(losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)).toEqual([
      'added messages.1',
      'dropped output.format',
    ])
  })
})

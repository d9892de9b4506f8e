import { describe, expect, it } from 'vitest'
import { parseJson, type Json } from '../lib/json.ts'
import { chat } from './chat/index.ts'
import { messages } from './messages/index.ts'
import type { Protocol } from './protocol.ts'
import { translate } from './translate.ts'

const hello = { role: 'user', content: 'hello' }
const refused = (protocol: Protocol, body: unknown): { kind: string; message: string; param: string | undefined } => {
  try {
    protocol.request.check(body)
  } catch (error) {
    return error as ReturnType<typeof refused>
  }
  return { kind: 'accepted', message: '', param: undefined }
}

describe('an invalid body', () => {
  it.each([
    [messages, { messages: [hello] }, 'max_tokens'],
    [messages, { max_tokens: 0, messages: [hello] }, 'max_tokens'],
    [messages, { max_tokens: 9, messages: [] }, 'messages'],
    [messages, { max_tokens: 9, messages: [{ role: 7, content: 'x' }] }, 'messages.0.role'],
    [messages, { max_tokens: 9, messages: [{ role: 'critic' }] }, 'messages.0.content'],
    [
      messages,
      { max_tokens: 9, messages: [{ role: 'user', content: [{ type: 'text' }] }] },
      'messages.0.content.0.text',
    ],
    [messages, { max_tokens: 9, messages: [hello], temperature: 1.5 }, 'temperature'],
    [
      messages,
      { max_tokens: 9, messages: [hello], thinking: { type: 'enabled', budget_tokens: 5 } },
      'thinking.budget_tokens',
    ],
    [
      messages,
      { max_tokens: 2000, messages: [hello], thinking: { type: 'enabled', budget_tokens: 2000 } },
      'thinking.budget_tokens',
    ],
    [messages, { max_tokens: 9, messages: [hello], tools: [{ name: 'n'.repeat(129) }] }, 'tools.0.name'],
    [chat, {}, 'messages'],
    [chat, { messages: [{ role: 'assistant' }] }, 'messages.0.content'],
    [chat, { messages: [{ role: 'critic', content: 7 }] }, 'messages.0.content'],
    [chat, { messages: [hello], tools: [{ type: 7 }] }, 'tools.0.type'],
    [chat, { messages: [hello], response_format: {} }, 'response_format.type'],
    [chat, { messages: [{ role: 'tool', content: 'x' }] }, 'messages.0.tool_call_id'],
    [chat, { messages: [hello], top_logprobs: 21 }, 'top_logprobs'],
    [chat, { messages: [hello], stop: ['1', '2', '3', '4', '5'] }, 'stop'],
    [chat, { messages: [hello], logit_bias: { 1: 101 } }, 'logit_bias.1'],
    [
      chat,
      { messages: [hello, { role: 'user', content: [{ type: 'image_url', image_url: {} }] }] },
      'messages.1.content.0.image_url.url',
    ],
    [
      chat,
      { messages: [hello], response_format: { type: 'json_schema', json_schema: { name: 'a b' } } },
      'response_format.json_schema.name',
    ],
  ])('is refused with the path $2', (protocol, members, path) => {
    const { kind, message, param } = refused(protocol, { model: 'm', ...members })
    expect(kind).toBe('invalid-request')
    expect(param).toBe(path)
    expect(message).toContain(path)
  })

  it.each([undefined, null, 'text', 7, [], [hello]])('and no object, %j, is refused', (body) => {
    for (const protocol of [chat, messages]) expect(refused(protocol, body).kind).toBe('invalid-request')
  })
})

describe('a hostile body', () => {
  const deep = (levels: number): Json =>
    parseJson(
      '[{"type":"document","source":{"type":"content","content":'.repeat(levels) + '"x"' + '}}]'.repeat(levels),
    ) ?? null

  it('nested very deeply is refused or read, and never crashes', () => {
    for (const levels of [10, 1000, 20_000]) {
      const body = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: deep(levels) }] }
      const { kind } = refused(messages, body)
      expect(['accepted', 'invalid-request']).toContain(kind)
    }
  })

  it('with __proto__ keys anywhere pollutes nothing and loses none of them', () => {
    const text =
      '{"model":"m","__proto__":{"polluted":1},"messages":[{"role":"user","content":[{"type":"text","text":"a","__proto__":{"polluted":1}}],"constructor":{"a":1}}]}'
    const body = chat.request.check(JSON.parse(text))
    const same = JSON.stringify(translate(chat, chat, body).body)
    expect(same.match(/"__proto__":\{"polluted":1\}/g)).toHaveLength(2)
    expect(same).toContain('"constructor":{"a":1}')
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
    expect(() => translate(chat, messages, body)).not.toThrow()
  })

  it('with half a surrogate pair is accepted unchanged', () => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'a\ud800' }] }
    expect(translate(chat, messages, body).body['messages']).toEqual([{ role: 'user', content: 'a\ud800' }])
  })

  it('of very many messages takes linear time', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_each, i) => ({ role: i % 2 ? 'assistant' : 'user', content: `${i}` }))
    const { body } = translate(messages, chat, { model: 'm', max_tokens: 9, messages: many(50_000) })
    expect(body['messages']).toHaveLength(50_000)
  })
})

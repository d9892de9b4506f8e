import { describe, expect, it } from 'vitest'
import { parseJson, type Json, type JsonObject } from '../lib/json.ts'
import { DragomanError } from '../ir/error.ts'
import { chat } from './chat/index.ts'
import { messages } from './messages/index.ts'
import type { Protocol } from './protocol.ts'
import { translate } from './translate.ts'
import { checkCounts, COUNT_LIMITS } from './read-body.ts'
import { protocols } from './index.ts'

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

const LIMITS = { messages: 3, parts: 6, tools: 4, members: 40, membersOfOne: 8 }

function refusal(body: Json, history = 'messages'): string {
  try {
    checkCounts(body, history, JSON.stringify(body).length, LIMITS)
  } catch (thrown) {
    if (thrown instanceof DragomanError) return `${thrown.kind} at ${thrown.param}: ${thrown.message}`
    throw thrown
  }
  return ''
}

const list = <T>(length: number, item: T): T[] => Array.from({ length }, () => item)
const members = (length: number): JsonObject => Object.fromEntries(list(length, 0).map((_, index) => [`m${index}`, 1]))
const turn = (parts: number): JsonObject => ({ role: 'user', content: list(parts, { type: 'text' }) })

describe('counts of a request', () => {
  it('are accepted up to their limits', () => {
    const tools = list(4, { name: 'f' })
    expect(refusal({ messages: list(3, turn(2)), tools, extra: members(8) })).toBe('')
    expect(refusal([])).toBe('')
  })

  it('are refused above them, with the path and the limit', () => {
    expect(refusal({ messages: list(4, turn(0)) })).toBe(
      'invalid-request at messages: messages: at most 3 messages are accepted.',
    )
    expect(refusal({ contents: list(4, turn(0)) }, 'contents')).toContain('at contents: contents: at most 3 messages')
    expect(refusal({ messages: [], tools: list(5, { name: 'f' }) })).toContain('at tools: tools: at most 4 tools')
    expect(refusal({ messages: [turn(1), turn(6)] })).toBe(
      'invalid-request at messages.1: messages.1: at most 6 parts in all messages are accepted.',
    )
    expect(refusal({ messages: [{ ...turn(1), ...members(7) }] })).toBe(
      'invalid-request at messages.0: messages.0: at most 8 members in one object are accepted.',
    )
    expect(refusal({ messages: [], all: list(6, members(7)) })).toContain('at most 40 members in all objects')
    expect(refusal({ messages: [], ...members(9) })).toContain('at undefined: at most 8 members in one object')
  })

  it('include tools that are declared together, and nested parts', () => {
    expect(refusal({ contents: [], tools: [{ functionDeclarations: list(5, { name: 'f' }) }] })).toContain('4 tools')
    const nested = { type: 'tool_result', content: list(3, { type: 'text' }) }
    expect(refusal({ messages: [{ role: 'user', content: [nested, nested] }] })).toContain('6 parts')
  })

  it('ignore numbers and texts in lists, and depth', () => {
    expect(refusal({ messages: [{ role: 'user', input: list(100, 1), other: list(100, 'a') }] })).toBe('')
    let deep: Json = {}
    for (let depth = 0; depth < 30_000; depth++) deep = [deep]
    expect(() => checkCounts({ messages: [deep] }, 'messages', 1e6, { ...LIMITS, parts: 1e6 })).not.toThrow()
  })

  it('allow by default only bodies that do not stall a translation', () => {
    for (const { request } of protocols) {
      const body = { [request.history]: list(1000, turn(3)), tools: list(500, { name: 'f' }) }
      expect(() => checkCounts(body, request.history, 1e7, COUNT_LIMITS)).not.toThrow()
    }
  })
})

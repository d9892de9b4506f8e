import { describe, expect, it } from 'vitest'
import { chat, messages } from '../untyped.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { translate, type Translation } from '../../src/protocols/translate.ts'

const mark = { type: 'ephemeral' }
const hour = { type: 'ephemeral', ttl: '1h' }
const reported = ({ losses }: Translation): string[] => losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)
const marksIn = (value: JsonObject): number => JSON.stringify(value).split('"cache_control"').length - 1

const askMessages = {
  model: 'm',
  max_tokens: 9,
  system: [{ type: 'text', text: 'Be brief.', cache_control: hour }],
  tools: [{ name: 'look', input_schema: { type: 'object' }, cache_control: mark }],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'hello', cache_control: { type: 'ephemeral', ttl: '5m' } }] },
  ],
}
const askChat = {
  model: 'm',
  max_completion_tokens: 9,
  tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } }, cache_control: mark }],
  messages: [
    { role: 'system', content: [{ type: 'text', text: 'Be brief.', cache_control: hour }] },
    { role: 'user', content: [{ type: 'text', text: 'hello', cache_control: { type: 'ephemeral', ttl: '5m' } }] },
  ],
}

describe('cache marks', () => {
  it('stay on system, tools and blocks for messages (trap 13) [msg.cache_control:through]', () => {
    const same = translate(messages, messages, askMessages)
    expect(same.body).toMatchObject(askMessages)
    expect(reported(same)).toEqual([])
  })

  it('of a chat client reach messages (trap 13)', () => {
    const crossed = translate(chat, messages, askChat)
    expect(crossed.body).toMatchObject(askMessages)
    expect(reported(crossed)).toEqual([])
  })

  it('on whole chat messages and calls reach messages, as opencode and the AI SDK send them (trap 13)', () => {
    const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }
    const asked = {
      model: 'm',
      max_completion_tokens: 9,
      messages: [
        { role: 'system', content: 'Be brief.', cache_control: hour },
        { role: 'user', content: 'hello', cache_control: mark },
        { role: 'assistant', content: null, tool_calls: [{ ...call, cache_control: mark }] },
        { role: 'tool', tool_call_id: 'c1', content: 'sky', cache_control: mark },
      ],
    }
    const crossed = translate(chat, messages, asked)
    expect(crossed.body).toMatchObject({
      system: [{ text: 'Be brief.', cache_control: hour }],
      messages: [
        { content: [{ text: 'hello', cache_control: mark }] },
        { content: [{ type: 'tool_use', cache_control: mark }] },
        { content: [{ type: 'tool_result', cache_control: mark }] },
      ],
    })
    expect(reported(crossed)).toEqual([])
    expect(marksIn(translate(chat, chat, asked, { dialect: { cache: true } }).body)).toBe(4)
    expect(reported(translate(chat, chat, asked))).toHaveLength(4)
  })

  it('reach a chat upstream that accepts them (trap 13) [msg.cache_control:through]', () => {
    for (const translation of [
      translate(messages, chat, askMessages, { dialect: { cache: true } }),
      translate(chat, chat, askChat, { dialect: { cache: true } }),
    ]) {
      expect(translation.body['messages']).toEqual(askChat.messages)
      expect(translation.body['tools']).toMatchObject([{ cache_control: mark }])
      expect(reported(translation)).toEqual([])
    }
  })

  it('are reported one by one for a chat upstream that does not (trap 13) [msg.cache_control:through]', () => {
    for (const translation of [translate(messages, chat, askMessages), translate(chat, chat, askChat)]) {
      expect(marksIn(translation.body)).toBe(0)
      expect(reported(translation).sort()).toEqual([
        'dropped messages.0.parts.0.cache',
        'dropped messages.1.parts.0.cache',
        'dropped tools.0.cache',
      ])
    }
  })

  it('stay on every kind of block for messages (trap 13) [msg.cache_control:through]', () => {
    const content = [
      { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'a', cache_control: mark }] },
      { type: 'image', source: { type: 'url', url: 'https://a' }, cache_control: mark },
      { type: 'document', source: { type: 'url', url: 'https://b' }, cache_control: hour },
    ]
    const use = { type: 'tool_use', id: 't1', name: 'look', input: {}, cache_control: mark }
    const conversation = [
      { role: 'assistant', content: [use] },
      { role: 'user', content },
    ]
    const same = translate(messages, messages, { model: 'm', max_tokens: 9, messages: conversation })
    expect(same.body['messages']).toEqual(conversation)
    expect(reported(same)).toEqual([])
  })

  it('beyond the limit of four are dropped from the front, reported (trap 13)', () => {
    const content = ['a', 'b', 'c', 'd', 'e', 'f'].map((text) => ({ type: 'text', text, cache_control: mark }))
    const crossed = translate(chat, messages, { model: 'm', messages: [{ role: 'user', content }] })
    const [sent] = crossed.body['messages'] as { content: { text: string; cache_control?: object }[] }[]
    expect(sent?.content.filter((block) => block.cache_control !== undefined).map(({ text }) => text)).toEqual([
      'c',
      'd',
      'e',
      'f',
    ])
    expect(reported(crossed)).toEqual(
      expect.arrayContaining(['dropped messages.0.parts.0.cache', 'dropped messages.0.parts.1.cache']),
    )
  })

  it('lose their ttl, reported, for an upstream that refuses it (trap 14)', () => {
    const dialect = { cache: true, ttl: false }
    for (const translation of [
      translate(messages, messages, askMessages, { dialect }),
      translate(messages, chat, askMessages, { dialect }),
    ]) {
      expect(JSON.stringify(translation.body)).not.toContain('ttl')
      expect(marksIn(translation.body)).toBe(3)
      expect(reported(translation).filter((loss) => loss.endsWith('.cache.ttl'))).toHaveLength(2)
    }
  })
})

import { describe, expect, it } from 'vitest'
import { chat, genai, messages } from '../untyped.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import type { Protocol } from '../../src/protocols/protocol.ts'
import { translate } from '../../src/protocols/translate.ts'

const hello = { role: 'user', content: 'hello' }
const bodyFor = (from: Protocol): JsonObject =>
  from === chat
    ? { model: 'm', messages: [hello], stream: true }
    : { model: 'm', max_tokens: 9, messages: [hello], stream: true }

function play(from: Protocol, to: Protocol, frames: readonly JsonObject[]): string {
  let out = ''
  const answer = translate(from, to, bodyFor(from)).answerStream((text) => (out += text))
  const done = to === chat ? 'data: [DONE]\n\n' : ''
  answer.push(new TextEncoder().encode(frames.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('') + done))
  answer.end()
  return out
}
const wordIn = (out: string): string | undefined => /"(?:stop_reason|finish_reason)":"(\w+)"/.exec(out)?.[1]

const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }
/** A chat upstream that calls a tool and tells why it stopped in a chunk of its own. */
const chatStream = (finish_reason: string | null) => [
  { choices: [{ index: 0, delta: { role: 'assistant', tool_calls: [{ index: 0, ...call }] }, finish_reason: null }] },
  { choices: [{ index: 0, delta: {}, finish_reason }] },
]
const use = { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }
const messagesStream = (stop_reason: string | null) => [
  { type: 'message_start', message: { id: 'msg_1', usage: {} } },
  { type: 'content_block_start', index: 0, content_block: use },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: {} },
  { type: 'message_stop' },
]

describe('a response that calls a tool', () => {
  it('ends with tool_use for a messages client although a later chunk has stop (trap 18)', () => {
    expect(wordIn(play(messages, chat, chatStream('stop')))).toBe('tool_use')
    expect(wordIn(play(messages, chat, chatStream('tool_calls')))).toBe('tool_use')
  })

  it('ends with tool_calls for a chat client although the upstream has stop (trap 18)', () => {
    expect(wordIn(play(chat, chat, chatStream('stop')))).toBe('tool_calls')
    expect(wordIn(play(chat, messages, messagesStream('end_turn')))).toBe('tool_calls')
    expect(wordIn(play(chat, messages, messagesStream('tool_use')))).toBe('tool_calls')
  })

  it('ends with a tool reason without streaming too (trap 18)', () => {
    const message = { role: 'assistant', content: null, tool_calls: [call] }
    const answer = { choices: [{ index: 0, message, finish_reason: 'stop' }] }
    expect(translate(messages, chat, bodyFor(messages)).response(answer).body['stop_reason']).toBe('tool_use')
    const { body } = translate(chat, messages, bodyFor(chat)).response({ content: [use], stop_reason: 'end_turn' })
    expect(body['choices']).toMatchObject([{ finish_reason: 'tool_calls' }])
  })

  it.each([
    ['length', 'max_tokens'],
    ['content_filter', 'refusal'],
  ])('still ends with %s as %s for a messages client if that is the reason (trap 19)', (upstreamReason, expected) => {
    expect(wordIn(play(messages, chat, chatStream(upstreamReason)))).toBe(expected)
    const message = { role: 'assistant', content: null, tool_calls: [call] }
    const answer = { choices: [{ index: 0, message, finish_reason: upstreamReason }] }
    expect(translate(messages, chat, bodyFor(messages)).response(answer).body['stop_reason']).toBe(expected)
  })

  it.each([
    ['max_tokens', 'length'],
    ['refusal', 'content_filter'],
  ])('still ends with %s as %s for a chat client if that is the reason (trap 19)', (upstreamReason, expected) => {
    expect(wordIn(play(chat, messages, messagesStream(upstreamReason)))).toBe(expected)
    const { body } = translate(chat, messages, bodyFor(chat)).response({ content: [use], stop_reason: upstreamReason })
    expect(body['choices']).toMatchObject([{ finish_reason: expected }])
  })
})

describe('a response with calls and no finish reason', () => {
  it.each([null, ''])('ends with tool calls if a chat upstream says %j', (finish_reason) => {
    const message = { role: 'assistant', content: null, tool_calls: [call] }
    const answer = { choices: [{ index: 0, message, finish_reason }] }
    expect(translate(messages, chat, bodyFor(messages)).response(answer).body['stop_reason']).toBe('tool_use')
    expect(wordIn(play(messages, chat, chatStream(finish_reason)))).toBe('tool_use')
    expect(wordIn(play(chat, chat, chatStream(finish_reason)))).toBe('tool_calls')
  })

  it('ends with tool calls if a messages upstream has none', () => {
    const { body } = translate(chat, messages, bodyFor(chat)).response({ content: [use], stop_reason: null })
    expect(body['choices']).toMatchObject([{ finish_reason: 'tool_calls' }])
    expect(wordIn(play(messages, messages, messagesStream(null)))).toBe('tool_use')
  })

  it('ends with tool calls if a genai upstream has none', () => {
    const content = { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] }
    const { body } = translate(messages, genai, bodyFor(messages)).response({ candidates: [{ content }] })
    expect(body['stop_reason']).toBe('tool_use')
  })

  it('is still cut off if a chat upstream disconnects with an empty finish reason', () => {
    let out = ''
    const answer = translate(chat, chat, bodyFor(chat)).answerStream((text) => (out += text))
    const frames = chatStream('').map((each) => `data: ${JSON.stringify(each)}\n\n`)
    answer.push(new TextEncoder().encode(frames.join('')))
    answer.end()
    expect(answer.failed?.kind).toBe('interrupted')
    expect(out).not.toContain('[DONE]')
  })
})

describe('a response that filled the context window', () => {
  const upstreamReason = 'model_context_window_exceeded'
  const text = { type: 'text', text: 'hi' }

  it('ends at a limit for a chat and a genai client (trap 55)', () => {
    const answer = { content: [text], stop_reason: upstreamReason }
    const inChat = translate(chat, messages, bodyFor(chat)).response(answer)
    expect(inChat.body['choices']).toMatchObject([{ finish_reason: 'length' }])
    const asked = { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] }
    const inGenai = translate(genai, messages, asked).response(answer)
    expect(inGenai.body['candidates']).toMatchObject([{ finishReason: 'MAX_TOKENS' }])
    expect(wordIn(play(chat, messages, messagesStream(upstreamReason)))).toBe('length')
  })

  it('keeps its own reason for a messages client', () => {
    const answer = { content: [text], stop_reason: upstreamReason }
    expect(translate(messages, messages, bodyFor(messages)).response(answer).body['stop_reason']).toBe(upstreamReason)
    expect(wordIn(play(messages, messages, messagesStream(upstreamReason)))).toBe(upstreamReason)
  })
})

describe('a response without calls', () => {
  it('just stops', () => {
    const frames = [
      { choices: [{ index: 0, delta: { role: 'assistant', content: 'hi' }, finish_reason: null }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ]
    expect(wordIn(play(messages, chat, frames))).toBe('end_turn')
    expect(wordIn(play(chat, chat, frames))).toBe('stop')
  })

  it('does not end with tool calls if the only call was the upstream’s own', () => {
    const server = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }
    const answer = { content: [server, { type: 'text', text: 'found' }], stop_reason: 'end_turn' }
    const { body } = translate(chat, messages, bodyFor(chat)).response(answer)
    expect(body['choices']).toMatchObject([{ finish_reason: 'stop' }])
  })
})

import { describe, expect, it } from 'vitest'
import type { Loss } from '../../src/ir/loss.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { chat } from '../../src/protocols/chat/index.ts'
import { messages } from '../../src/protocols/messages/index.ts'
import type { Protocol } from '../../src/protocols/protocol.ts'
import { translate } from '../../src/protocols/translate.ts'

const hello = { role: 'user', content: 'hello' }
const call = (text: string) => ({ id: 'c1', type: 'function', function: { name: 'look', arguments: text } })
const history = (text: string) => [
  hello,
  { role: 'assistant', content: null, tool_calls: [call(text)] },
  { role: 'tool', tool_call_id: 'c1', content: 'seen' },
]
const bodyOf = { model: 'm', max_tokens: 9, messages: [hello], stream: true }

function play(
  from: Protocol,
  to: Protocol,
  frames: readonly JsonObject[],
): { events: JsonObject[]; losses: readonly Loss[] } {
  let out = ''
  const answer = translate(from, to, bodyOf).answerStream((text) => (out += text))
  answer.push(new TextEncoder().encode(frames.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')))
  answer.end()
  const lines = out.split('\n').filter((line) => line.startsWith('data: {'))
  return { events: lines.map((line) => JSON.parse(line.slice(6)) as JsonObject), losses: answer.losses }
}
const chatFrames = (text: string) => [
  { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...call(text) }] }, finish_reason: null }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
]
const inputIn = (events: readonly JsonObject[]): string =>
  events.map(({ delta }) => (delta as { partial_json?: string } | undefined)?.partial_json ?? '').join('')
const argumentsIn = (events: readonly JsonObject[]): string =>
  events
    .flatMap((event) => event['choices'] as { delta: { tool_calls?: ReturnType<typeof call>[] } }[])
    .map(({ delta }) => delta.tool_calls?.[0]?.function.arguments ?? '')
    .join('')

describe('a tool without arguments', () => {
  it.each(['', '{}', '  '])('that chat calls with %j has the input {} in messages (trap 24)', (text) => {
    const { body } = translate(chat, messages, { model: 'm', messages: history(text) })
    const [, assistant] = body['messages'] as { content: JsonObject[] }[]
    expect(assistant?.content).toEqual([{ type: 'tool_use', id: 'c1', name: 'look', input: {} }])
    const message = { role: 'assistant', content: null, tool_calls: [call(text)] }
    const answer = { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }
    expect(translate(messages, chat, bodyOf).response(answer).body['content']).toEqual(assistant?.content)
    const streamed = inputIn(play(messages, chat, chatFrames(text)).events)
    expect(JSON.parse(streamed.trim() || '{}')).toEqual({})
  })

  it('that messages calls has the arguments "{}" in chat, whole and streamed (trap 24)', () => {
    const use = { type: 'tool_use', id: 't1', name: 'look', input: {} }
    const { body } = translate(chat, messages, bodyOf).response({ content: [use], stop_reason: 'tool_use' })
    expect(body['choices']).toMatchObject([{ message: { tool_calls: [{ function: { arguments: '{}' } }] } }])
    for (const piece of [[], ['']]) {
      const { events } = play(chat, messages, [
        { type: 'content_block_start', index: 0, content_block: use },
        ...piece.map((partial_json) => ({
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'input_json_delta', partial_json },
        })),
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: {} },
        { type: 'message_stop' },
      ])
      expect(argumentsIn(events)).toBe('{}')
    }
  })

  it('in a messages history has the arguments "{}" in chat (trap 24)', () => {
    const conversation = [
      hello,
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'look', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1' }] },
    ]
    const { body } = translate(messages, chat, { model: 'm', max_tokens: 9, messages: conversation })
    expect(body['messages']).toMatchObject([
      hello,
      { tool_calls: [{ function: { name: 'look', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 't1', content: '' },
    ])
  })
})

describe('arguments that are not JSON', () => {
  const changed = (text: string): unknown =>
    expect.objectContaining({ kind: 'changed', path: ['candidates', 0, 'parts', 0, 'arguments'], to: { text } })

  it.each(['look at that', '{"a":', '[1]', '"text"', '7', 'null'])(
    '%s are kept as text for messages, reported, and never throw (trap 40)',
    (text) => {
      const { body, losses } = translate(chat, messages, { model: 'm', messages: history(text) })
      const [, assistant] = body['messages'] as { content: { input: JsonObject }[] }[]
      expect(Object.values(assistant?.content[0]?.input ?? {})).toEqual([text])
      expect(losses.map(({ path }) => path.join('.'))).toContain('messages.1.parts.0.arguments')
      const message = { role: 'assistant', content: null, tool_calls: [call(text)] }
      const answer = { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }
      const crossed = translate(messages, chat, bodyOf).response(answer)
      expect(crossed.body['content']).toMatchObject([{ type: 'tool_use', input: assistant?.content[0]?.input }])
      expect(crossed.losses.map(({ path }) => path.join('.'))).toContain('candidates.0.parts.0.arguments')
    },
  )

  it('are unchanged for chat, whole and streamed (trap 40)', () => {
    const same = translate(chat, chat, { model: 'm', messages: history('look at that') })
    expect(same.body['messages']).toMatchObject([{}, { tool_calls: [call('look at that')] }, {}])
    expect(same.losses).toEqual([])
    expect(argumentsIn(play(chat, chat, chatFrames('look at that')).events)).toBe('look at that')
  })

  it.each(['look at that', '[1]', '"text"', '7', 'null', ' \u{1f600} "quoted"\n'])(
    '%j are streamed to a messages client as text in an object, reported (trap 40)',
    (text) => {
      const [first = '', ...rest] = text
      const frames = [
        ...chatFrames(first).slice(0, 1),
        ...rest.map((piece) => ({
          choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: piece } }] } }],
        })),
        ...chatFrames('').slice(1),
      ]
      const { events, losses } = play(messages, chat, frames)
      expect(JSON.parse(inputIn(events))).toEqual({ text })
      expect(losses).toContainEqual(changed(text))
      expect(events.at(-1)).toMatchObject({ type: 'message_stop' })
    },
  )

  it('that only begin like an object are streamed unchanged, and reported for messages (trap 40)', () => {
    const { events, losses } = play(messages, chat, chatFrames('{"a":'))
    expect(inputIn(events)).toBe('{"a":')
    expect(losses).toContainEqual(changed('{"a":'))
    expect(events.at(-1)).toMatchObject({ type: 'message_stop' })
  })

  it('that messages truncated reach a chat client unchanged (trap 40)', () => {
    const { events } = play(chat, messages, [
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't1', name: 'look', input: {} } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"a":' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: {} },
      { type: 'message_stop' },
    ])
    expect(argumentsIn(events)).toBe('{"a":')
  })

  it('with keys of every object pollute nothing (trap 40)', () => {
    const text = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'
    const { body } = translate(chat, messages, { model: 'm', messages: history(text) })
    expect(JSON.stringify(body)).toContain('"__proto__":{"polluted":1}')
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
})

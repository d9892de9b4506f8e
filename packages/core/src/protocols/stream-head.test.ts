import { describe, expect, it } from 'vitest'
import { chat, genai, messages } from '../../test/untyped.ts'
import type { JsonObject } from '../lib/json.ts'
import type { Protocol } from './protocol.ts'
import { translate } from './translate.ts'

const BODY_OF = new Map<Protocol, JsonObject>([
  [chat, { model: 'asked', messages: [{ role: 'user', content: 'hello' }], stream: true }],
  [messages, { model: 'asked', max_tokens: 9, messages: [{ role: 'user', content: 'hello' }], stream: true }],
  [genai, { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] }],
])

function play(from: Protocol, to: Protocol, frames: readonly JsonObject[]) {
  let out = ''
  const options = { id: () => 'made', now: 7, match: from === genai ? { model: 'asked', stream: true } : undefined }
  const answer = translate(from, to, BODY_OF.get(from) ?? {}, options).answerStream((text) => (out += text))
  answer.push(new TextEncoder().encode(frames.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')))
  answer.end()
  const lines = out.split('\n').filter((line) => line.startsWith('data: {'))
  return { answer, events: lines.map((line) => JSON.parse(line.slice(6)) as JsonObject) }
}

describe('a stream in which a second answer begins', () => {
  const begin = (id: string) => ({ type: 'message_start', message: { id, model: 'm', usage: { input_tokens: 1 } } })
  const said = [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hi' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ]

  it.each([chat, messages])('ends as an error for a $name client (trap 52)', (client) => {
    const { answer, events } = play(client, messages, [begin('a'), ...said.slice(0, 2), begin('b'), ...said])
    expect(answer.failed).toMatchObject({ kind: 'upstream' })
    expect(events.at(-1)).toHaveProperty('error')
  })

  it('ends as an error if it is relayed (trap 52)', () => {
    const tap = messages.relay.tap({ stream: true })
    const bytes = (...events: readonly JsonObject[]) =>
      new TextEncoder().encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
    tap.push(bytes(begin('a'), ...said.slice(0, 2)))
    expect(tap.failed).toBeUndefined()
    expect(tap.push(bytes(begin('b')))).toBeUndefined()
    expect(tap.failed).toMatchObject({ kind: 'upstream' })
  })

  it('goes on if it is the same one again', () => {
    const { answer, events } = play(chat, messages, [begin('a'), begin('a'), ...said])
    expect(answer.failed).toBeUndefined()
    expect(events.filter((event) => JSON.stringify(event).includes('"hi"'))).toHaveLength(1)
    const tap = messages.relay.tap({ stream: true })
    tap.push(new TextEncoder().encode(`data: ${JSON.stringify(begin('a'))}\n\n`.repeat(2)))
    expect(tap.failed).toBeUndefined()
  })
})

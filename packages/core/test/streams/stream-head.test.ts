import { describe, expect, it } from 'vitest'
import { chat, genai, messages } from '../untyped.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import type { Protocol } from '../../src/protocols/protocol.ts'
import { translate } from '../../src/protocols/translate.ts'

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
const text = (content: string, finish_reason: string | null = null) => [{ index: 0, delta: { content }, finish_reason }]

describe('id, model and time of a stream', () => {
  const head = { id: 'c1', model: 'gpt-4o', created: 5 }
  const azure = [
    { id: '', model: '', created: 0, object: '', choices: [], prompt_filter_results: [{ prompt_index: 0 }] },
    { ...head, choices: text('hi') },
    { ...head, choices: text('', 'stop') },
  ]

  it('are those of the second chunk if the first is empty, as that of Azure is (trap 54)', () => {
    const inChat = play(chat, chat, azure).events
    expect(inChat.map(({ id, model, created }) => ({ id, model, created }))).toEqual(inChat.map(() => head))
    expect(inChat[0]).toMatchObject({ prompt_filter_results: [{ prompt_index: 0 }] })
    const [first] = play(messages, chat, azure).events
    expect(first).toMatchObject({ type: 'message_start', message: { id: 'c1', model: 'gpt-4o' } })
    const [chunk] = play(genai, chat, azure).events
    expect(chunk).toMatchObject({ responseId: 'c1', modelVersion: 'gpt-4o', createTime: '1970-01-01T00:00:05Z' })
  })

  it('are those of the second chunk if the first has only a role (trap 54)', () => {
    const opening = { id: '', model: '', choices: [{ index: 0, delta: { role: 'assistant' }, finish_reason: null }] }
    const [first] = play(messages, chat, [opening, ...azure.slice(1)]).events
    expect(first).toMatchObject({ message: { id: 'c1', model: 'gpt-4o' } })
  })

  it('do not hold back text (trap 54)', () => {
    let out = ''
    const answer = translate(messages, chat, BODY_OF.get(messages) ?? {}).answerStream((piece) => (out += piece))
    answer.push(new TextEncoder().encode(`data: ${JSON.stringify({ id: '', choices: text('early') })}\n\n`))
    expect(out).toContain('early')
  })

  it('are those of a later chunk of genai if the first has none (trap 54)', () => {
    const frames = [
      { usageMetadata: { promptTokenCount: 1 } },
      {
        responseId: 'r1',
        modelVersion: 'gemini',
        candidates: [{ content: { role: 'model', parts: [{ text: 'hi' }] }, finishReason: 'STOP' }],
      },
    ]
    expect(play(messages, genai, frames).events[0]).toMatchObject({ message: { id: 'r1', model: 'gemini' } })
  })
})

describe('a response that names no model', () => {
  const choice = { index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }

  it.each([{}, { model: '' }])('has the requested one: %j', (given) => {
    const whole = translate(messages, chat, BODY_OF.get(messages) ?? {}).response({ ...given, choices: [choice] })
    expect(whole.body['model']).toBe('asked')
    const { events } = play(messages, chat, [{ ...given, id: 'c', choices: text('hi', 'stop') }])
    expect(events[0]).toMatchObject({ message: { model: 'asked' } })
    expect(play(chat, chat, [{ ...given, id: 'c', choices: text('hi', 'stop') }]).events[0]).toMatchObject({
      model: 'asked',
    })
  })

  it('has the one that the gateway gives it', () => {
    const translation = translate(messages, chat, BODY_OF.get(messages) ?? {}, {
      model: 'routed',
      answerModel: 'alias',
    })
    expect(translation.response({ choices: [choice] }).body['model']).toBe('alias')
  })
})

describe('a stream in which a second answer begins', () => {
  const begin = (id: string) => ({ type: 'message_start', message: { id, model: 'm', usage: { input_tokens: 1 } } })
  const given = [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hi' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ]

  it.each([chat, messages])('ends as an error for a $name client (trap 52)', (client) => {
    const { answer, events } = play(client, messages, [begin('a'), ...given.slice(0, 2), begin('b'), ...given])
    expect(answer.failed).toMatchObject({ kind: 'upstream' })
    expect(events.at(-1)).toHaveProperty('error')
  })

  it('ends as an error if it is relayed (trap 52)', () => {
    const tap = messages.relay.tap({ stream: true })
    const bytes = (...events: readonly JsonObject[]) =>
      new TextEncoder().encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
    tap.push(bytes(begin('a'), ...given.slice(0, 2)))
    expect(tap.failed).toBeUndefined()
    expect(tap.push(bytes(begin('b')))).toBeUndefined()
    expect(tap.failed).toMatchObject({ kind: 'upstream' })
  })

  it('goes on if it is the same one again', () => {
    const { answer, events } = play(chat, messages, [begin('a'), begin('a'), ...given])
    expect(answer.failed).toBeUndefined()
    expect(events.filter((event) => JSON.stringify(event).includes('"hi"'))).toHaveLength(1)
    const tap = messages.relay.tap({ stream: true })
    tap.push(new TextEncoder().encode(`data: ${JSON.stringify(begin('a'))}\n\n`.repeat(2)))
    expect(tap.failed).toBeUndefined()
  })
})

import { describe, expect, it } from 'vitest'
import { messagesStream } from '../../test/streams.ts'
import type { JsonObject } from '../lib/json.ts'
import { chat } from './chat/index.ts'
import { genai } from './genai/index.ts'
import { messages } from './messages/index.ts'
import type { Protocol } from './protocol.ts'
import { translateStream } from './translate.ts'
import { responses } from './responses/index.ts'

const UPSTREAM = new TextEncoder().encode(
  [
    '{"id":"c","choices":[{"index":0,"delta":{"content":"hi"}}]}',
    '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
    '[DONE]',
  ]
    .map((data) => `data: ${data}\n\n`)
    .join(''),
)

describe('the end of a stream that cannot be written', () => {
  it.each<[Protocol, terminal: string, failure: string]>([
    [chat, '[DONE]', '"error"'],
    [messages, 'message_stop', 'event: error'],
    [genai, '"finishReason"', '"error"'],
  ])('becomes an error for the caller of $name', (protocol, terminal, failure) => {
    let written = ''
    let thrown = false
    const stream = translateStream(protocol, chat, (text) => {
      if (text.includes(terminal) && !thrown) {
        thrown = true
        throw new TypeError('no room')
      }
      written += text
    })
    stream.push(UPSTREAM)
    stream.end()
    expect(thrown).toBe(true)
    expect(written).toContain(failure)
    expect(stream).toMatchObject({ done: true, failed: { kind: 'internal' } })
  })

  it('ends the stream if the error cannot be written either', () => {
    const written: string[] = []
    const stream = translateStream(messages, chat, (text) => {
      written.push(text)
      throw new TypeError('no room')
    })
    stream.push(UPSTREAM)
    expect(stream).toMatchObject({ done: true, failed: { kind: 'internal', cause: { message: 'no room' } } })
    const reported = written.length
    stream.end()
    expect(written).toHaveLength(reported)
  })
})

const WITH_THINKING = new TextEncoder().encode(
  messagesStream([
    { type: 'thinking', thinking: 'hm, well', signature: 'SIG' },
    { type: 'text', text: 'Hi.' },
    { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } },
  ]),
)

interface Event extends JsonObject {
  readonly type: string
  readonly response: JsonObject
}

/** The events of a stream, which begins before its upstream `early` times. */
function play(early: number) {
  const events: Event[] = []
  const write = (text: string) => {
    for (const frame of text.split('\n\n').filter((one) => one !== ''))
      events.push(JSON.parse(frame.slice(frame.indexOf('data: ') + 6)) as Event)
  }
  let made = 0
  const stream = translateStream(responses, messages, write, { model: 'm', id: () => `x${made++}`, now: 7 })
  for (let count = 0; count < early; count++) stream.begin()
  const begun = events.length
  stream.push(WITH_THINKING)
  stream.begin()
  stream.end()
  return { stream, events, begun }
}

describe('a stream that begins before its upstream', () => {
  it('[resp.keepalive] is the same stream with an id of its own', () => {
    const [usual, early] = [play(0), play(2)]
    expect(early.events.slice(0, early.begun).map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
    ])
    const mask = (events: readonly Event[]) =>
      JSON.stringify(events, (key, value: unknown) => (key.endsWith('id') && key !== 'call_id' ? 'ID' : value))
    expect(mask(early.events)).toBe(mask(usual.events))
    expect(usual.events[0]?.response['id']).toBe('msg_1')
    expect(early.events[0]?.response['id']).toMatch(/^resp_/)
    expect(early.events.at(-1)?.response['id']).toBe(early.events[0]?.response['id'])
  })

  it('reports the id that came too late, and counts as usual', () => {
    const [usual, early] = [play(0).stream, play(1).stream]
    expect(early.usage).toEqual(usual.usage)
    expect(early.losses).toContainEqual(expect.objectContaining({ kind: 'dropped', path: ['id'] }))
    expect(usual.losses).not.toContainEqual(expect.objectContaining({ kind: 'dropped', path: ['id'] }))
  })

  it('writes nothing after its end', () => {
    const { stream, events } = play(0)
    const count = events.length
    stream.begin()
    expect(events).toHaveLength(count)
  })
})

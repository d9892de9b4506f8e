import { describe, expect, it } from 'vitest'
import { messagesStream } from '../../test/streams.ts'
import type { JsonObject } from '../lib/json.ts'
import { messages } from './messages/index.ts'
import { responses } from './responses/index.ts'
import { translateStream } from './translate.ts'

const UPSTREAM = new TextEncoder().encode(
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
  stream.push(UPSTREAM)
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

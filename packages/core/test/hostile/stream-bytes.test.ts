import { translateStream, type Protocol } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import { BODIES_OF } from '../bodies/bodies-of.ts'
import type { Bodies } from '../bodies/shared.ts'
import { mustSurviveStream, streamOf } from './survive.ts'

const utf8 = new TextEncoder()

describe.each(protocols)('a stream of $name', (protocol) => {
  const { events } = BODIES_OF[protocol.name] as Bodies // one per protocol
  const data = events.map((event) => JSON.stringify(event))
  const whole = streamOf(protocol, data)
  const expected = read(protocol, whole)

  it('that is truncated at any byte ends as an error, unless its response was complete', () => {
    const end = lastByte(protocol, whole)
    for (let at = 0; at < whole.length; at++) {
      const stream = mustSurviveStream(protocol, protocols[at % protocols.length] ?? protocol, whole.subarray(0, at))
      if ((stream.failed === undefined) !== at >= end) throw new Error(`cut off at ${at}: ${String(stream.failed)}`)
    }
  })

  it.each([
    ['a byte order mark', (text: string) => `\ufeff${text}`],
    ['lines that end in CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['lines that end in CR', (text: string) => text.replaceAll('\n', '\r')],
    ['lines that end in all three', (text: string) => text.replaceAll(/\n\n/g, '\r\n\n').replace('\r\n\n', '\n\r')],
    ['comments', (text: string) => text.replaceAll('data: ', ': a comment\n:\ndata: ')],
    ['empty events', (text: string) => text.replaceAll('data: ', '\n\nevent: nothing\n\nid: 4\nretry: 5\n\ndata: ')],
    ['no space before its data', (text: string) => text.replaceAll('data: ', 'data:')],
    ['unknown fields', (text: string) => text.replaceAll('data: ', 'colour: blue\nno colon at all\ndata: ')],
  ])('with %s says the same', (_name, spell) => {
    expect(read(protocol, utf8.encode(spell(new TextDecoder().decode(whole))))).toBe(expected)
  })

  it.each([
    ['an event that is not JSON', '{'],
    ['an event that is not an object', '4'],
    ['an empty event', ''],
    ['a word', 'undefined'],
  ])('with %s at any position is reported', (_name, wrong) => {
    for (const index of data.keys()) {
      const to = protocols[index % protocols.length] ?? protocol
      mustSurviveStream(protocol, to, streamOf(protocol, data.toSpliced(index, 0, wrong)))
    }
  })

  it('with bytes that are not UTF-8 at any position is reported', () => {
    for (const wrong of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0x00]]) {
      for (let at = 0; at < whole.length; at += 97) {
        const to = protocols[at % protocols.length] ?? protocol
        mustSurviveStream(protocol, to, whole.subarray(0, at), Uint8Array.from(wrong), whole.subarray(at))
      }
    }
  })

  it.each([
    ['line', 'data: "', 'x'.repeat(1 << 20)],
    ['event', 'data: x\n', `data: ${'x'.repeat(1 << 20)}\n`],
    ['comment', ':', 'x'.repeat(1 << 20)],
  ])('with a %s that never ends is given up', (_name, first, more) => {
    const chunk = utf8.encode(more)
    const stream = translateStream(protocol, protocol, () => undefined)
    stream.push(utf8.encode(first))
    let pushed = 0
    for (; pushed < 200 && !stream.done; pushed++) stream.push(chunk)
    expect(stream.failed).toMatchObject({ kind: 'upstream', message: 'The upstream sent an event without end.' })
    expect(pushed).toBeLessThan(100)
  })

  it('is relayed without a line that has no end', () => {
    const tap = protocol.relay.tap({ stream: true })
    const chunk = new Uint8Array(1 << 20).fill(0x78)
    for (let sent = 0; sent < 100 && tap.failed === undefined; sent++) expect(tap.push(chunk)).toBe(undefined)
    expect(tap.failed).toMatchObject({ kind: 'upstream' })
  })
})

function read(protocol: Protocol, bytes: Uint8Array): string {
  let written = ''
  const stream = translateStream(protocol, protocol, (text) => (written += text), { id: () => 'new', now: 0 })
  stream.push(bytes)
  stream.end()
  expect(stream.failed).toBe(undefined)
  return written
}

/** The position where the response is complete: after its terminal event. */
function lastByte(protocol: Protocol, whole: Uint8Array): number {
  const text = new TextDecoder().decode(whole)
  const mark = {
    chat: '"finish_reason":"tool_calls"',
    messages: '"message_stop"',
    genai: '"finishReason":"STOP"',
    responses: '"response.completed"',
  }
  const last = text.lastIndexOf(mark[protocol.name as keyof typeof mark]) // each protocol has one
  return utf8.encode(text.slice(0, text.indexOf('\n\n', last) + 2)).length
}

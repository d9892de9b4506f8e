import { createParser } from 'eventsource-parser'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSseReader } from './sse.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

function read(...chunks: readonly (string | Uint8Array)[]): { data: string[]; names: (string | undefined)[] } {
  const data: string[] = []
  const names: (string | undefined)[] = []
  const reader = createSseReader((each, name) => {
    data.push(each)
    names.push(name)
  })
  for (const chunk of chunks) reader.push(typeof chunk === 'string' ? bytesOf(chunk) : chunk)
  reader.end()
  return { data, names }
}

describe('createSseReader', () => {
  it.each([
    ['LF', 'event: a\ndata: 1\n\ndata: 2\n\n'],
    ['CRLF', 'event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n'],
    ['CR', 'event: a\rdata: 1\r\rdata: 2\r\r\n'],
    ['no space after the colon', 'event:a\ndata:1\n\ndata:2\n\n'],
    ['a byte order mark', '\uFEFFevent: a\ndata: 1\n\ndata: 2\n\n'],
    ['comments', ': hello\nevent: a\n: again\ndata: 1\n\n:\n\ndata: 2\n\n'],
    ['fields that mean nothing here', 'id: 7\nretry: 10\nevent: a\ndata: 1\n\nfoo: bar\ndata: 2\n\n'],
  ])('reads events with %s (trap 26)', (_name, text) => {
    expect(read(text)).toEqual({ data: ['1', '2'], names: ['a', undefined] })
  })

  it('joins several data lines with line feeds (trap 26)', () => {
    expect(read('data: {"a":\ndata:  1}\n\n').data).toEqual(['{"a":\n 1}'])
  })

  it('reads the same events with a cut at any byte, also inside characters and line ends (trap 25)', () => {
    const bytes = bytesOf('data: žluť 😀\r\n\r\n: c\r\ndata: 漢\r\n\r\n')
    const expected = ['žluť 😀', '漢']
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(read(bytes.subarray(0, cut), bytes.subarray(cut)).data).toEqual(expected)
    }
    expect(read(...Array.from(bytes, (byte) => Uint8Array.of(byte))).data).toEqual(expected)
  })

  it('emits an event whose last line ends in a CR at once, not with the next chunk', () => {
    const data: string[] = []
    const reader = createSseReader((each) => data.push(each))
    reader.push(bytesOf('data: 1\n\ndata: 2\r\n\r'))
    expect(data).toEqual(['1', '2'])
    reader.push(bytesOf('\ndata: 3\r\r'))
    expect(data).toEqual(['1', '2', '3'])
  })

  it('emits an event at the end of the stream whose blank line is a single CR (trap 26)', () => {
    expect(read('data: 1\r\rdata: 2\r\r').data).toEqual(['1', '2'])
  })

  it('ignores an event without a blank line at its end', () => {
    expect(read('data: 1\n\ndata: {"cut":').data).toEqual(['1'])
    expect(read('data: 1\n\ndata: 2\n').data).toEqual(['1'])
  })

  it('reads the same in chunks of any size as eventsource-parser in one, with any line ends (trap 26)', () => {
    const field = fc.constantFrom('data', 'data', 'data', 'event', 'id', 'retry', 'dat', 'events', '', ':', ' data')
    const separator = fc.constantFrom('', ':', ': ', ':  ', ' : ')
    const value = fc.constantFrom('', '1', '{"a": 1}', '😀', ' ', 'data: 2')
    const end = fc.constantFrom('\n', '\r', '\r\n', '\n\n', '\r\r', '\r\n\r\n')
    const line = fc.tuple(field, separator, value, end).map((pieces) => pieces.join(''))
    const check = (lines: readonly string[], length: number) => {
      const bytes = bytesOf(lines.join(''))
      const starts = Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) => index * length)
      const { data, names } = read(...starts.map((start) => bytes.subarray(start, start + length)))
      const expected: [string, string | undefined][] = []
      createParser({ onEvent: (event) => expected.push([event.data, event.event]) }).feed(lines.join(''))
      expect(data.map((each, index) => [each, names[index]])).toEqual(expected)
    }
    const lengths = fc.integer({ min: 1, max: 30 })
    fc.assert(fc.property(fc.array(line, { maxLength: 12 }), lengths, check), { numRuns: 2000 })
  })

  it('throws for a line without an end instead of filling memory', () => {
    const reader = createSseReader(() => {}, { limit: 100 })
    const push = () => {
      for (let i = 0; i < 20; i++) reader.push(bytesOf('data: never ending'))
    }
    expect(push).toThrow(RangeError)
  })

  it('counts the limit per event, not per stream', () => {
    const data: string[] = []
    const reader = createSseReader((each) => data.push(each), { limit: 100 })
    for (let i = 0; i < 100; i++) reader.push(bytesOf('data: 0123456789\n\n'))
    expect(data).toHaveLength(100)
  })

  it('counts the limit in a chunk of many events from the last of them', () => {
    const data: string[] = []
    const reader = createSseReader((each) => data.push(each), { limit: 100 })
    reader.push(bytesOf('data: 0123456789\n\n'.repeat(50)))
    reader.push(bytesOf('data: 0123456789\n\n'))
    expect(data).toHaveLength(51)
  })
})

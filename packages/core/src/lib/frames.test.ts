import { describe, expect, it } from 'vitest'
import { createFrames, joinBytes } from './frames.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

function cut(...chunks: readonly Uint8Array[]): { frames: string[]; rest: string | undefined } {
  const frames = createFrames()
  const found = chunks.flatMap((chunk) => frames.push(chunk).map(textOf))
  const rest = frames.rest()
  return { frames: found, rest: rest === undefined ? undefined : textOf(rest) }
}

describe('createFrames', () => {
  it.each([
    ['LF', 'data: 1\n\n', 'event: a\ndata: 2\n\n'],
    ['CRLF', 'data: 1\r\n\r\n', 'event: a\r\ndata: 2\r\n\r\n'],
    ['CR', 'data: 1\r\r', 'event: a\rdata: 2\r\r'],
    ['mixed line ends', 'data: 1\r\n\n', 'event: a\ndata: 2\n\r\n'],
  ])('cuts after every blank line with %s', (_name, first, second) => {
    const more = 'data: 3'
    expect(cut(bytesOf(first + second + more))).toEqual({ frames: [first, second], rest: more })
  })

  it('returns every byte in order, for any chunks', () => {
    const text = 'data: é\r\n\r\n: c\n\ndata: 2\r\rrest'
    const bytes = bytesOf(text)
    for (let at = 0; at <= bytes.length; at++) {
      const { frames, rest } = cut(bytes.subarray(0, at), bytes.subarray(at))
      expect(frames).toEqual(['data: é\r\n\r\n', ': c\n\n', 'data: 2\r\r'])
      expect(frames.join('') + rest).toBe(text)
    }
  })

  it('waits after a CR for its possible LF', () => {
    const frames = createFrames()
    expect(frames.push(bytesOf('data: 1\r\n\r'))).toEqual([])
    expect(frames.push(bytesOf('\ndata')).map(textOf)).toEqual(['data: 1\r\n\r\n'])
  })

  it('cuts the same for single bytes, and between a CR and its LF', () => {
    const text = '\r\ndata: é\r\n\r\n\n: c\n\r\ndata: 2\r\r\ndata: 3\r\rrest\r'
    const whole = cut(bytesOf(text))
    expect(whole.frames).toEqual(['\r\n', 'data: é\r\n\r\n', '\n', ': c\n\r\n', 'data: 2\r\r\n', 'data: 3\r\r'])
    expect(cut(...[...bytesOf(text)].map((byte) => Uint8Array.of(byte)))).toEqual(whole)
  })

  it('refuses a frame without an end', () => {
    const frames = createFrames(100)
    frames.push(bytesOf('x'.repeat(100)))
    expect(() => frames.push(bytesOf('x'))).toThrow(RangeError)
  })

  it('returns views of the chunk itself if nothing was buffered', () => {
    const chunk = bytesOf('data: 1\n\n')
    const [frame] = createFrames().push(chunk)
    expect(frame?.buffer).toBe(chunk.buffer)
  })
})

describe('joinBytes', () => {
  it('joins pieces, and returns a single piece unchanged', () => {
    const only = bytesOf('a')
    expect(joinBytes([only])).toBe(only)
    expect(textOf(joinBytes([only, bytesOf('bc'), bytesOf('')]))).toBe('abc')
    expect(joinBytes([])).toHaveLength(0)
  })
})

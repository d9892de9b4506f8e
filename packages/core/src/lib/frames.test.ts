import { describe, expect, it } from 'vitest'
import { createFrames, joinBytes } from './frames.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

function cut(...chunks: readonly Uint8Array[]): { frames: string[]; rest: string | undefined } {
  const frames = createFrames()
  const found = chunks.flatMap((chunk) => frames.push(chunk).map(textOf))
  return { frames: found, rest: frames.rest === undefined ? undefined : textOf(frames.rest) }
}

describe('createFrames', () => {
  it.each([
    ['LF', 'data: 1\n\n', 'event: a\ndata: 2\n\n'],
    ['CRLF', 'data: 1\r\n\r\n', 'event: a\r\ndata: 2\r\n\r\n'],
    ['CR', 'data: 1\r\r', 'event: a\rdata: 2\r\r'],
    ['mixed line ends', 'data: 1\r\n\n', 'event: a\ndata: 2\n\r\n'],
  ])('cuts behind every blank line with %s', (_name, first, second) => {
    const more = 'data: 3'
    expect(cut(bytesOf(first + second + more))).toEqual({ frames: [first, second], rest: more })
  })

  it('gives back every byte in order, wherever the chunks are cut', () => {
    const text = 'data: é\r\n\r\n: c\n\ndata: 2\r\rrest'
    const bytes = bytesOf(text)
    for (let at = 0; at <= bytes.length; at++) {
      const { frames, rest } = cut(bytes.subarray(0, at), bytes.subarray(at))
      expect(frames).toEqual(['data: é\r\n\r\n', ': c\n\n', 'data: 2\r\r'])
      expect(frames.join('') + rest).toBe(text)
    }
  })

  it('waits behind a CR for the LF that may belong to it', () => {
    const frames = createFrames()
    expect(frames.push(bytesOf('data: 1\r\n\r'))).toEqual([])
    expect(frames.push(bytesOf('\ndata')).map(textOf)).toEqual(['data: 1\r\n\r\n'])
  })

  it('hands on views of the chunk itself when nothing was waiting', () => {
    const chunk = bytesOf('data: 1\n\n')
    const [frame] = createFrames().push(chunk)
    expect(frame?.buffer).toBe(chunk.buffer)
  })
})

describe('joinBytes', () => {
  it('joins, and gives a single piece back as it is', () => {
    const only = bytesOf('a')
    expect(joinBytes([only])).toBe(only)
    expect(textOf(joinBytes([only, bytesOf('bc'), bytesOf('')]))).toBe('abc')
    expect(joinBytes([])).toHaveLength(0)
  })
})

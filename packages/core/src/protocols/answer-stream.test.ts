import { describe, expect, it } from 'vitest'
import { chat } from './chat/index.ts'
import { genai } from './genai/index.ts'
import { messages } from './messages/index.ts'
import type { Protocol } from './protocol.ts'
import { translateStream } from './translate.ts'

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

import { protocols } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import { fakeProvider } from './scripted.ts'
import { setUp, SSE } from './set-up.ts'

const HEADERS = {
  authorization: 'Bearer secret',
  'content-type': 'application/json',
  'anthropic-version': '2023-06-01',
}

/** A call of each protocol, and the lines of the first frame of its answer. */
const CALLS = [
  {
    protocol: 'chat',
    path: '/api/v1/chat/completions',
    body: '{"model":"acme/m","stream":true,"messages":[{"role":"user","content":"Hi"}]}',
    first: ['data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hi"}}]}'],
  },
  {
    protocol: 'messages',
    path: '/api/anthropic/v1/messages',
    body: '{"model":"acme/m","stream":true,"max_tokens":9,"messages":[{"role":"user","content":"Hi"}]}',
    first: ['event: ping', 'data: {"type":"ping"}'],
  },
  {
    protocol: 'genai',
    path: '/api/vertex-ai/v1/publishers/acme/models/m:streamGenerateContent?alt=sse',
    body: '{"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}',
    first: ['data: {"candidates":[{"content":{"role":"model","parts":[{"text":"Hi"}]},"index":0}]}'],
  },
]

describe.each(CALLS)(
  'frames that the gateway adds to a relayed stream of $protocol',
  ({ protocol, path, body, first }) => {
    it.each([
      ['CRLF', '\r\n'],
      ['LF', '\n'],
      ['CR', '\r'],
    ])('end their lines as the stream does: %s (trap 70)', async (_name, lineEnd) => {
      const { send, transport, clock } = setUp({ protocols, providers: [fakeProvider('acme', [protocol])] })
      const reply = await send(body, path, HEADERS)
      transport.last.head(200, SSE)
      const frame = [...first, '', ''].join(lineEnd)
      // Twice, because a CR at the end of a chunk may be half of a CRLF.
      transport.last.chunk(frame + frame)
      const relayed = reply.text.length
      clock.advance(30_000)
      const alive = reply.text.length
      expect(alive).toBeGreaterThan(relayed)
      transport.last.fail('reset')
      const added = reply.text.slice(alive)
      expect(reply.headers['x-dragoman-path']).toBe('relay')
      expect(added).toContain('"error"')
      expect(added.endsWith(lineEnd + lineEnd)).toBe(true)
      expect(reply.text.replaceAll(lineEnd, '')).not.toMatch(/[\r\n]/)
    })
  },
)

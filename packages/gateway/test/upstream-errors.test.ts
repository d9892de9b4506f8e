import { protocols } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import { fakeProvider } from './scripted.ts'
import { setUp, SSE } from './set-up.ts'

const HEADERS = {
  authorization: 'Bearer secret',
  'content-type': 'application/json',
  'anthropic-version': '2023-06-01',
}
const PATH_OF = { chat: '/api/v1/chat/completions', messages: '/api/anthropic/v1/messages' } as const
const BEGUN = 'data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n'

/** OpenRouter and others send an error with the status of a success, and put its own status into its body. */
const errorOf = (code: number): string => JSON.stringify({ error: { message: 'said upstream', code } })

async function ask(from: keyof typeof PATH_OF, stream: boolean) {
  const { send, transport, log } = setUp({ protocols, providers: [fakeProvider('acme', ['chat'])] })
  const body = { model: 'acme/m', max_tokens: 9, stream, messages: [{ role: 'user', content: 'Hi' }] }
  const reply = await send(JSON.stringify(body), PATH_OF[from], HEADERS)
  return { reply, log, upstream: transport.last }
}

describe.each(['chat', 'messages'] as const)('an error with the status 200, from chat to %s', (from) => {
  const OUTCOMES = [
    [400, 400, true],
    [401, 502, false],
    [402, 502, false],
    [403, 502, false],
    [429, 429, true],
    [500, 500, true],
    [503, 503, true],
    [529, 529, true],
  ] as const

  it.each(OUTCOMES)('that is a %i is a %i instead of an answer', async (code, status, isShown) => {
    const { reply, log, upstream } = await ask(from, false)
    upstream.head(200)
    upstream.chunk(errorOf(code))
    upstream.end()
    expect(reply.status).toBe(status)
    expect(reply.text.includes('said upstream')).toBe(isShown)
    expect(log.entries[0]?.error?.cause instanceof Error).toBe(!isShown)
  })

  it.each(OUTCOMES)('that is a %i is a %i before the first byte of a stream', async (code, status, isShown) => {
    const { reply, upstream } = await ask(from, true)
    upstream.head(200, SSE)
    upstream.chunk(`data: ${errorOf(code)}\n\n`)
    expect(reply).toMatchObject({ status, state: 'whole' })
    expect(reply.text.includes('said upstream')).toBe(isShown)
  })
})

it.each(['chat', 'messages'] as const)(
  'a refusal of the gateway in the middle of a stream does not repeat the upstream: to %s',
  async (from) => {
    const { reply, log, upstream } = await ask(from, true)
    upstream.head(200, SSE)
    upstream.chunk(BEGUN)
    upstream.chunk(`data: ${errorOf(401)}\n\n`)
    expect(reply).toMatchObject({ state: 'cut', text: expect.stringContaining('"error"') as unknown })
    expect(reply.text).not.toContain('said upstream')
    expect(log.entries[0]?.error?.cause).toMatchObject({ message: 'said upstream' })
  },
)

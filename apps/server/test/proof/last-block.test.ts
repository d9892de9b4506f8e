import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type ServerProcess } from '../process.ts'

// As Gemini 3 answers: the signature of a text comes after it, in an empty part.
const SIGNED = { text: '', thoughtSignature: 'c2lnMQ==' }
const ENDED = { finishReason: 'STOP', index: 0 }
const answerOf = (parts: object[], more: object = {}) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
})
const CHUNKS = [answerOf([{ text: 'It is ' }]), answerOf([{ text: 'violet.' }]), answerOf([SIGNED], ENDED)]
const WHOLE = answerOf([{ text: 'It is violet.' }, SIGNED], ENDED)

interface Body {
  readonly contents: readonly { readonly role: string; readonly parts: readonly object[] }[]
}

let server: ServerProcess
let upstream: Server
const received: Body[] = []
beforeAll(async () => {
  upstream = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece))
    request.on('end', () => {
      received.push(JSON.parse(text) as Body) // the gateway wrote it
      const streams = request.url?.includes('streamGenerateContent') === true
      response.setHeader('content-type', streams ? 'text/event-stream' : 'application/json')
      response.end(
        streams ? CHUNKS.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join('') : JSON.stringify(WHOLE),
      )
    })
  })
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  const { port } = upstream.address() as AddressInfo // of a listening server
  server = await startServer({
    DRAGOMAN_LOG: 'silent',
    GEMINI_BASE_URL: `http://127.0.0.1:${port}`,
    GEMINI_API_KEY: 'sk-genai',
  })
})
afterAll(async () => {
  upstream.close()
  await server.stop()
})

const ASKED = { model: 'google/gemini-3.5-flash', max_tokens: 4000 }
const hello = { role: 'user', content: 'What color is it?' } as const
const client = () =>
  new Anthropic({ baseURL: `${server.url}/api/anthropic`, apiKey: server.key, maxRetries: 0 }).messages

describe('the Anthropic SDK and an answer that ends in a signature', () => {
  it('gets the text as the last block, and the signature returns to Google (trap 5) [tr.signatures]', async () => {
    const answer = await client().create({ ...ASKED, messages: [hello] })
    expect(answer.content.at(-1)).toMatchObject({ type: 'text', text: 'It is violet.' })
    const turn = { role: 'assistant', content: answer.content } as const
    await client().create({ ...ASKED, messages: [hello, turn, { role: 'user', content: 'Sure?' }] })
    expect(received.at(-1)?.contents[1]).toEqual({
      role: 'model',
      parts: [{ text: 'It is violet.', thoughtSignature: 'c2lnMQ==' }],
    })
  })

  it('gets the text as the last block of a stream, and goes on', async () => {
    const { content } = await client()
      .stream({ ...ASKED, messages: [hello] })
      .finalMessage()
    expect(content.at(-1)).toMatchObject({ type: 'text', text: 'It is violet.' })
    const next = { role: 'user', content: 'Sure?' } as const
    const messages = [hello, { role: 'assistant' as const, content }, next]
    expect(
      await client()
        .stream({ ...ASKED, messages })
        .finalText(),
    ).toBe('It is violet.')
    expect(received.at(-1)?.contents[1]).toEqual({ role: 'model', parts: [{ text: 'It is violet.' }] })
  })
})

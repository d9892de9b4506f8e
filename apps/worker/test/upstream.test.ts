import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brokenText } from '@dragoman/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorker } from './workerd.ts'

const KEY = 'sk-worker-test-0123456789'
const chunk = (choice: object): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [choice] })}\n\n`
const FRAMES = [
  chunk({ index: 0, delta: { role: 'assistant', content: 'o' }, finish_reason: null }),
  chunk({ index: 0, delta: { content: 'k' }, finish_reason: 'stop' }),
  'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4}}\n\n',
  'data: [DONE]\n\n',
]

describe.each(['exact', 'untouched'])('the worker in front of a real upstream, relayed streams %s', (streams) => {
  let answer: (response: ServerResponse, body: string) => void
  let worker: Awaited<ReturnType<typeof startWorker>>
  const upstream = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => answer(response, body))
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    const { port } = upstream.address() as AddressInfo // it listens on TCP
    worker = await startWorker({
      DRAGOMAN_KEYS: KEY,
      DRAGOMAN_RELAYED_STREAMS: streams,
      DRAGOMAN_COMPATIBLE: 'house',
      DRAGOMAN_HOUSE_BASE_URL: `http://127.0.0.1:${port}/v1`,
      DRAGOMAN_HOUSE_API_KEY: 'sk-upstream',
      DRAGOMAN_HOUSE_MODELS: 'm',
    })
  })
  afterAll(async () => {
    await worker.stop()
    upstream.closeAllConnections()
    upstream.close()
  })
  const ask = (members: object, init: RequestInit = {}): Promise<Response> =>
    fetch(`${worker.url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'house/m', messages: [{ role: 'user', content: 'hi' }], ...members }),
      ...init,
    })
  const streamed = (response: ServerResponse): ServerResponse =>
    response.writeHead(200, { 'content-type': 'text/event-stream' })

  /** Only an untouched stream keeps the upstream's model. */
  const named = (text: string): string => text.replaceAll('"model":"m"', '"model":"house/m"')

  it('forwards the bytes of a stream, with the requested model unless it is untouched (trap 46)', async () => {
    answer = (response) => streamed(response).end(FRAMES.join(''))
    const response = await ask({ stream: true, stream_options: { include_usage: true } })
    expect(response.headers.get('x-dragoman-path')).toBe('relay')
    expect(await response.text()).toBe(streams === 'exact' ? named(FRAMES.join('')) : FRAMES.join(''))
  })

  it('removes usage that the client did not request', async () => {
    let sent = ''
    answer = (response, body) => {
      sent = body
      streamed(response).end(FRAMES.join(''))
    }
    const response = await ask({ stream: true })
    expect(await response.text()).toBe(named([...FRAMES.slice(0, 2), ...FRAMES.slice(3)].join('')))
    expect(JSON.parse(sent)).toMatchObject({ model: 'm', stream_options: { include_usage: true } })
  })

  it('[err.abort] stops the upstream when the client disconnects', async () => {
    const closed = Promise.withResolvers<void>()
    answer = (response) => {
      // The runtime notices the disconnect only at a write, so the upstream continues to send.
      const sending = setInterval(() => response.write(FRAMES[0]), 20)
      response.on('close', () => {
        clearInterval(sending)
        closed.resolve()
      })
      streamed(response).flushHeaders()
    }
    const aborter = new AbortController()
    const response = await ask({ stream: true, stream_options: { include_usage: true } }, { signal: aborter.signal })
    await response.body?.getReader().read()
    aborter.abort()
    await closed.promise
  })

  it('does not end a truncated stream as if it were complete (trap 74)', async () => {
    answer = (response) => streamed(response).write(FRAMES[0] ?? '', () => response.destroy())
    const response = await ask({ stream: true, stream_options: { include_usage: true } })
    const text = await brokenText(response)
    expect(text).toMatch(streams === 'exact' ? /\n\ndata: \{"error":.*\n\n$/ : /^data: .*\n\n$/)
  })
})

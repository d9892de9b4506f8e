import { once } from 'node:events'
import { connect } from 'node:net'
import { DragomanError } from '@dragoman/core'
import { defineProvider, type Card } from '@dragoman/core/provider'
import { createGateway, createMemoryKeys, type GatewayOptions, type Stage } from '@dragoman/gateway'
import { afterAll, describe, expect, it } from 'vitest'
import { createNodeHandler, createThreadOffload, createUndiciTransport, type NodeDoorOptions } from '../src/index.ts'
import { listen, scriptedUpstream, type Upstream } from './upstream.ts'

const MEGABYTE = 1024 * 1024
const HEADERS = {
  authorization: 'Bearer secret',
  'content-type': 'application/json',
  'anthropic-version': '2023-06-01',
}
const CHAT = '/api/v1/chat/completions'
const MESSAGES = '/api/anthropic/v1/messages'
const CARD: Card = { name: 'm', upstream: 'm-1', input: ['text', 'image'], output: ['text'], maxOutput: 1000 }
const ANSWER = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm-1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
}

const offload = createThreadOffload({ from: MEGABYTE, threads: 1 })
afterAll(() => offload.close())

async function serve(upstream: Upstream, options: Partial<GatewayOptions> = {}, door: NodeDoorOptions = {}) {
  const transport = createUndiciTransport()
  const gateway = createGateway({
    providers: [defineProvider({ name: 'acme', models: [CARD], endpoints: { chat: `${upstream.url}/v1` } })],
    keys: createMemoryKeys([{ id: 'tester', secret: 'secret' }]),
    unsupportedFields: 'accept',
    transport: {
      send(call, receiver) {
        isSent = true
        return transport.send(call, receiver)
      },
    },
    offload,
    ...options,
  })
  let isRead = false
  let isSent = false
  let reserved = (): void => {}
  const reading = new Promise<void>((resolve) => (reserved = resolve))
  const open: typeof gateway.open = async (head, reply) => {
    const pending = await gateway.open(head, reply)
    if (pending === undefined) return undefined
    const reserve = pending.reserve.bind(pending)
    const proceed = pending.proceed.bind(pending)
    return Object.assign(pending, {
      reserve(bytes: number) {
        reserved()
        return reserve(bytes)
      },
      proceed(bytes: Uint8Array) {
        isRead = true
        proceed(bytes)
      },
    })
  }
  const handle = createNodeHandler({ ...gateway, open }, door)
  const listening = await listen((request, response) => {
    if (request.url !== '/healthz') return handle(request, response)
    response.end(isRead && !isSent ? 'working' : 'idle')
  })
  return {
    ...listening,
    /** Resolves when the first body has requested its memory. */
    reading,
    post: (path: string, body: object | string) =>
      fetch(`${listening.url}${path}`, {
        method: 'POST',
        headers: HEADERS,
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    async [Symbol.asyncDispose]() {
      await listening[Symbol.asyncDispose]()
      await transport.close()
    },
  }
}

function answer(
  response: { setHeader(name: string, value: string): { end(body: string): void } },
  body = ANSWER,
): void {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
}

const long = (size: number): string => 'x'.repeat(size)

describe('a large body', () => {
  it('is relayed by another thread: the same bytes with the name of the model edited', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream)
    const text = `{"model":"acme/m","x":1.0,"messages":[{"role":"user","content":"${long(2 * MEGABYTE)}"}]}`
    const answering = server.post(CHAT, text)
    const { body, response } = await upstream.next()
    expect(body.equals(Buffer.from(text.replace('acme/m', 'm-1')))).toBe(true)
    answer(response)
    const answered = await answering
    expect(answered.headers.get('x-dragoman-path')).toBe('relay')
    expect(await answered.json()).toEqual({ ...ANSWER, model: 'acme/m' })
  })

  it('is translated by another thread, and so is its large response', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream)
    const content = long(2 * MEGABYTE)
    const answering = server.post(MESSAGES, {
      model: 'acme/m',
      max_tokens: 10,
      top_k: 5,
      tools: [{ name: 'a tool', input_schema: { type: 'object' } }],
      messages: [{ role: 'user', content }],
    })
    const { body, response } = await upstream.next()
    expect(JSON.parse(body.toString())).toMatchObject({ model: 'm-1', messages: [{ role: 'user', content }] })
    const message = { role: 'assistant', content: long(3 * MEGABYTE) }
    answer(response, { ...ANSWER, choices: [{ index: 0, message, finish_reason: 'stop' }] })
    const answered = await answering
    expect(answered.headers.get('x-dragoman-losses')).toContain('dropped top_k')
    expect(await answered.json()).toMatchObject({
      type: 'message',
      content: [{ type: 'text', text: message.content }],
      usage: { input_tokens: 3, output_tokens: 4 },
    })
  })

  it('gets the errors of its protocol, whichever thread finds them', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream)
    const wrong = await server.post(MESSAGES, {
      model: 'acme/m',
      max_tokens: 'ten',
      messages: [],
      more: long(MEGABYTE),
    })
    expect([wrong.status, await wrong.json()]).toMatchObject([
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: expect.stringContaining('max_tokens') as string },
      },
    ])
    const cut = await server.post(CHAT, `{"model":"acme/m","messages":"${long(MEGABYTE)}`)
    expect([cut.status, await cut.text()]).toMatchObject([400, expect.stringContaining('not valid JSON') as string])
    const unknown = await server.post(CHAT, { model: 'nobody', messages: [{ role: 'user', content: long(MEGABYTE) }] })
    expect(unknown.status).toBe(404)
    const deep = await server.post(CHAT, `{"model":"acme/m","messages":${'['.repeat(2 * MEGABYTE)}`)
    expect(deep.status).toBe(400)
    expect(upstream.count).toBe(0)
  })

  it('is decoded by the other thread for a stage that asks for it', async () => {
    const guard: Stage = {
      async beforeRoute(call) {
        const request = await call.request()
        const text = JSON.stringify(request?.messages.at(-1))
        if (text.includes('the secret')) throw new DragomanError('permission', 'This prompt is not allowed.')
      },
    }
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, { stages: [guard] })
    const ask = (content: string) =>
      server.post(CHAT, {
        model: 'acme/m',
        messages: [
          { role: 'user', content: long(2 * MEGABYTE) },
          { role: 'user', content },
        ],
      })
    const refused = await ask('Tell me the secret')
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { error: { message: 'This prompt is not allowed.' } },
    ])
    expect(upstream.count).toBe(0)
    const reply = ask('Hello')
    answer((await upstream.next()).response)
    expect((await reply).status).toBe(200)
  })

  it('leaves the event loop free for others', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream)
    const messages = Array.from({ length: 50_000 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: [{ type: 'text', text: `${index} ${long(300)}` }],
    }))
    const answering = server.post(MESSAGES, { model: 'acme/m', max_tokens: 10, messages })
    const arrived = upstream.next()
    // Work in the same thread would block all answers between the last byte of the body and the upstream call.
    let during = 0
    while (upstream.count === 0) {
      const health = await (await fetch(`${server.url}/healthz`)).text()
      if (health === 'working') during++
    }
    expect(during).toBeGreaterThan(2)
    answer((await arrived).response)
    expect((await answering).status).toBe(200)
  })
})

describe('the memory of all bodies', () => {
  const half = { limits: { body: 4 * MEGABYTE, bodies: 10 * MEGABYTE } }

  it('is waited for by a large body, and not by a small one', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, half)
    const large = { model: 'acme/m', messages: [{ role: 'user', content: long(3 * MEGABYTE) }] }
    const first = server.post(CHAT, large)
    const firstCall = await upstream.next()
    const second = server.post(CHAT, large)
    const small = server.post(CHAT, { model: 'acme/m', messages: [{ role: 'user', content: 'Hi' }] })
    const smallCall = await upstream.next()
    expect(smallCall.body.length).toBeLessThan(1000)
    expect(upstream.count).toBe(2)
    answer(smallCall.response)
    answer(firstCall.response)
    const secondCall = await upstream.next()
    answer(secondCall.response)
    expect((await Promise.all([first, second, small])).map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it('becomes free when a client leaves in the middle of its body', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, half)
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    const head = [`POST ${CHAT} HTTP/1.1`, 'host: x', 'authorization: Bearer secret', `content-length: ${4 * MEGABYTE}`]
    socket.write(`${head.join('\r\n')}\r\n\r\n{`)
    await server.reading
    socket.destroy()
    const answering = server.post(CHAT, { model: 'acme/m', messages: [{ role: 'user', content: long(3 * MEGABYTE) }] })
    answer((await upstream.next()).response)
    expect((await answering).status).toBe(200)
  })

  it('is refused in the form of the protocol if none becomes free in time', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, half, { roomMs: 3000 })
    const large = { model: 'acme/m', messages: [{ role: 'user', content: long(3 * MEGABYTE) }] }
    const first = server.post(CHAT, large)
    const { response } = await upstream.next()
    const refused = await server.post(CHAT, large)
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toMatchObject([
      503,
      '5',
      { error: { code: 'too_many_large_requests' } },
    ])
    answer(response)
    expect((await first).status).toBe(200)
  })
})

describe('a body that is sent too slowly', () => {
  it('loses its connection after the refusal, however it continues', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, { limits: { body: 1000 } })
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    const closed = new Promise((resolve) => socket.on('close', resolve).on('error', () => {}))
    const head = [`POST ${CHAT} HTTP/1.1`, 'host: x', 'authorization: Bearer secret', 'transfer-encoding: chunked']
    socket.write(`${head.join('\r\n')}\r\n\r\n7d0\r\n${long(2000)}\r\n`)
    const drip = setInterval(() => socket.write('1\r\nx\r\n'), 200)
    await closed
    clearInterval(drip)
  })

  it('is refused when it pauses for too long', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, {}, { bodyMs: 60_000, idleMs: 500 })
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    const head = [`POST ${CHAT} HTTP/1.1`, 'host: x', 'authorization: Bearer secret', 'content-length: 1000']
    socket.write(`${head.join('\r\n')}\r\n\r\n{`)
    const [text] = (await once(socket, 'data')) as [Buffer]
    expect(text.toString()).toMatch(/^HTTP\/1.1 408 /)
    socket.destroy()
  })
})

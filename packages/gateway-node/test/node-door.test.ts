import { Agent, createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import zlib from 'node:zlib'
import {
  createGateway,
  createMemoryKeys,
  createMemoryLedger,
  type Gateway,
  type GatewayOptions,
  type StageCall,
} from '@dragoman/gateway'
import { defineProvider } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import { card, fakeProtocol, parse } from '@dragoman/gateway/testing'
import { createNodeHandler, createUndiciTransport } from '../src/index.ts'
import { brokenText, listen, pump, scriptedUpstream, settled, type Upstream } from './upstream.ts'

const KEY = { authorization: 'Bearer secret', 'content-type': 'application/json' }
/** No header may have a line end. */
const addLine = (call: StageCall): void => call.addHeaders({ 'x-line': 'a\nb' })
const STREAM = { method: 'POST', headers: KEY, body: '{"model":"acme/m","stream":true}' }

async function serve(upstream: Upstream, options: Partial<GatewayOptions> = {}) {
  const protocols = [fakeProtocol('red', '/red')]
  const ledger = createMemoryLedger()
  const transport = createUndiciTransport()
  const gateway = createGateway({
    usageMs: 50,
    providers: [defineProvider({ name: 'acme', models: [card('m')], endpoints: { red: upstream.url }, protocols })],
    protocols,
    keys: createMemoryKeys([{ id: 'tester', secret: 'secret' }]),
    transport,
    ledger,
    ...options,
  })
  const listening = await listen(createNodeHandler(gateway))
  return {
    gateway,
    ledger,
    url: `${listening.url}/red/gen`,
    async [Symbol.asyncDispose]() {
      await listening[Symbol.asyncDispose]()
      await transport.close()
    },
  }
}

describe('node door', () => {
  it('answers without streaming, with a length, and the upstream received the request', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream)
    const answering = fetch(server.url, { method: 'POST', headers: KEY, body: '{"model":"acme/m","ü":1.0}' })
    const { request, body, response } = await upstream.next()
    expect(request.url).toBe('/gen/m')
    expect(request.headers['accept-encoding']).toBe('identity')
    expect(request.headers.authorization).toBeUndefined()
    expect(body.toString()).toBe('{"model":"m","ü":1.0}')
    response.setHeader('content-type', 'application/json').end('{"a":1.0}')
    const answer = await answering
    expect(answer.headers.get('content-length')).toBe('9')
    expect(await answer.text()).toBe('{"a":1.0}')
  })
  it.each([STREAM, { ...STREAM, body: '{"model":"acme/m"}' }])(
    'answers with an error if a stage adds a header that HTTP does not allow: $body',
    async (call) => {
      await using upstream = await scriptedUpstream()
      const stages = [{ beforeCall: addLine }]
      await using server = await serve(upstream, { stages })
      const answering = fetch(server.url, call)
      const { response } = await upstream.next()
      const isStream = call === STREAM
      response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json')
      response.end(isStream ? 'data: end\n\n' : '{}')
      const answer = await answering
      expect(answer.status).toBe(500)
      expect(await answer.json()).toMatchObject({ red: { kind: 'internal' } })
      expect(server.ledger.records).toHaveLength(1)
    },
  )
  it('hands over a form as the bytes that came', async () => {
    /** Answers with the received body. */
    const echo: Gateway = {
      open: (head, reply) =>
        Promise.resolve({
          takes: 'multipart',
          limit: 10_000,
          reserve: () => true,
          onRoom: undefined,
          proceed: (bytes) => reply.whole(200, { 'content-type': head.header('content-type') ?? '' }, bytes),
          refuse: (why) => reply.whole(400, {}, why),
        }),
      refuse() {},
      close: () => Promise.resolve(0),
      calls: () => 0,
      breakers: () => [],
    }
    await using server = await listen(createNodeHandler(echo))
    const form = new FormData()
    form.set('file', new File([Uint8Array.of(0, 255, 13, 10, 45)], 'image.png'))
    const file = (await (await fetch(server.url, { method: 'POST', body: form })).formData()).get('file')
    expect(file instanceof File && [...new Uint8Array(await file.arrayBuffer())]).toEqual([0, 255, 13, 10, 45])
  })
  it.each([
    ['gzip', zlib.gzipSync],
    ['deflate', zlib.deflateSync],
    ['br', zlib.brotliCompressSync],
    ['zstd', zlib.zstdCompressSync],
  ])(
    'unpacks a body in %s, and refuses one that unpacks beyond the limit or not at all',
    async (encoding, compress) => {
      await using upstream = await scriptedUpstream()
      await using server = await serve(upstream, { limits: { body: 10_000 } })
      const pack = (text: string) => new Uint8Array(compress(text))
      const send = (body: BodyInit) =>
        fetch(server.url, { method: 'POST', headers: { ...KEY, 'content-encoding': encoding }, body })
      const answering = send(pack('{"model":"acme/m"}'))
      const { request, body, response } = await upstream.next()
      expect(body.toString()).toBe('{"model":"m"}')
      expect(request.headers['content-encoding']).toBeUndefined()
      response.end('{}')
      expect((await answering).status).toBe(200)
      expect((await send(pack(' '.repeat(20_000_000)))).status).toBe(413)
      expect((await send('nothing packed')).status).toBe(400)
      expect((await send(pack('{"model":"acme/m"}').subarray(0, -4))).status).toBe(400)
    },
  )
  it('refuses an encoding that it does not know', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream)
    for (const encoding of ['lzma', 'gzip, br', 'constructor']) {
      const headers = { ...KEY, 'content-encoding': encoding }
      expect((await fetch(server.url, { ...STREAM, headers })).status).toBe(415)
    }
  })
  it('keeps a connection that left a body unread', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, { limits: { body: 1000 } })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ports = new Set<number | undefined>()
    const statuses: (number | undefined)[] = []
    for (const headers of [{}, KEY, { ...KEY, 'content-encoding': 'lzma' }, {}]) {
      const request = httpRequest(server.url, { method: 'POST', agent, headers })
      request.end('x'.repeat(500_000))
      const answer = await new Promise<IncomingMessage>((resolve) => request.on('response', resolve))
      ports.add(request.socket?.localPort)
      statuses.push(answer.statusCode)
      await new Promise((resolve) => answer.resume().on('end', resolve))
    }
    expect(statuses).toEqual([401, 413, 415, 401])
    expect(ports.size).toBe(1)
    agent.destroy()
  })
  it('refuses an oversized body, by its length and without one', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, { limits: { body: 1000 } })
    const body = JSON.stringify({ model: 'acme/m', text: 'x'.repeat(100_000) })
    const answer = await fetch(server.url, { method: 'POST', headers: KEY, body })
    expect(answer.status).toBe(413)
    expect(parse(await answer.text())).toMatchObject({ red: { kind: 'too-large' } })
    let sent = 0
    const chunked = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new Uint8Array(600))
        if (++sent === 4) controller.close()
      },
    })
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers: KEY, body: chunked, duplex: 'half' }
    expect((await fetch(server.url, init)).status).toBe(413)
    expect(upstream.count).toBe(0)
  })
  it('answers a wrong key before the body has arrived', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream)
    const request = httpRequest(server.url, { method: 'POST', headers: { 'content-length': 1_000_000 } })
    request.flushHeaders()
    const answer = await new Promise<IncomingMessage>((resolve) => request.on('response', resolve))
    expect(answer.statusCode).toBe(401)
    request.destroy()
  })
  it('forwards a stream piece by piece', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream)
    const answering = fetch(server.url, STREAM)
    const { response } = await upstream.next()
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
    const reader = (await answering).body?.getReader()
    const read = async () => Buffer.from((await reader?.read())?.value ?? []).toString()
    expect(await read()).toBe('data: 1\n\n')
    response.end('data: end\n\n')
    expect(await read()).toBe('data: end\n\n')
    expect(await reader?.read()).toMatchObject({ done: true })
  })
  it('cancels the upstream call when the client disconnects', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream)
    const aborter = new AbortController()
    const answering = fetch(server.url, { ...STREAM, signal: aborter.signal })
    const { response, gone } = await upstream.next()
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
    await answering
    aborter.abort()
    await gone
    expect(server.ledger.records).toMatchObject([{ outcome: 'aborted' }])
  })
  it('cancels a call without a response when the client disconnects', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream)
    const aborter = new AbortController()
    const answering = fetch(server.url, { ...STREAM, signal: aborter.signal })
    const { gone } = await upstream.next()
    aborter.abort()
    await expect(answering).rejects.toThrow('aborted')
    await gone
  })
  it('writes the error of a stream that is cut', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream)
    const answering = fetch(server.url, STREAM)
    const { response } = await upstream.next()
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n', () => response.destroy())
    expect(await brokenText(await answering)).toBe('data: 1\n\ndata: {"error":"interrupted"}\n\n')
    expect(server.ledger.records).toMatchObject([{ outcome: 'interrupted' }])
  })
  it('holds a fast upstream back for a slow client', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream)
    const client = httpRequest(server.url, { method: 'POST', headers: KEY })
    client.end(STREAM.body)
    const answer = new Promise<IncomingMessage>((resolve) => client.on('response', resolve))
    const { response } = await upstream.next()
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
    const slow = await answer
    const block = Buffer.from(`data: ${'x'.repeat(65_536)}\n\n`)
    const progress = pump(response, block, 1000)
    await settled(progress, async () => {
      const other = fetch(server.url, { method: 'POST', headers: KEY, body: '{"model":"acme/m"}' })
      ;(await upstream.next()).response.end('{}')
      await (await other).text()
    })
    expect(progress.written).toBeLessThan(500)
    let size = 0
    slow.on('data', (chunk: Buffer) => (size += chunk.length))
    await new Promise((resolve) => slow.on('end', resolve))
    expect(size).toBe('data: 1\n\ndata: end\n\n'.length + 1000 * block.length)
  })
  it('keeps serving a connection after an error', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream)
    for (const body of ['{', '{}', '{']) {
      expect((await fetch(server.url, { method: 'POST', headers: KEY, body })).status).toBe(400)
    }
  })
})

it('reports a body that other code has read before the gateway', async () => {
  await using upstream = await scriptedUpstream()
  const gateway = createGateway({
    usageMs: 50,
    providers: [],
    protocols: [fakeProtocol('red', '/red')],
    keys: createMemoryKeys([{ id: 'tester', secret: 'secret' }]),
    transport: createUndiciTransport(),
  })
  const handler = createNodeHandler(gateway)
  const server = createServer((request, response) => {
    request.resume().on('end', () => handler(request, response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const answer = await fetch(`http://127.0.0.1:${port}/red/gen`, STREAM)
  expect(answer.status).toBe(400)
  server.close()
  expect(upstream.count).toBe(0)
})

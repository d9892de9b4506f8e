import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import zlib from 'node:zlib'
import type { Call, Deadlines, Failure, Flow, Receiver } from '@dragoman/core/provider'
import { afterAll, describe, expect, it } from 'vitest'
import { createUndiciTransport } from '../src/index.ts'
import { pump, scriptedUpstream, settled } from './upstream.ts'

const MEGABYTE = 1024 * 1024
const LONG: Deadlines = { connect: 60_000, head: 60_000, idle: 60_000, total: 60_000 }
const transport = createUndiciTransport({ unpackLimit: 1_000_000 })
afterAll(() => transport.close())

interface Got {
  readonly flow: Flow
  status: number
  header: (name: string) => string | undefined
  text: string
  /** Resolves with the next chunk. */
  chunk(): Promise<string>
  readonly head: Promise<void>
  readonly over: Promise<'end' | Failure>
  calls: number
}

function send(url: string, more: Partial<Call> = {}, through = transport): Got {
  const head = Promise.withResolvers<void>()
  const over = Promise.withResolvers<'end' | Failure>()
  let next = Promise.withResolvers<string>()
  const receiver: Receiver = {
    onHead(status, header) {
      Object.assign(got, { status, header })
      head.resolve()
      return 'chunks'
    },
    onChunk(chunk) {
      const text = Buffer.from(chunk).toString()
      got.text += text
      next.resolve(text)
      next = Promise.withResolvers()
    },
    onEnd() {
      got.calls++
      over.resolve('end')
    },
    onFail(failure) {
      got.calls++
      over.resolve(failure)
    },
  }
  const got: Got = {
    status: 0,
    header: () => undefined,
    text: '',
    calls: 0,
    chunk: () => next.promise,
    head: head.promise,
    over: over.promise,
    flow: {
      pause: () => flow.pause(),
      resume: () => flow.resume(),
      cancel: () => flow.cancel(),
    },
  }
  const flow = through.send({ url, method: 'POST', headers: {}, body: 'hello', deadlines: LONG, ...more }, receiver)
  return got
}

describe('undici transport', () => {
  it.each([
    ['at once', 0, true],
    ['after a while, which the upstream has worked for', 1500, undefined],
  ])('says whether a kept connection that is closed %s was stale', async (_, workMs, stale) => {
    await using upstream = await scriptedUpstream()
    const first = send(upstream.url)
    ;(await upstream.next()).response.end('one')
    expect(await first.over).toBe('end')
    // The connection is free after the end.
    await new Promise((resolve) => void setImmediate(resolve))
    const second = send(upstream.url)
    const { response } = await upstream.next()
    setTimeout(() => response.destroy(), workMs)
    expect(await second.over).toMatchObject({ kind: 'reset' })
    expect(((await second.over) as Failure).stale).toBe(stale)
  })

  it('sends the call and returns head, chunks and end', async () => {
    await using upstream = await scriptedUpstream()
    const got = send(`${upstream.url}/a/b?c=d`, { headers: { 'x-one': '1' } })
    const { request, body, response } = await upstream.next()
    expect([request.method, request.url, request.headers['x-one'], body.toString()]).toEqual([
      'POST',
      '/a/b?c=d',
      '1',
      'hello',
    ])
    response.writeHead(201, { 'x-answer': ['a', 'b'] }).end('done')
    expect(await got.over).toBe('end')
    expect([got.status, got.header('x-answer'), got.text]).toEqual([201, 'a, b', 'done'])
  })
  it('sends a body in pieces with its length, as one body', async () => {
    await using upstream = await scriptedUpstream()
    const pieces = [Buffer.from('{"model":'), Buffer.from('"größe"'), Buffer.from(`,"x":"${'y'.repeat(100_000)}"}`)]
    const got = send(upstream.url, { body: pieces })
    const { request, body, response } = await upstream.next()
    expect(body.toString()).toBe(Buffer.concat(pieces).toString())
    expect(request.headers).toMatchObject({ 'content-length': String(body.length) })
    expect(request.headers).not.toHaveProperty('transfer-encoding')
    response.end('done')
    expect(await got.over).toBe('end')
  })

  it('uses a connection again', async () => {
    await using upstream = await scriptedUpstream()
    const narrow = createUndiciTransport({ connections: 1 })
    const ports: (number | undefined)[] = []
    for (let i = 0; i < 2; i++) {
      const got = send(upstream.url, {}, narrow)
      const { request, response } = await upstream.next()
      ports.push(request.socket.remotePort)
      response.end()
      await got.over
    }
    expect(ports[0]).toBe(ports[1])
    await narrow.close()
  })
  it('does not follow a redirect', async () => {
    await using upstream = await scriptedUpstream()
    const got = send(upstream.url)
    const { response } = await upstream.next()
    response.writeHead(307, { location: `${upstream.url}/elsewhere` }).end()
    await got.over
    expect(got.status).toBe(307)
    expect(upstream.count).toBe(1)
  })
  it.each(['100 Continue', '102 Processing', '103 Early Hints'])('ignores an unrequested %s', async (interim) => {
    await using upstream = await scriptedUpstream()
    const narrow = createUndiciTransport({ connections: 1 })
    const first = send(upstream.url, {}, narrow)
    const { request, response } = await upstream.next()
    const line = Buffer.from(`HTTP/1.1 ${interim}\r\nx-interim: 1\r\n\r\n`)
    request.socket.write(line.subarray(0, 12))
    request.socket.write(line.subarray(12))
    request.socket.write(line)
    response.writeHead(200, { 'x-final': '2' }).end('done')
    expect(await first.over).toBe('end')
    expect([first.status, first.header('x-final'), first.header('x-interim'), first.text]).toEqual([
      200,
      '2',
      undefined,
      'done',
    ])
    const second = send(upstream.url, {}, narrow)
    const again = await upstream.next()
    expect(again.request.socket.remotePort).toBe(request.socket.remotePort)
    again.response.end('once more')
    expect(await second.over).toBe('end')
    await narrow.close()
  })
  it('closes the connection of a cancelled call, and reports it once', async () => {
    await using upstream = await scriptedUpstream()
    const got = send(upstream.url)
    const { response, gone } = await upstream.next()
    response.write('one')
    await got.chunk()
    got.flow.cancel()
    got.flow.cancel()
    expect(await got.over).toMatchObject({ kind: 'cancelled' })
    await gone
    expect(got.calls).toBe(1)
  })
  it('never sends a call that is cancelled before it has a connection', async () => {
    await using upstream = await scriptedUpstream()
    const cancelled = send(`${upstream.url}/cancelled`)
    cancelled.flow.cancel()
    const got = send(`${upstream.url}/kept`)
    const { request, response } = await upstream.next()
    expect(request.url).toBe('/kept')
    response.end()
    await got.over
  })
  it('delivers nothing while it is paused', async () => {
    await using upstream = await scriptedUpstream()
    const got = send(upstream.url)
    const { response } = await upstream.next()
    response.write('first')
    await got.chunk()
    got.flow.pause()
    const progress = pump(response, Buffer.alloc(MEGABYTE, 'x'), 64)
    await settled(progress, async () => {
      const other = send(upstream.url)
      ;(await upstream.next()).response.end()
      await other.over
    })
    expect(got.text.length).toBeLessThan(MEGABYTE)
    expect(progress.written).toBeLessThan(32)
    got.flow.resume()
    expect(await got.over).toBe('end')
    expect(got.text.length).toBe('firstdata: end\n\n'.length + 64 * MEGABYTE)
  })
  it.each([
    ['gzip', zlib.gzipSync],
    ['deflate', zlib.deflateSync],
    ['br', zlib.brotliCompressSync],
    ['zstd', zlib.zstdCompressSync],
  ])('unpacks %s from an upstream that compresses anyway', async (encoding, pack) => {
    await using upstream = await scriptedUpstream()
    const got = send(upstream.url)
    const { response } = await upstream.next()
    response.writeHead(200, { 'content-encoding': encoding }).end(pack('tschüß'.repeat(1000)))
    expect(await got.over).toBe('end')
    expect(got.text).toBe('tschüß'.repeat(1000))
  })
  it('fails for a response that unpacks beyond the limit, and for one that is truncated', async () => {
    await using upstream = await scriptedUpstream()
    const bomb = send(upstream.url)
    const first = await upstream.next()
    first.response.writeHead(200, { 'content-encoding': 'gzip' }).end(zlib.gzipSync(Buffer.alloc(5_000_000)))
    expect(await bomb.over).toMatchObject({ kind: 'reset', retryable: false })
    const cut = send(upstream.url)
    const second = await upstream.next()
    second.response.writeHead(200, { 'content-encoding': 'gzip' }).end(zlib.gzipSync('text'.repeat(99)).subarray(0, 20))
    expect(await cut.over).toMatchObject({ kind: 'reset' })
  })
})

describe('failures', () => {
  it('are refused if nothing listens there', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo // it listens on TCP
    server.close()
    await once(server, 'close')
    expect(await send(`http://127.0.0.1:${port}/`).over).toMatchObject({ kind: 'refused', retryable: true })
  })
  it('are resets before the head (retryable) and after it (not)', async () => {
    await using upstream = await scriptedUpstream()
    const early = send(upstream.url)
    ;(await upstream.next()).request.socket.destroy()
    expect(await early.over).toMatchObject({ kind: 'reset', retryable: true })
    const late = send(upstream.url)
    const { response } = await upstream.next()
    response.write('x')
    await late.chunk()
    response.destroy()
    expect(await late.over).toMatchObject({ kind: 'reset', retryable: false })
  })
  it.each([
    ['head', { head: 3000 }, false],
    ['idle', { idle: 3000 }, true],
    ['total', { total: 3000 }, true],
  ])('are timeouts when the %s deadline passes', async (_name, deadlines, begun) => {
    await using upstream = await scriptedUpstream()
    const got = send(upstream.url, { deadlines: { ...LONG, ...deadlines } })
    const { response, gone } = await upstream.next()
    if (begun) response.write('x')
    expect(await got.over).toMatchObject({ kind: 'timeout' })
    await gone
  })
  it('are tls if the other side does not support it', async () => {
    await using upstream = await scriptedUpstream()
    expect(await send(upstream.url.replace('http:', 'https:')).over).toMatchObject({ kind: 'tls' })
  })
})

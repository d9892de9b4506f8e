import { createManualClock } from '../src/ports/manual-clock.ts'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Tap } from '@dragoman/core'
import { defineProvider } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import {
  createFetchHandler,
  createFetchTransport,
  createGateway,
  createMemoryKeys,
  createMemoryLedger,
  type GatewayOptions,
} from '../src/index.ts'
import { card, fakeProtocol } from './fake-protocol.ts'
import { brokenText } from './scripted.ts'

const red = fakeProtocol('red', '/red')
const KEY = { authorization: 'Bearer secret', 'content-type': 'application/json' }
const SSE = { 'content-type': 'text/event-stream' }
const STREAM = '{"model":"acme/m","stream":true}'

/** A gateway behind the fetch door, with a real upstream behind the fetch transport. */
async function setUp(upstream: RequestListener, deadlines = {}, more: Partial<GatewayOptions> = {}) {
  const server = createServer(upstream)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on TCP
  const ledger = createMemoryLedger()
  const gateway = createGateway({
    providers: [
      defineProvider({
        name: 'acme',
        models: [card('m')],
        endpoints: { red: `http://127.0.0.1:${port}` },
        protocols: [red],
      }),
    ],
    protocols: [red],
    keys: createMemoryKeys([{ id: 'tester', secret: 'secret' }]),
    transport: createFetchTransport({ clock: more.clock }),
    limits: { body: 1000 },
    deadlines,
    ledger,
    ...more,
  })
  const handle = createFetchHandler(gateway)
  return {
    ledger,
    ask: (body: BodyInit, headers: Record<string, string> = KEY, signal: AbortSignal | null = null) =>
      handle(new Request('http://gateway.test/red/gen', { method: 'POST', headers, body, signal })),
    /** Every response was recorded. */
    settled: () => gateway.close(60_000),
    get: (path: string) => handle(new Request(`http://gateway.test${path}`)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function gzip(text: string): Promise<ArrayBuffer> {
  return new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer()
}

describe('fetch door and fetch transport', () => {
  it('answer whole', async () => {
    await using gateway = await setUp((request, response) => {
      response.setHeader('content-type', 'application/json').end(`{"path":"${request.url}"}`)
    })
    const answer = await gateway.ask('{"model":"acme/m"}')
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe('{"path":"/gen/m"}')
    expect(await (await gateway.get('/red/models')).json()).toEqual({ list: ['acme/m'] })
  })
  it('stream', async () => {
    await using gateway = await setUp((_request, response) => {
      response.writeHead(200, SSE).write('data: 1\n\n')
      response.end('data: end\n\n')
    })
    const answer = await gateway.ask(STREAM)
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
    expect(await answer.text()).toBe('data: 1\n\ndata: end\n\n')
  })
  it('unpack a compressed body and refuse one that is too large, unknown or broken', async () => {
    await using gateway = await setUp((_request, response) => response.end('{}'))
    const packed = { ...KEY, 'content-encoding': 'gzip' }
    expect((await gateway.ask(await gzip('{"model":"acme/m"}'), packed)).status).toBe(200)
    expect((await gateway.ask(await gzip(' '.repeat(5000)), packed)).status).toBe(413)
    expect((await gateway.ask('no gzip', packed)).status).toBe(400)
    expect((await gateway.ask('x', { ...KEY, 'content-encoding': 'br' })).status).toBe(415)
    expect((await gateway.ask(' '.repeat(5000))).status).toBe(413)
  })
  it('do not follow a redirect', async () => {
    let calls = 0
    await using gateway = await setUp((_request, response) => {
      calls++
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    expect((await gateway.ask('{"model":"acme/m"}')).status).toBe(502)
    expect(calls).toBe(1)
  })
  it('cancel the upstream when the reader does', async () => {
    const closed = Promise.withResolvers<void>()
    await using gateway = await setUp((_request, response) => {
      response.on('close', () => closed.resolve())
      response.writeHead(200, SSE).write('data: 1\n\n')
    })
    const answer = await gateway.ask(STREAM)
    await answer.body?.cancel()
    await closed.promise
    expect(gateway.ledger.records).toMatchObject([{ outcome: 'aborted' }])
  })
  it('cancel the upstream when the request is aborted before an answer', async () => {
    const aborter = new AbortController()
    const closed = Promise.withResolvers<void>()
    await using gateway = await setUp((_request, response) => {
      response.on('close', () => closed.resolve())
      aborter.abort()
    })
    void gateway.ask(STREAM, KEY, aborter.signal)
    await closed.promise
    expect(gateway.ledger.records).toMatchObject([{ outcome: 'aborted' }])
  })
  it('hold a fast upstream back for a slow reader', async () => {
    const block = Buffer.from(`data: ${'x'.repeat(65_536)}\n\n`)
    let written = 0
    const pump = (response: ServerResponse): void => {
      if (++written > 1000) response.end('data: end\n\n')
      else response.write(block, () => pump(response))
    }
    await using gateway = await setUp((_request, response) => {
      if (written > 0) response.end('{}')
      else pump(response.writeHead(200, SSE))
    })
    const answer = await gateway.ask(STREAM)
    // Other calls are made until nothing moves any more.
    for (let before = 0; written > before;) {
      before = written
      for (let i = 0; i < 20; i++) await (await gateway.ask('{"model":"acme/m"}')).text()
    }
    expect(written).toBeLessThan(500)
    expect((await answer.bytes()).length).toBe(1000 * block.length + 'data: end\n\n'.length)
  })
  it('write the error of a stream that is cut, and then break off (trap 74)', async () => {
    await using gateway = await setUp((_request, response) => {
      response.writeHead(200, SSE).write('data: 1\n\n', () => response.destroy())
    })
    expect(await brokenText(await gateway.ask(STREAM))).toBe('data: 1\n\ndata: {"error":"interrupted"}\n\n')
  })
  it('keep the deadlines', async () => {
    const clock = createManualClock()
    const asked = Promise.withResolvers<void>()
    await using slow = await setUp(() => asked.resolve(), { connect: 0, head: 50 }, { clock })
    const late = slow.ask(STREAM)
    await asked.promise
    clock.advance(50)
    expect((await late).status).toBe(504)
    const speak: RequestListener = (_request, response) => void response.writeHead(200, SSE).write('data: 1\n\n')
    await using stuck = await setUp(speak, { idle: 50 }, { clock })
    const reader = (await stuck.ask(STREAM)).body!.pipeThrough(new TextDecoderStream()).getReader()
    await reader.read()
    clock.advance(50)
    expect((await reader.read()).value).toContain('"error":"timeout"')
  })
})

describe('relayed streams that are untouched', () => {
  const UNTOUCHED = { relayedStreams: 'untouched', keepAliveMs: 1 } as const

  it('are the bytes of the upstream, and usage is read from a copy', async () => {
    await using gateway = await setUp(
      (_request, response) => {
        response.writeHead(200, SSE).write('data: 1\r\n')
        response.end('\r\ndata: end\n\n')
      },
      {},
      UNTOUCHED,
    )
    const answer = await gateway.ask(STREAM)
    expect(answer.headers.get('x-dragoman-path')).toBe('relay')
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
    expect(await answer.text()).toBe('data: 1\r\n\r\ndata: end\n\n')
    await gateway.settled()
    expect(gateway.ledger.records).toMatchObject([{ outcome: 'complete', usage: { input: 22 } }])
  })
  it('end where the upstream ends, and are recorded as interrupted', async () => {
    await using gateway = await setUp(
      (_request, response) => {
        response.writeHead(200, SSE).write('data: 1\n\n', () => response.destroy())
      },
      {},
      UNTOUCHED,
    )
    await expect((await gateway.ask(STREAM)).text()).rejects.toThrow(Error)
    await gateway.settled()
    expect(gateway.ledger.records).toMatchObject([{ outcome: 'interrupted' }])
  })
  it('end with the call of the client, and with its deadline', async () => {
    const aborter = new AbortController()
    const closed = Promise.withResolvers<void>()
    const hang: RequestListener = (_request, response) => {
      response.on('close', () => closed.resolve())
      response.writeHead(200, SSE).write('data: 1\n\n')
    }
    await using left = await setUp(hang, {}, UNTOUCHED)
    await left.ask(STREAM, KEY, aborter.signal)
    aborter.abort()
    await closed.promise
    expect(left.ledger.records).toMatchObject([{ outcome: 'aborted' }])
    const clock = createManualClock()
    await using late = await setUp(hang, { total: 50 }, { ...UNTOUCHED, clock })
    const answer = await late.ask(STREAM)
    clock.advance(50)
    await expect(answer.text()).rejects.toThrow(Error)
    expect(late.ledger.records).toMatchObject([{ outcome: 'interrupted' }])
  })
  it('are errors with a status as long as nothing was sent', async () => {
    await using gateway = await setUp((_request, response) => response.writeHead(429).end('{}'), {}, UNTOUCHED)
    expect((await gateway.ask(STREAM)).status).toBe(429)
  })
  it('are not used for responses that must be changed', async () => {
    const tap: Tap = {
      ...red.relay.tap({ stream: true }),
      strips: true,
      push: () => Buffer.from('data: end\n\n'),
    }
    const stripping = { ...red, relay: { ...red.relay, tap: () => tap } }
    await using gateway = await setUp(
      (_request, response) => response.writeHead(200, SSE).end('data: 1\n\n'),
      {},
      {
        ...UNTOUCHED,
        protocols: [stripping],
      },
    )
    expect(await brokenText(await gateway.ask(STREAM))).toContain('data: end')
  })
})

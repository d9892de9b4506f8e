import { createServer, type ServerOptions } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { createGateway, createMemoryKeys, createMemoryLog } from '@dragoman/gateway'
import { describe, expect, it } from 'vitest'
import { createNodeHandler, createUndiciTransport, guardServer } from '../src/index.ts'

const SECRET = 'sk-guarded'

async function guarded(options: ServerOptions = {}, bodyMs = 60_000) {
  const log = createMemoryLog()
  const gateway = createGateway({
    providers: [],
    keys: createMemoryKeys([{ id: 'tester', secret: SECRET }]),
    transport: createUndiciTransport(),
    log,
  })
  const server = createServer(options, createNodeHandler(gateway, { bodyMs }))
  guardServer(server, gateway)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on TCP
  return {
    log,
    connect: () => connect(port, '127.0.0.1'),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Everything that arrives until the server closes the connection. */
async function rest(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket.setEncoding('utf8')) text += String(chunk)
  return text
}

/** Reads until the text has arrived. */
async function readUntil(socket: Socket, wanted: string): Promise<string> {
  socket.setEncoding('utf8')
  let text = ''
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk: string) => {
      text += chunk
      if (text.includes(wanted)) resolve()
    })
  })
  return text
}

function bodyOf(answer: string): unknown {
  return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
}

/** Long enough for everything that a test sends before it stops. */
const HURRIED: ServerOptions = { headersTimeout: 3000, requestTimeout: 3000, connectionsCheckingInterval: 100 }

const POST = (path: string, ...headers: readonly string[]) =>
  [`POST ${path} HTTP/1.1`, 'host: gateway', ...headers, '', ''].join('\r\n')
const AUTHORIZED = [`authorization: Bearer ${SECRET}`, 'content-type: application/json']
const CHAT = '/api/v1/chat/completions'

const SHAPES = [
  ['chat', CHAT, { error: { type: 'invalid_request_error' } }],
  ['messages', '/api/anthropic/v1/messages', { type: 'error', error: { type: 'invalid_request_error' } }],
  ['genai', '/api/vertex-ai/v1/models/a:generateContent', { error: { code: 431, status: 'INVALID_ARGUMENT' } }],
] as const

/** The shape of an error with another status in it, if it contains one. */
function withCode(shape: (typeof SHAPES)[number][2], code: number): object {
  return 'code' in shape.error ? { error: { ...shape.error, code } } : shape
}

describe('a guarded server', () => {
  it.each(SHAPES)('[err.native] refuses headers that are too large in the shape of %s', async (_name, path, shape) => {
    await using server = await guarded({ maxHeaderSize: 4096 })
    const socket = server.connect()
    socket.write(POST(path, `x-large: ${'x'.repeat(8000)}`))
    const answer = await rest(socket)
    expect(answer).toMatch(/^HTTP\/1.1 431 /)
    expect(answer).toMatch(/x-request-id: req_/)
    expect(bodyOf(answer)).toMatchObject(shape)
    expect(server.log.entries).toMatchObject([{ status: 431, path }])
  })

  it.each(SHAPES)('[err.native] refuses a call without a host in the shape of %s', async (_name, path, shape) => {
    await using server = await guarded()
    const socket = server.connect()
    socket.end(`POST ${path} HTTP/1.1\r\n${AUTHORIZED.join('\r\n')}\r\ncontent-length: 2\r\n\r\n{}`)
    const answer = await rest(socket)
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    expect(answer).toMatch(/x-request-id: req_/)
    expect(bodyOf(answer)).toMatchObject(withCode(shape, 400))
    expect(answer).toContain('Host')
    expect(server.log.entries).toMatchObject([{ status: 400, path }])
  })

  it('accepts a call of HTTP/1.0, which needs no host', async () => {
    await using server = await guarded()
    const socket = server.connect()
    socket.end(`POST ${CHAT} HTTP/1.0\r\n\r\n`)
    expect(await rest(socket)).toMatch(/^HTTP\/1.1 401 /)
  })

  it.each(SHAPES)('[err.native] refuses an unknown expectation in the shape of %s', async (_name, path, shape) => {
    await using server = await guarded()
    const socket = server.connect()
    socket.end(`${POST(path, ...AUTHORIZED, 'expect: a-miracle', 'content-length: 2')}{}`)
    const answer = await rest(socket)
    expect(answer).toMatch(/^HTTP\/1.1 417 /)
    expect(answer).toMatch(/x-request-id: req_/)
    expect(bodyOf(answer)).toMatchObject(withCode(shape, 417))
    expect(server.log.entries).toMatchObject([{ status: 417, path }])
  })

  it('answers once if invalid data follows an unknown expectation', async () => {
    await using server = await guarded()
    const socket = server.connect()
    socket.write(POST(CHAT, 'expect: a-miracle', 'transfer-encoding: chunked'))
    expect(await readUntil(socket, '\r\n\r\n{')).toMatch(/^HTTP\/1.1 417 /)
    const more = rest(socket)
    socket.write('zz\r\n')
    expect(await more).not.toContain('HTTP/1.1')
  })

  it('[err.native] refuses a head that does not end', async () => {
    await using server = await guarded(HURRIED)
    const socket = server.connect()
    socket.write(`POST ${CHAT} HTTP/1.1\r\nhost: gat`)
    const answer = await rest(socket)
    expect(answer).toMatch(/^HTTP\/1.1 408 /)
    expect(bodyOf(answer)).toMatchObject({ error: { type: 'invalid_request_error' } })
  })

  it('[err.native] refuses a body that does not end, in the door and in the server', async () => {
    for (const [options, bodyMs] of [
      [{}, 1000],
      [HURRIED, 60_000],
    ] as const) {
      await using server = await guarded(options, bodyMs)
      const socket = server.connect()
      socket.write(
        `${POST('/api/anthropic/v1/messages', ...AUTHORIZED, 'anthropic-version: 2023-06-01', 'content-length: 100')}{`,
      )
      const answer = await readUntil(socket, '"request_id"')
      expect(answer).toMatch(/^HTTP\/1.1 408 /)
      expect(answer).toContain('"type":"timeout_error"')
      socket.destroy()
    }
  })

  it('[err.native] refuses data that is not HTTP, in the head and in the body', async () => {
    await using server = await guarded()
    const nonsense = server.connect()
    nonsense.write('hello there\r\n\r\n')
    const answer = await rest(nonsense)
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    expect(bodyOf(answer)).toMatchObject({ error: { type: 'invalid_request_error' } })
    const broken = server.connect()
    broken.write(
      `${POST('/api/vertex-ai/v1/models/a:generateContent', ...AUTHORIZED, 'transfer-encoding: chunked')}zz\r\n`,
    )
    expect(bodyOf(await rest(broken))).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } })
  })

  it('answers once: data after a response on its connection is ignored', async () => {
    await using server = await guarded()
    const socket = server.connect()
    socket.write(POST(CHAT, 'transfer-encoding: chunked'))
    expect(await readUntil(socket, '\r\n\r\n{')).toMatch(/^HTTP\/1.1 401 /)
    const more = rest(socket)
    socket.write('zz\r\n')
    expect(await more).not.toContain('HTTP/1.1')
  })

  it('requests only the body of an admitted call', async () => {
    await using server = await guarded()
    const expecting = ['content-length: 2', 'expect: 100-continue']
    const unauthenticated = server.connect()
    unauthenticated.write(POST(CHAT, 'authorization: Bearer wrong', ...expecting))
    expect(await readUntil(unauthenticated, '\r\n\r\n{')).toMatch(/^HTTP\/1.1 401 /)
    unauthenticated.destroy()
    const caller = server.connect()
    caller.write(POST(CHAT, ...AUTHORIZED, ...expecting))
    expect(await readUntil(caller, '\r\n\r\n')).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    caller.write('{}')
    expect(await readUntil(caller, 'invalid_request_error')).toMatch(/^HTTP\/1.1 400 /)
    caller.destroy()
  })
})

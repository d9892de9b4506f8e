import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { RefusedError } from './refuse.ts'
import type { Answer, Failure, Script, Sending, Turn } from './script.ts'

/** An upstream on a real socket that refuses what the real one refuses, and remembers what it was asked. */
export interface Double {
  readonly url: string
  /** Every call that was accepted, in order. */
  readonly received: readonly Received[]
  /** Why calls were refused, in order. */
  readonly refused: readonly string[]
  /** Lets a stalled stream go on. */
  release(): void
  close(): Promise<void>
}

export interface Received {
  readonly path: string
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  readonly body: { readonly [key: string]: unknown }
}

/** What a protocol brings to its double. */
export interface Manners {
  readonly paths: readonly string[]
  /** Throws what the upstream refuses, headers first. */
  accept(call: Received): void
  /** A whole answer, or the frames of a stream. */
  answer(call: Received, answer: Answer): object | readonly string[]
  error(type: string, message: string): object
  readonly ping: string
}

/** Refused for its credential, not for its content. */
export class UnknownKeyError extends Error {
  override readonly name = 'UnknownKeyError'
}

export async function createDouble(manners: Manners, script: Script): Promise<Double> {
  const received: Received[] = []
  const refused: string[] = []
  const gate = createGate()
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const call = { path: pathOf(request), headers: request.headers, body: await bodyOf(request) }
    if (request.method !== 'POST' || !manners.paths.includes(call.path))
      return fail(response, manners, 404, 'not_found_error', 'no such path')
    try {
      manners.accept(call)
    } catch (thrown) {
      if (thrown instanceof UnknownKeyError) return fail(response, manners, 401, 'authentication_error', thrown.message)
      if (!(thrown instanceof RefusedError)) throw thrown
      refused.push(thrown.message)
      return fail(response, manners, 400, 'invalid_request_error', thrown.message)
    }
    received.push(call)
    const turn = script[Math.min(received.length, script.length) - 1] as Turn // a script has at least one turn
    if ('error' in turn) return fail(response, manners, turn.status, turn.error.type, turn.error.message, turn.headers)
    const wire = manners.answer(call, turn)
    if (Array.isArray(wire)) return send(response, wire as string[], turn.sending ?? {}, manners.ping, gate.opened)
    return sendJson(response, 200, wire)
  }
  const server = createServer((request, response) => {
    answer(request, response).catch((thrown: unknown) => fail(response, manners, 500, 'api_error', String(thrown)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    refused,
    release: () => gate.open(),
    close: () =>
      new Promise((resolve) => {
        gate.open()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function send(
  response: ServerResponse,
  frames: readonly string[],
  sending: Sending,
  ping: string,
  opened: Promise<void>,
): Promise<void> {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'request-id': 'double',
    'x-request-id': 'double',
  })
  response.flushHeaders()
  for (const [index, frame] of frames.entries()) {
    if (sending.stall === index) await opened
    if (sending.cut?.after === index) {
      await setImmediate()
      if (sending.cut.how === 'broken') response.destroy()
      else response.end()
      return
    }
    await write(response, sending.pings ? ping + frame : frame, sending.pieces)
  }
  response.end()
}

async function write(response: ServerResponse, text: string, pieces: number | undefined): Promise<void> {
  const bytes = Buffer.from(text)
  for (let start = 0; start < bytes.length; start += pieces ?? bytes.length) {
    response.write(bytes.subarray(start, start + (pieces ?? bytes.length)))
    if (pieces !== undefined) await setImmediate()
  }
}

function fail(
  response: ServerResponse,
  manners: Manners,
  status: number,
  type: string,
  message: string,
  headers: Failure['headers'] = {},
): void {
  if (response.headersSent) response.destroy()
  else sendJson(response, status, manners.error(type, message), headers)
}

function sendJson(response: ServerResponse, status: number, body: object, headers: Failure['headers'] = {}): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': 'double',
    'x-request-id': 'double',
    ...headers,
  })
  response.end(JSON.stringify(body))
}

function pathOf(request: IncomingMessage): string {
  return new URL(request.url ?? '/', 'http://double').pathname
}

async function bodyOf(request: IncomingMessage): Promise<Received['body']> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer) // a request without encoding gives buffers
  const body: unknown = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString('utf8'))
  return body as Received['body'] // what it is, the manners decide
}

function createGate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

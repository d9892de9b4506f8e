import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { RefusedError } from './refuse.ts'
import type { Answer, ErrorDetail, Failure, Script, Sending, Turn } from './script.ts'

/** An upstream on a real socket. It refuses what the real one refuses, and records the requests that it receives. */
export interface Double {
  readonly url: string
  /** Its seal of a text, or of a call with that name, as on the wire. */
  seal(text: string): string
  /** Its seal of hidden reasoning, as on the wire. */
  hide(text: string): string
  /** Every accepted call, in order. */
  readonly received: readonly Received[]
  /** The reasons of refused calls, in order. */
  readonly refused: readonly string[]
  /** Sets another script and clears the received calls. */
  play(...script: Script): void
  /** Chooses the turn for each call by its content, instead of a script, and clears the received calls. */
  reply(choose: (call: Received) => Turn): void
  /** Continues a stalled stream. */
  release(): void
  /** Resolves when a call has been accepted. */
  called(): Promise<void>
  /** Resolves when a caller has disconnected before its response was complete. */
  hungUp(): Promise<void>
  /** The number of responses that are not complete. */
  open(): number
  close(): Promise<void>
}

export interface Received {
  /** Counts the calls of a double, so that every answer has its own id. */
  readonly number: number
  readonly path: string
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  /** The JSON body, or the text fields of a form. */
  readonly body: { readonly [key: string]: unknown }
  /** The files of a form, in order. */
  readonly files?: readonly ReceivedFile[]
}

/** A file of a form. */
export interface ReceivedFile {
  readonly name: string
  readonly file: File
}

/** The rules of one protocol for its double. */
export interface UpstreamRules {
  readonly paths: readonly string[]
  /** Throws if the upstream would refuse the call, headers first. */
  accept(call: Received): void
  /** A whole response, or the frames of a stream. */
  answer(call: Received, answer: Answer): object | readonly string[]
  error(status: number, complaint: ErrorDetail): object
  /** An error between the frames of a stream. */
  errorFrame(body: object): string
  readonly ping: string
  seal(text: string): string
  hide(text: string): string
}

/** The call is refused because of its credential, not its content. */
export class UnknownKeyError extends Error {
  override readonly name = 'UnknownKeyError'
}

export async function createDouble(rules: UpstreamRules, script: Script): Promise<Double> {
  const received: Received[] = []
  const refused: string[] = []
  let choose = follow(script)
  let gate = createGate()
  let gone = createGate()
  let asked = createGate()
  let open = 0
  let calls = 0
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const call = { number: ++calls, path: pathOf(request), headers: request.headers, ...(await contentOf(request)) }
    if (request.method !== 'POST' || !rules.paths.includes(call.path))
      return fail(response, rules, { status: 404, error: { type: 'not_found_error', message: 'no such path' } })
    const refusal = refusalOf(rules, call)
    if (refusal !== undefined) {
      if (refusal.status === 400) refused.push(refusal.error.message)
      return fail(response, rules, refusal)
    }
    received.push(call)
    asked.open()
    const turn = choose(call)
    if ('raw' in turn) return sendText(response, turn.status, turn.raw, turn.headers)
    if ('error' in turn) return fail(response, rules, turn)
    const wire = rules.answer(call, turn)
    if (Array.isArray(wire)) return send(response, wire as string[], turn.sending ?? {}, rules, gate.opened)
    if (turn.sending?.stall === 0) await gate.opened
    return sendText(response, 200, JSON.stringify(wire))
  }
  const begin = (given: (call: Received) => Turn): void => {
    choose = given
    received.length = 0
    refused.length = 0
    gate.open()
    gate = createGate()
    gone = createGate()
    asked = createGate()
  }
  const server = createServer((request, response) => {
    const { open: leave } = gone
    open++
    response.once('close', () => {
      open--
      if (!response.writableEnded) leave()
    })
    answer(request, response).catch((thrown: unknown) =>
      fail(response, rules, { status: 500, error: { type: 'api_error', message: String(thrown) } }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    seal: (text) => rules.seal(text),
    hide: (text) => rules.hide(text),
    received,
    refused,
    play: (...script) => begin(follow(script)),
    reply: begin,
    release: () => gate.open(),
    called: () => asked.opened,
    hungUp: () => gone.opened,
    open: () => open,
    close: () =>
      new Promise((resolve) => {
        gate.open()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The turns of a script in order. The last one answers all further calls. */
function follow(script: Script): (call: Received) => Turn {
  let calls = 0
  return () => script[Math.min(++calls, script.length) - 1] as Turn // a script has at least one turn
}

/** The refusal of a call; undefined if it is accepted. */
function refusalOf(rules: UpstreamRules, call: Received): Failure | undefined {
  try {
    rules.accept(call)
    return undefined
  } catch (thrown) {
    if (thrown instanceof UnknownKeyError)
      return { status: 401, error: { type: 'authentication_error', message: thrown.message } }
    if (thrown instanceof RefusedError) return { status: 400, error: refusedError(thrown) }
    throw thrown
  }
}

async function send(
  response: ServerResponse,
  frames: readonly string[],
  sending: Sending,
  rules: UpstreamRules,
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
      const { how } = sending.cut
      await setImmediate()
      if (how === 'broken') response.destroy()
      else if (how === 'clean') response.end()
      else response.end(rules.errorFrame(rules.error(how.status, how.error)))
      return
    }
    await write(response, sending.pings && index > 0 ? rules.ping + frame : frame, sending.pieces)
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

function fail(response: ServerResponse, rules: UpstreamRules, { status, error, headers }: Failure): void {
  if (response.headersSent) response.destroy()
  else sendText(response, status, JSON.stringify(rules.error(status, error)), headers)
}

function sendText(response: ServerResponse, status: number, text: string, headers: Failure['headers'] = {}): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': 'double',
    'x-request-id': 'double',
    ...headers,
  })
  response.end(text)
}

function pathOf(request: IncomingMessage): string {
  return new URL(request.url ?? '/', 'http://double').pathname
}

function refusedError({ message, code, path }: RefusedError): ErrorDetail {
  return { type: 'invalid_request_error', message, ...(code === undefined ? {} : { code, param: path }) }
}

async function contentOf(request: IncomingMessage): Promise<Pick<Received, 'body' | 'files'>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer) // a request without encoding gives buffers
  const bytes = Buffer.concat(chunks)
  const type = request.headers['content-type'] ?? ''
  if (type.startsWith('multipart/form-data')) return formOf(bytes, type)
  const body: unknown = chunks.length === 0 ? {} : JSON.parse(bytes.toString('utf8'))
  return { body: body as Received['body'] } // checked by the rules
}

async function formOf(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<Pick<Received, 'body' | 'files'>> {
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
  const body: { [name: string]: unknown } = {}
  const files: ReceivedFile[] = []
  for (const [name, value] of form) {
    if (typeof value === 'string') body[name] = value
    else files.push({ name, file: value })
  }
  return { body, files }
}

function createGate(): { readonly opened: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Head } from '@dragoman/core'
import type { Bytes, Fields } from '@dragoman/core/provider'
import type { Gateway, Refusal, Reply } from '@dragoman/gateway'
import { refuseCall } from './node-door.ts'

/** How long a refused client may take to read the answer. */
const LINGER_MS = 5000

/**
 * Lets the gateway answer what Node would refuse with an empty body: headers that are too large or too slow (`maxHeaderSize`,
 * `headersTimeout` and `requestTimeout` of the server), a missing `host`, an unknown `expect`, and bytes that are not HTTP. A client
 * that sends `expect: 100-continue` gets its `100 Continue` when the body is needed, not before.
 */
export function guardServer(server: Server & { requireHostHeader?: boolean }, gateway: Gateway): void {
  server.requireHostHeader = false
  const remember = ({ socket }: { socket: Guarded }, response: ServerResponse): void => void (socket[LATEST] = response)
  server.on('request', remember)
  server.on('checkContinue', (request, response) => {
    request.once('resume', () => {
      if (!response.headersSent) response.writeContinue()
    })
    server.emit('request', request, response)
  })
  server.on('checkExpectation', (request, response) => {
    remember(request, response)
    refuseCall(gateway, request, response, 'expectation')
  })
  server.on('clientError', (error: ClientError, socket: Guarded) => {
    if (socket[REFUSED] === true) return
    const last = socket[LATEST]
    // The bytes belong to the call whose body is incomplete, otherwise to a new call, which must wait for the previous answer.
    const open = last !== undefined && !last.req.complete ? last : undefined
    const isFree = open === undefined ? (last?.writableFinished ?? true) : !open.headersSent
    if (!isFree || !socket.writable || error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    socket[REFUSED] = true
    const head = open === undefined ? headOf(error.rawPacket) : lineOf(`${open.req.method} ${open.req.url}`)
    gateway.refuse(head, createSocketReply(socket), refusalOf(error, open !== undefined))
  })
}

const LATEST = Symbol('latest')
const REFUSED = Symbol('refused')

/** A connection with its state. Stored on the object, because a weak map that is written on every call slows down every collection. */
interface Guarded extends Duplex {
  [LATEST]?: ServerResponse
  [REFUSED]?: true
}

interface ClientError extends Error {
  readonly code?: string
  /** The bytes that could not be parsed, from the beginning if the call was short. */
  readonly rawPacket?: Buffer
}

function refusalOf({ code }: ClientError, inBody: boolean): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return 'large-head'
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return inBody ? 'timeout' : 'slow-head'
  return inBody ? 'malformed' : 'malformed-head'
}

/** The head of a call that could not be parsed, as far as its first line is readable. */
function headOf(packet: Buffer | undefined): Head {
  return lineOf(packet?.toString('latin1', 0, 2048) ?? '')
}

function lineOf(text: string): Head {
  const [, method = '', path = '/'] = /^([A-Z]{3,10}) ([^\s?]+)/.exec(text) ?? []
  return { method, path, query: '', header: () => undefined }
}

/** A reply on the socket: Node has no response object for a call that it could not parse. */
function createSocketReply(socket: Duplex): Reply {
  return {
    whole(status, headers, body) {
      socket.end(`${written(status, headers, body)}${body as string}`) // an error, which is text
      const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref()
      socket.once('close', () => clearTimeout(timer))
    },
    start() {},
    write: () => true,
    end() {},
    cut: () => void socket.destroy(),
  }
}

function written(status: number, headers: Fields, body: Bytes): string {
  const fields = { ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  // Not imported, because an import loads everything that the module has getters for, such as a WebSocket client.
  const { STATUS_CODES } = process.getBuiltinModule('node:http')
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`
}

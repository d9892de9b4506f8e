import type { IncomingMessage, ServerResponse } from 'node:http'
import { createBodyRoom, type Pending, type Refusal } from '@dragoman/gateway'
import { createBodyBuffer } from './body-buffer.ts'
import { isKnownEncoding, unpack, type Encoding } from './encoding.ts'

export interface BodyTimes {
  readonly bodyMs: number
  readonly roomMs: number
  readonly idleMs: number
}

/** Reads the body of an admitted call, as far as memory is available, and passes it to the gateway. */
export function readInto(
  pending: Pending,
  request: IncomingMessage,
  response: ServerResponse,
  { bodyMs, roomMs, idleMs }: BodyTimes,
): void {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  const refuse = (why: Refusal): void => {
    endRest(request, response)
    pending.refuse(why)
  }
  if (!isKnownEncoding(encoding)) return refuse('encoding')
  const length = lengthOf(request)
  if (length !== undefined && length > pending.limit) return refuse('too-large')
  // The body has been read before.
  if (request.readableEnded) return refuse('malformed')

  const body = createBodyBuffer(length)
  const room = createBodyRoom(pending, length)
  let timer: NodeJS.Timeout | undefined
  let until = 0
  const stop = (): void => {
    clearTimeout(timer)
    pending.onRoom = undefined
    request.off('data', onData).off('end', onEnd).off('close', stop)
  }
  const giveUp = (why: Refusal): void => {
    stop()
    refuse(why)
  }
  /** Continues reading. The times of the client start here. */
  const read = (): void => {
    clearTimeout(timer)
    // One timer for both limits: `onData` checks the total time, the timer detects pauses.
    timer = setTimeout(giveUp, idleMs, 'timeout')
    until = Date.now() + bodyMs
    pending.onRoom = undefined
    request.resume()
  }
  const wait = (use: () => void): void => {
    clearTimeout(timer)
    timer = setTimeout(giveUp, roomMs, 'no-room')
    pending.onRoom = use
    request.pause()
  }
  const onData = (chunk: Buffer): void => {
    timer?.refresh()
    body.push(chunk)
    if (Date.now() > until) return giveUp('timeout')
    if (body.size > pending.limit) return giveUp('too-large')
    if (!room.hold(body.size)) wait(read)
  }
  const onEnd = (): void => {
    if (encoding === 'identity') {
      stop()
      return pending.proceed(body.bytes())
    }
    const unpackIt = (): void => {
      stop()
      unpackInto(pending, encoding, body.bytes())
    }
    if (room.holdAll()) unpackIt()
    else wait(unpackIt)
  }
  request.on('data', onData).on('end', onEnd).on('close', stop)
  if (room.open()) read()
  else wait(read)
}

function unpackInto(pending: Pending, encoding: Encoding, packed: Uint8Array): void {
  unpack(encoding, packed, pending.limit, (result) => {
    if (typeof result === 'string') pending.refuse(result)
    else pending.proceed(result)
  })
}

/** Undefined if the body is chunked. Node has refused every invalid length. */
function lengthOf({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length']
  if (length !== undefined) return Number(length)
  return headers['transfer-encoding'] === undefined ? 0 : undefined
}

const REST_LIMIT = 16 * 1024 * 1024
/** How long a client may take to read its answer and stop sending. */
const REST_MS = 5000

/**
 * Node discards the rest of an unread body, so that the client can read the answer. This limits the time and size of the rest.
 */
export function endRest(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return
  const end = (): void => {
    // The answer may be written before the end of the head has been read.
    if (request.complete) return
    let rest = 0
    request.on('data', (chunk: Buffer) => {
      rest += chunk.length
      if (rest > REST_LIMIT) request.destroy()
    })
    const timer = setTimeout(() => request.destroy(), REST_MS).unref()
    request.once('close', () => clearTimeout(timer))
  }
  if (response.writableFinished) end()
  else response.once('finish', end)
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { createBodyRoom, type Pending, type Refusal } from '@dragoman/gateway'
import { createBodyBuffer } from './body-buffer.ts'
import { isKnownEncoding, unpack, type Encoding } from './encoding.ts'
import type { Sweep, Timed } from './sweep.ts'

export interface BodyTimes {
  readonly bodyMs: number
  readonly roomMs: number
  readonly idleMs: number
  /** Watches the times of all bodies. */
  readonly sweep: Sweep
}

/** Reads the body of an admitted call, as far as memory is available, and passes it to the gateway. */
export function readInto(
  pending: Pending,
  request: IncomingMessage,
  response: ServerResponse,
  { bodyMs, roomMs, idleMs, sweep }: BodyTimes,
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
  let lastAt = 0
  const stop = (): void => {
    sweep.remove(timed)
    pending.onRoom = undefined
  }
  const giveUp = (why: Refusal): void => {
    stop()
    request.off('data', onData).off('end', onEnd)
    refuse(why)
  }
  const timed: Timed = {
    until: 0,
    index: -1,
    onLate: () => giveUp(pending.onRoom === undefined ? 'timeout' : 'no-room'),
  }
  /** Continues reading. The times of the client start here: `onData` checks the total time, the sweep detects pauses. */
  const read = (): void => {
    const now = performance.now()
    lastAt = now + bodyMs
    timed.until = now + idleMs
    pending.onRoom = undefined
    request.resume()
  }
  const wait = (use: () => void): void => {
    timed.until = performance.now() + roomMs
    pending.onRoom = use
    request.pause()
  }
  const onData = (chunk: Buffer): void => {
    const now = performance.now()
    timed.until = now + idleMs
    body.push(chunk)
    if (now > lastAt) return giveUp('timeout')
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
  sweep.add(timed)
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

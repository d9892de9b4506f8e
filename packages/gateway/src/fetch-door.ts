import type { Head } from '@dragoman/core'
import { createBodyRoom } from './call/body-room.ts'
import { createCollector } from './ports/collect.ts'
import type { Gateway, Pending, Refusal, Reply } from './call/door.ts'

export interface FetchDoorOptions {
  /** How long a body may take to arrive, in milliseconds. */
  readonly bodyMs?: number | undefined
  /** The network address of the caller, for instance from a header that the platform sets. Absent: it is unknown. */
  readonly addressOf?: ((request: Request) => string | undefined) | undefined
}

/** The gateway as a function from a web Request to a Response. */
export function createFetchHandler(
  gateway: Gateway,
  { bodyMs = 60_000, addressOf }: FetchDoorOptions = {},
): (request: Request) => Promise<Response> {
  return (request) =>
    new Promise((resolve, reject) => {
      const reply = createFetchReply(request.signal, resolve)
      const read = (pending: Pending | undefined): Promise<void> | undefined =>
        pending === undefined ? undefined : readInto(pending, request, bodyMs)
      Promise.resolve(gateway.open(headOf(request, addressOf?.(request)), reply))
        .then(read)
        .catch(reject)
    })
}

function headOf(request: Request, address: string | undefined): Head {
  const url = new URL(request.url)
  return {
    method: request.method,
    path: url.pathname,
    query: url.search.slice(1),
    origin: url.origin,
    address,
    header: (name) => request.headers.get(name) ?? undefined,
  }
}

async function readInto(pending: Pending, request: Request, bodyMs: number): Promise<void> {
  const timer = setTimeout(() => pending.refuse(pending.onRoom === undefined ? 'timeout' : 'no-room'), bodyMs)
  const body = await readBytes(request, pending).finally(() => clearTimeout(timer))
  if (typeof body === 'string') pending.refuse(body)
  else pending.proceed(body)
}

async function readBytes(request: Request, pending: Pending): Promise<Uint8Array | Refusal> {
  const { limit } = pending
  const length = request.headers.get('content-length')
  if (Number(length ?? 0) > limit) return 'too-large'
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity'
  if (!isReadable(encoding)) return 'encoding'
  if (request.body === null) return new Uint8Array(0)
  // The platform's types disagree about the buffers of chunks; at run time it is the same stream.
  const body = encoding === 'identity' ? request.body : request.body.pipeThrough(new DecompressionStream(encoding))
  const collector = createCollector(limit)
  const room = createBodyRoom(pending, length === null || encoding !== 'identity' ? undefined : Number(length))
  try {
    if (!room.open()) await roomOf(pending)
    for (const reader = body.getReader(); ;) {
      const { done, value } = await reader.read()
      if (done) return collector.bytes()
      if (!collector.push(value)) {
        await reader.cancel()
        return 'too-large'
      }
      if (!room.hold(collector.size())) await roomOf(pending)
    }
  } catch {
    // Broken compression and a client that left look the same here. A client that left receives no answer.
    return 'malformed'
  }
}

/** Waits until other calls have released memory. */
async function roomOf(pending: Pending): Promise<void> {
  await new Promise<void>((resolve) => {
    pending.onRoom = resolve
  })
  pending.onRoom = undefined
}

function isReadable(encoding: string): encoding is 'identity' | 'gzip' | 'deflate' {
  return encoding === 'identity' || encoding === 'gzip' || encoding === 'deflate'
}

const HIGH_WATER = 64 * 1024

function createFetchReply(signal: AbortSignal, resolve: (response: Response) => void): Reply {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let over = false
  let isCut = false
  const finish = (): void => {
    over = true
    signal.removeEventListener('abort', gone)
  }
  const gone = (): void => {
    if (over) return
    finish()
    reply.onGone?.()
  }
  /** An error discards what the client has not read yet, and its last piece must be sent first. */
  const breakOff = (): void => {
    if (controller?.desiredSize === HIGH_WATER) setTimeout(() => controller?.error(new Error('The answer broke off.')))
  }
  const open = (): ReadableStream<Uint8Array> =>
    new ReadableStream<Uint8Array>(
      {
        start: (given) => void (controller = given),
        pull: () => (isCut ? breakOff() : reply.onDrain?.()),
        cancel: gone,
      },
      new ByteLengthQueuingStrategy({ highWaterMark: HIGH_WATER }),
    )
  const reply: Reply = {
    whole(status, headers, body) {
      if (over) return
      finish()
      resolve(new Response(status === 204 ? null : (body as BodyInit), { status, headers: { ...headers } })) // a string or bytes
    },
    start(status, headers) {
      if (!over) resolve(new Response(open(), { status, headers: { ...headers } }))
    },
    through(status, headers, body) {
      if (!over) resolve(new Response(body, { status, headers: { ...headers } }))
    },
    write(chunk) {
      if (over || controller === undefined) return true
      controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk)
      return (controller.desiredSize ?? 0) > 0
    },
    end() {
      if (over) return
      finish()
      controller?.close()
    },
    cut() {
      if (over) return
      finish()
      isCut = true
      breakOff()
    },
  }
  signal.addEventListener('abort', gone)
  return reply
}

import { asDragomanError, DragomanError } from '@dragoman/core'
import { failureError, redactError, type Call, type Fields } from '@dragoman/core/provider'
import type { Exchange } from '../call/exchange.ts'
import { guardReceiver } from '../modes/guard-receiver.ts'
import { createValve } from '../modes/valve.ts'
import { forCaller } from '../routing/upstream-error.ts'
import { ROOT } from '../modes/send.ts'
import type { Route } from '../models/route.ts'
import { redactOf } from '../models/route-facts.ts'
import type { Settings } from '../call/settings.ts'
import { readRange, type ByteRange } from './byte-range.ts'

/** Serves a file that is in memory, whole or a range of it. */
export function serveBytes({ head, answer }: Exchange, bytes: Uint8Array, mime: string): void {
  const range = readRange(head.header('range'), bytes.length)
  if (range === 'unsatisfiable') return refuseRange(answer, bytes.length)
  const { start, end } = range ?? { start: 0, end: bytes.length - 1 }
  answer.open(range === undefined ? 200 : 206, { ...fileHeaders(mime), ...sizeHeaders(range, bytes.length) })
  if (head.method !== 'HEAD') answer.write(bytes.subarray(start, end + 1))
  answer.end('complete')
}

/** Where a file is. */
export interface FileSource {
  readonly url: string
  readonly mime: string
}

const MOST_REDIRECTS = 5

/**
 * Serves a file of an upstream, piece by piece as it arrives. The upstream's credential goes to its own origin only. If the upstream
 * redirects to another origin, so does the gateway: anyone with that address can open it.
 */
export function serveFrom(
  settings: Settings,
  exchange: Exchange,
  route: Route,
  { url, mime }: FileSource,
  redirects = 0,
): void {
  const { head, answer } = exchange
  const { provider } = route
  const valve = createValve(settings.report)
  let body: Body | undefined
  const fail = (thrown: unknown): void => {
    if (!answer.over) answer.fail(redactError(forCaller(asDragomanError(thrown)), redactOf(route)))
    valve.cancel()
  }
  const follow = (location: string): void => {
    valve.cancel()
    const next = URL.canParse(location, url) ? new URL(location, url).href : ''
    if (redirects === MOST_REDIRECTS) return fail(unreadable())
    if (isOwn(route, settings, next)) serveFrom(settings, exchange, route, { url: next, mime }, redirects + 1)
    else if (next.startsWith('https:')) answer.whole(307, { location: next, 'cache-control': 'no-store' }, '')
    else fail(unreadable())
  }
  const call = callOf(settings, exchange, route, url)
  answer.onDrain = () => valve.resume()
  answer.onGone = () => {
    answer.abort()
    valve.cancel()
  }
  exchange.running = { stop: fail }
  const receiver = guardReceiver(fail, {
    onHead(status, header) {
      call.answered?.(status, header)
      const location = header('location')
      if (REDIRECTS.has(status) && location !== undefined) follow(location)
      else body = beginBody(exchange, status, header, mime)
      if (body === undefined || head.method !== 'HEAD') return 'chunks'
      answer.end('complete')
      valve.cancel()
      return 'chunks'
    },
    onChunk(chunk) {
      if (answer.over || body === undefined) return
      const piece = body.cut(chunk)
      if (piece.length > 0 && !answer.write(piece)) valve.pause()
      if (!body.isOver()) return
      answer.end('complete')
      valve.cancel()
    },
    onEnd() {
      if (!answer.over && body !== undefined) answer.end('complete')
    },
    onFail(failure) {
      if (!answer.over && body !== undefined) answer.fail(failureError(failure, true))
      else if (!answer.over && failure.kind !== 'cancelled') fail(failureError(failure, false))
    },
  })
  valve.open((provider.transport ?? settings.transport).send(call, receiver))
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

function callOf({ deadlines }: Settings, { head }: Exchange, { provider, key }: Route, url: string): Call {
  if (provider.visit === undefined) throw new DragomanError('internal', `${provider.name} has no files.`)
  const headers: { [name: string]: string } = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'dragoman' }
  for (const name of ['range', 'if-range']) {
    const value = head.header(name)
    if (value !== undefined) headers[name] = value
  }
  return provider.visit(url, { headers, deadlines, key })
}

/** Whether an address belongs to the provider: then it may need the key. */
function isOwn({ provider, protocol }: Route, { deadlines }: Settings, url: string): boolean {
  const { url: own } = provider.call(protocol.name, ROOT, { headers: {}, deadlines, key: 0 })
  return URL.canParse(url) && new URL(url).origin === new URL(own).origin
}

/** The part of a file that the caller asked for. */
interface Body {
  /** The bytes of a piece that belong to it. */
  cut(chunk: Uint8Array): Uint8Array
  isOver(): boolean
}

/** Writes the head of the answer. Undefined if there is no body. Throws if the upstream has no file. */
function beginBody(
  { head, answer }: Exchange,
  status: number,
  header: (name: string) => string | undefined,
  mime: string,
): Body | undefined {
  const size = Number(header('content-length') ?? Number.NaN)
  if (status === 416) {
    answer.whole(416, { 'content-range': header('content-range') ?? 'bytes */*' }, '')
    return undefined
  }
  if (status === 404 || status === 410) throw new DragomanError('not-found', 'The upstream no longer has this file.')
  if (status !== 200 && status !== 206)
    throw new DragomanError('upstream', `The upstream answered with status ${status} instead of the file.`)
  const headers = { ...fileHeaders(typeOf(header('content-type'), mime)), ...kept(header) }
  if (status === 206 || Number.isNaN(size) || head.header('if-range') !== undefined) {
    const range = status === 206 ? header('content-range') : undefined
    answer.open(status, {
      ...headers,
      ...(Number.isNaN(size) ? {} : { 'content-length': String(size) }),
      ...(range === undefined ? {} : { 'content-range': range }),
    })
    return WHOLE
  }
  // An upstream need not know ranges: then they are cut here.
  const range = readRange(head.header('range'), size)
  if (range === 'unsatisfiable') return refuseRange(answer, size)
  answer.open(range === undefined ? 200 : 206, { ...headers, ...sizeHeaders(range, size) })
  return range === undefined ? WHOLE : createCut(range)
}

const WHOLE: Body = { cut: (chunk) => chunk, isOver: () => false }

function createCut({ start, end }: ByteRange): Body {
  let position = 0
  return {
    cut(chunk) {
      const piece = chunk.subarray(Math.max(0, start - position), Math.max(0, end + 1 - position))
      position += chunk.length
      return piece
    },
    isOver: () => position > end,
  }
}

function refuseRange(answer: Exchange['answer'], size: number): undefined {
  answer.whole(416, { 'content-range': `bytes */${size}` }, '')
  return undefined
}

/** A browser must not guess another type, and shared caches must not keep the file. */
function fileHeaders(type: string): Fields {
  return {
    'content-type': type,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-transform',
    'x-content-type-options': 'nosniff',
  }
}

function sizeHeaders(range: ByteRange | undefined, size: number): Fields {
  if (range === undefined) return { 'content-length': String(size) }
  const { start, end } = range
  return { 'content-length': String(end - start + 1), 'content-range': `bytes ${start}-${end}/${size}` }
}

function kept(header: (name: string) => string | undefined): Fields {
  return Object.fromEntries(
    ['etag', 'last-modified'].flatMap((name) => {
      const value = header(name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** Only the type of a video or an image is taken from the upstream: a page would run in the gateway's origin. */
function typeOf(header: string | undefined, mime: string): string {
  const type = header?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return /^(video|audio|image)\/[\w.+-]+$/.test(type) && type !== 'image/svg+xml' ? type : mime
}

function unreadable(): DragomanError {
  return new DragomanError('upstream', 'The upstream redirects to an address that cannot be opened.')
}

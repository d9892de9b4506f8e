import type { Bytes, DragomanError, Fields, JsonObject, Loss, Protocol } from '@dragoman/core'
import { clip, clipError, clipPath } from './clip.ts'
import type { Reply } from './door.ts'
import type { Meter } from './meter.ts'
import type { Plan } from './plan.ts'
import type { Outcome } from './ports.ts'
import type { Route } from './resolve.ts'

/** The one owner of a reply: gives it its headers, gives errors their native shape, and settles the meter at its end. */
export interface Answer {
  readonly requestId: string
  /** The head is out. */
  readonly started: boolean
  readonly over: boolean
  /** Headers for whatever the answer will be. */
  add(headers: Fields): void
  /** Headers that say which way the call took; those of an earlier attempt go. */
  describe(headers: Fields): void
  whole(status: number, headers: Fields, body: Bytes): void
  json(status: number, body: JsonObject): void
  /** Starts the stream if need be. False: pause until `onDrain`. */
  write(chunk: Bytes): boolean
  /** Starts the stream and hands the rest of it over; false where the door cannot. */
  through(open: () => ReadableStream<Uint8Array>): boolean
  /** Ends a stream, cleanly or after its in-band error. */
  end(outcome: Outcome, error?: DragomanError): void
  /** A native error where nothing is out yet; a head without an end otherwise. */
  fail(error: DragomanError, headers?: Fields): void
  /** The client is gone: nothing is written any more. */
  abort(): void
  onDrain: (() => void) | undefined
  /** Who sets it calls `abort`. */
  onGone: (() => void) | undefined
  onOver: (() => void) | undefined
}

export function createAnswer(
  protocol: Protocol,
  meter: Meter,
  reply: Reply,
  framing: () => string | undefined,
): Answer {
  const { requestId } = meter
  let headers: Fields = { 'x-request-id': requestId, 'request-id': requestId }
  let described: Fields = {}

  const finish = (status: number, outcome: Outcome, error?: DragomanError): void => {
    answer.over = true
    // Whatever a log or a ledger does, the place of this call comes free.
    try {
      meter.settle(status, outcome, error)
    } finally {
      answer.onOver?.()
    }
  }
  const streamHeaders = (): Fields => {
    answer.started = true
    meter.firstByte()
    return { ...headers, ...described, 'content-type': protocol.stream.contentType(framing()), ...STREAM_HEADERS }
  }
  // Plain members, no getters: an object literal with getters costs a hidden class of its own on every call.
  const answer: { -readonly [Member in keyof Answer]: Answer[Member] } = {
    requestId,
    started: false,
    over: false,
    add(more) {
      headers = { ...headers, ...more }
    },
    describe(facts) {
      described = facts
    },
    whole(status, more, body) {
      if (answer.over) return
      meter.firstByte()
      reply.whole(status, { ...headers, ...described, ...more }, body)
      finish(status, 'complete')
    },
    json(status, body) {
      answer.whole(status, JSON_HEADERS, JSON.stringify(body))
    },
    write(chunk) {
      if (answer.over) return true
      if (!answer.started) reply.start(200, streamHeaders())
      return reply.write(chunk)
    },
    through(open) {
      if (reply.through === undefined) return false
      reply.through(200, streamHeaders(), open())
      return true
    },
    end(outcome, error) {
      if (answer.over) return
      reply.end()
      finish(200, outcome, error)
    },
    fail(error, more = {}) {
      if (answer.over) return
      if (answer.started) {
        reply.cut()
        return finish(200, 'interrupted', error)
      }
      const { status, body } = protocol.error.encode(clipError(error), requestId)
      const facts = { ...headers, ...described, ...JSON_HEADERS, ...errorHeaders(error), ...more }
      reply.whole(status, facts, JSON.stringify(body))
      finish(status, 'failed', error)
    },
    abort() {
      if (answer.over) return
      finish(CLIENT_CLOSED, 'aborted')
    },
    onDrain: undefined,
    onGone: undefined,
    onOver: undefined,
  }
  // Named before they are set: V8 puts a function that is written straight into a member among the long-lived objects,
  // and with it everything that it can see, until the next full collection.
  const onDrain = (): void => answer.onDrain?.()
  const onGone = (): void => {
    if (answer.over) return
    if (answer.onGone === undefined) answer.abort()
    else answer.onGone()
  }
  reply.onDrain = onDrain
  reply.onGone = onGone
  return answer
}

const JSON_HEADERS: Fields = { 'content-type': 'application/json' }
/** The second one is read by buffering proxies in front of the gateway. */
const STREAM_HEADERS: Fields = { 'cache-control': 'no-cache', 'x-accel-buffering': 'no' }
/** Never sent: what logs commonly say for a client that closed the connection. */
const CLIENT_CLOSED = 499

/** What is known about the way of a call before its answer begins. Of many losses, `losses` may hold the first ones alone. */
export function wayHeaders(route: Route, plan: Plan, losses: readonly Loss[], lossCount: number): Fields {
  const facts = {
    'x-dragoman-path': plan.way,
    'x-dragoman-provider': printable(clip(route.provider.name, NAME_LIMIT)),
    'x-dragoman-model': printable(clip(route.id, NAME_LIMIT)),
  }
  return lossCount === 0 ? facts : { ...facts, 'x-dragoman-losses': summary(losses, lossCount) }
}

const NAMED_LOSSES = 3
const PATH_LIMIT = 80
const NAME_LIMIT = 256

/** `5: dropped settings.topK, changed settings.temperature, added settings.maxTokens, …` */
function summary(losses: readonly Loss[], count: number): string {
  const named = losses.slice(0, NAMED_LOSSES).map(({ kind, path }) => `${kind} ${clipPath(path, PATH_LIMIT)}`)
  const more = count > NAMED_LOSSES ? ', ...' : ''
  return printable(`${count}: ${named.join(', ')}${more}`)
}

/** Paths can hold keys of the caller's own; a header takes ASCII only. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?')
}

function errorHeaders(error: DragomanError): Fields {
  return {
    ...(error.retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(error.retryAfter)) }),
    ...(error.retry === false ? { 'x-should-retry': 'false' } : {}),
  }
}

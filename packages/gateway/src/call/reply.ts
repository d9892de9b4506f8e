import { asDragomanError, type DragomanError, type Protocol } from '@dragoman/core'
import type { Bytes, Fields } from '@dragoman/core/provider'
import { begin, createFront, show, type Front } from './answer-head.ts'
import { clipError } from '../ports/clip.ts'
import type { Reply } from './door.ts'
import type { Meter } from '../metering/meter.ts'
import type { Found } from '../ports/match.ts'
import type { Outcome } from '../ports/ports.ts'
import { guarded, type Report } from '../ports/report.ts'

/** The only writer of a reply. It adds the headers, writes errors in their native shape, and settles the meter at the end. */
export interface Answer {
  readonly requestId: string
  /** The head has been sent. */
  readonly started: boolean
  readonly over: boolean
  /** The client is gone. Nothing is written any more, and the call goes on until it ends. */
  readonly isGone: boolean
  /** Its headers, and its stages. */
  readonly front: Front
  whole(status: number, headers: Fields, body: Bytes): void
  json(status: number, body: object): void
  /** Begins an answer that is not a stream of the protocol, such as a file. `write` and `end` follow. */
  open(status: number, headers: Fields): void
  /** Starts the stream if necessary. If it returns false, pause until `onDrain`. */
  write(chunk: Bytes): boolean
  /** Starts the stream and passes the rest of it to the door; false if the door does not support this. */
  through(open: () => ReadableStream<Uint8Array>): boolean
  /** Ends a stream: cleanly if it is complete, otherwise after its in-band error by closing the connection. */
  end(outcome: Outcome, error?: DragomanError, how?: 'end' | 'cut'): void
  /** Writes a native error if nothing has been sent yet; otherwise cuts the answer off. */
  fail(error: DragomanError, headers?: Fields): void
  /** Call it if the client is gone and the call is not over. */
  leave(): void
  /** Ends a call whose client is gone. */
  abort(): void
  onDrain: (() => void) | undefined
  /** If it is set, it must call `abort`, or `leave` and later end the call. */
  onGone: (() => void) | undefined
  onOver: ((status: number, outcome: Outcome, error?: DragomanError) => void) | undefined
}

export function createAnswer(
  found: Found,
  meter: Meter,
  reply: Reply,
  report: Report,
  framing: () => string | undefined,
): Answer {
  const { protocol } = found
  const { requestId } = meter
  const front = createFront(requestId)
  let opened = 200

  const finish = (status: number, outcome: Outcome, error?: DragomanError): void => {
    answer.over = true
    settle(meter, answer, report, status, outcome, error)
  }
  const begun = (status: number): void => {
    answer.started = true
    opened = status
    meter.firstByte()
  }
  // Plain members, no getters: an object literal with getters creates a hidden class on every call.
  const answer: { -readonly [Member in keyof Answer]: Answer[Member] } = {
    requestId,
    front,
    started: false,
    over: false,
    isGone: false,
    whole(status, more, body) {
      if (isOver(answer)) return
      begin(front, status, false)
      show(front, body)
      meter.firstByte()
      reply.whole(status, headersOf(front, more), body)
      finish(status, 'complete')
    },
    json: (status, body) => answer.whole(status, JSON_HEADERS, JSON.stringify(body)),
    open(status, headers) {
      if (answer.over || answer.isGone) return
      begin(front, status, true)
      reply.start(status, headersOf(front, headers))
      begun(status)
    },
    write(chunk) {
      if (answer.over || answer.isGone) return true
      if (!answer.started) answer.open(200, streamHeaders(protocol, framing()))
      show(front, chunk)
      return reply.write(chunk)
    },
    through(open) {
      if (reply.through === undefined) return false
      begin(front, 200, true)
      // The pieces of a stream that the door takes over cannot be observed.
      if (front.watch !== undefined) return false
      reply.through(200, headersOf(front, streamHeaders(protocol, framing())), open())
      begun(200)
      return true
    },
    end(outcome, error, how = isClean(protocol, outcome) ? 'end' : 'cut') {
      if (isOver(answer)) return
      endReply(reply, how, report)
      finish(opened, outcome, error)
    },
    fail(error, more = {}) {
      if (isOver(answer)) return
      if (answer.started) return answer.end('interrupted', error, 'cut')
      const written = writeError(found, requestId, front, reply, report, error, more)
      finish(written.status, 'failed', written.error)
    },
    leave() {
      answer.isGone = true
      meter.left()
    },
    abort() {
      if (!answer.over) finish(CLIENT_CLOSED, 'aborted')
    },
    onDrain: undefined,
    onGone: undefined,
    onOver: undefined,
  }
  listen(reply, answer, report)
  return answer
}

/** A call whose client is gone ends where its answer would be written. */
function isOver(answer: Answer): boolean {
  if (answer.isGone) answer.abort()
  return answer.over
}

function streamHeaders({ stream }: Protocol, framing: string | undefined): Fields {
  return { 'content-type': stream.contentType(framing), ...STREAM_HEADERS }
}

function headersOf({ headers, described }: Front, more: Fields): Fields {
  return { ...headers, ...described, ...more }
}

/** Whether an answer ends as usual. */
function isClean({ stream }: Protocol, outcome: Outcome): boolean {
  return outcome === 'complete' || (outcome === 'interrupted' && stream.failsCleanly === true)
}

/** The end of an answer may reach no client. The call is over anyway. */
function endReply(reply: Reply, how: 'end' | 'cut', report: Report): void {
  try {
    reply[how]()
  } catch (thrown) {
    report('door', thrown)
  }
}

/** Stages are notified and memory is released whatever happens. */
function settle(
  meter: Meter,
  answer: Answer,
  report: Report,
  status: number,
  outcome: Outcome,
  error: DragomanError | undefined,
): void {
  try {
    meter.settle(status, outcome, error)
  } catch (thrown) {
    report('call', thrown)
  }
  try {
    answer.onOver?.(status, outcome, error)
  } catch (thrown) {
    report('call', thrown)
  }
}

/** Writes an error in the shape of the protocol. If a hook throws, its error is written instead. */
function writeError(
  found: Found,
  requestId: string,
  front: Front,
  reply: Reply,
  report: Report,
  error: DragomanError,
  more: Fields,
): { readonly status: number; readonly error: DragomanError } {
  const { protocol, match } = found
  const operation = typeof match === 'object' ? match.operation : undefined
  const { status, body } = protocol.error.encode(clipError(error), requestId, operation)
  const text = JSON.stringify(body)
  try {
    begin(front, status, false, error.kind)
    show(front, text)
  } catch (thrown) {
    // The hooks do not run a second time.
    return writeError(found, requestId, front, reply, report, asDragomanError(thrown), {})
  }
  try {
    reply.whole(status, headersOf(front, { ...JSON_HEADERS, ...errorHeaders(error), ...more }), text)
  } catch (thrown) {
    report('door', thrown)
    // Headers of stages may be invalid.
    guarded('door', report, () => reply.whole(status, { ...createFront(requestId).headers, ...JSON_HEADERS }, text))()
  }
  return { status, error }
}

function listen(reply: Reply, answer: Answer, report: Report): void {
  // Assigned to a variable first: V8 allocates a function that is assigned directly to a member as a long-lived object, and with it
  // everything that it references, until the next full collection.
  // The door calls both from events, where no code could catch an error.
  const onDrain = (): void => {
    try {
      answer.onDrain?.()
    } catch (thrown) {
      report('transport', thrown)
    }
  }
  const onGone = (): void => {
    if (answer.over || answer.isGone) return
    try {
      if (answer.onGone === undefined) answer.abort()
      else answer.onGone()
    } catch (thrown) {
      report('transport', thrown)
      answer.abort()
    }
  }
  reply.onDrain = onDrain
  reply.onGone = onGone
}

const JSON_HEADERS: Fields = { 'content-type': 'application/json' }
/** The second header is for buffering proxies in front of the gateway. */
const STREAM_HEADERS: Fields = { 'cache-control': 'no-cache', 'x-accel-buffering': 'no' }
/** Never sent: the status that logs commonly use for a client that closed the connection. */
const CLIENT_CLOSED = 499

function errorHeaders(error: DragomanError): Fields {
  return {
    ...(error.retryAfter === undefined ? {} : retryHeaders(error.retryAfter)),
    ...(error.retry === false ? { 'x-should-retry': 'false' } : {}),
  }
}

/** The SDKs of OpenAI and Anthropic prefer milliseconds; they are sent only where whole seconds are not exact. */
function retryHeaders(seconds: number): Fields {
  const headers = { 'retry-after': String(Math.ceil(seconds)) }
  return Number.isInteger(seconds) ? headers : { ...headers, 'retry-after-ms': String(Math.ceil(seconds * 1000)) }
}

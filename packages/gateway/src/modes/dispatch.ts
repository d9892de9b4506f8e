import { asDragomanError } from '@dragoman/core'
import { failureError, redactError, type Receiver } from '@dragoman/core/provider'
import { readCopy } from './copy.ts'
import type { Control, Dispatch } from './sink.ts'
import { createStreamSink } from './stream-sink.ts'
import { guardReceiver } from './guard-receiver.ts'
import { createValve } from './valve.ts'
import type { StreamHandler } from './handler.ts'
import { isUnreceived } from './unreceived.ts'
import { createUndecidedSink, type UndecidedHead } from './undecided-sink.ts'
import { createWholeSink, type WholeKind } from './whole-sink.ts'

/** Sends a call to an upstream and passes the answer to a sink. */
export function dispatch(work: Dispatch): void {
  const { exchange, handler } = work
  const { answer, meter } = exchange
  const { clock, usageMs, limits } = work.settings
  const control = createControl(work)
  const attempt = meter.called(handler.call.url)
  const isOver = (): boolean => answer.over || control.isReplaced
  let unread = 0

  const openStream = (head: UndecidedHead, body: ReadableStream<Uint8Array> | undefined): 'chunks' | 'through' => {
    const stream = handler.stream()
    const opened = createStreamSink(work, control, stream)
    control.sink = opened
    if (body !== undefined && head.isStreamType && passes(work, stream, body, receiver)) return 'through'
    control.sink = createUndecidedSink(work, control, opened, head)
    opened.startPulse()
    return 'chunks'
  }
  const receiver: Receiver = guardReceiver(control.abandon, {
    onHead(status, header, body) {
      handler.call.answered?.(status, header)
      if (attempt !== undefined) attempt.status = status
      if (status >= 200 && status < 300) work.next.succeeded?.()
      const kind = kindOf(status, work)
      const retryAfter = header('retry-after')
      const length = lengthOf(header)
      if (kind === 'stream') {
        const isStreamType = hasStreamType(header('content-type'), work)
        return openStream({ status, retryAfter, length, isStreamType }, body)
      }
      control.sink = createWholeSink(work, control, kind, status, retryAfter, length)
      return 'chunks'
    },
    onChunk(chunk) {
      if (isOver() || answer.isGone) {
        unread += chunk.length
        if (unread > (isOver() ? MOST_AFTER_END : limits.answer)) return leave()
        if (isOver()) return
      }
      if (attempt !== undefined && attempt.firstByteMs === undefined) {
        attempt.firstByteMs = clock.now() - attempt.startedAt
        if (attempt.isTimed) attempt.watch.firstByte()
      }
      control.sink?.push(chunk)
    },
    onEnd() {
      if (!isOver()) control.sink?.end()
    },
    onFail(failure) {
      if (isOver()) return
      if (attempt !== undefined) attempt.failure = failure.kind
      control.isUnreceived = control.sink === undefined && isUnreceived(failure)
      // A stream that has begun is accounted when its error is written.
      if (!answer.started) control.account()
      const error = failureError(failure, answer.started)
      if (answer.started || !control.retry({ error, failure })) control.fail(error)
    },
  })
  /** Stops an upstream whose answer has no reader. */
  const leave = (): void => {
    if (!isOver()) {
      control.account()
      answer.abort()
    }
    control.valve.cancel()
  }
  // Assigned to variables first, for the reason given in `reply.ts`.
  const onDrain = (): void => control.valve.resume()
  const onGone = (): void => {
    // Between two attempts, nothing is under way.
    if (control.isReplaced) return answer.abort()
    answer.leave()
    if (!meter.isBilled || usageMs === 0) return leave()
    // The upstream goes on for a while, because it reports its usage at the end of its answer.
    exchange.stopWaiting = clock.after(usageMs, leave)
    control.valve.resume()
  }
  answer.onDrain = onDrain
  answer.onGone = onGone
  // Set before the call is sent: some transports answer synchronously, and another attempt may be running when they return.
  exchange.running = { stop: control.abandon }
  control.valve.open(work.transport.send(handler.call, receiver))
}

/** The bytes that an upstream may send after its last event: it usually ends, and its connection can be used again. */
const MOST_AFTER_END = 64 * 1024

function createControl(work: Dispatch): Control {
  const { exchange } = work
  const { answer, meter } = exchange
  const { report } = work.settings
  const control: Control = {
    valve: createValve(report),
    sink: undefined,
    isReplaced: false,
    isUnreceived: false,
    account() {
      if (control.isUnreceived || (control.sink === undefined && !control.valve.isSent())) return
      try {
        if (control.sink === undefined) meter.used(undefined, 0)
        else control.sink.close()
      } catch (thrown) {
        report('call', thrown)
      }
    },
    retry(failed) {
      const { running } = exchange
      meter.attemptFailed(redactError(failed.error, work.redact))
      if (answer.isGone) return false
      // Nothing is running until the next attempt begins, which may take time.
      exchange.running = undefined
      control.isReplaced = work.next.failed(failed)
      if (!control.isReplaced) exchange.running = running
      return control.isReplaced
    },
    fail(thrown) {
      if (answer.over || control.isReplaced) return
      const error = redactError(thrown, work.redact)
      try {
        if (control.sink !== undefined) return control.sink.fail(error)
        control.account()
        answer.fail(error)
      } catch (broken) {
        report('call', broken)
        answer.fail(error)
      }
    },
    abandon(thrown) {
      control.fail(asDragomanError(thrown))
      control.valve.cancel()
    },
  }
  return control
}

/** Passes the upstream's own stream to the client and reads usage from a copy. Returns false if that is not possible. */
function passes(
  { settings, exchange, handler }: Dispatch,
  stream: StreamHandler,
  body: ReadableStream<Uint8Array>,
  receiver: Receiver,
): boolean {
  if (settings.relayedStreams === 'exact' || !stream.isUntouched || handler.pricing !== undefined) return false
  return exchange.answer.through(() => {
    const [theirs, ours] = body.tee()
    readCopy(ours, receiver)
    return theirs
  })
}

function kindOf(status: number, { stream }: Dispatch): 'stream' | WholeKind {
  if (status < 200 || status > 299) return 'error'
  return stream ? 'stream' : 'whole'
}

function hasStreamType(contentType: string | undefined, { handler }: Dispatch): boolean {
  return contentType === undefined || mediaType(contentType) === mediaType(handler.streamType)
}

/** The length of the body as it arrives: that of a compressed body is unknown. */
function lengthOf(header: (name: string) => string | undefined): number {
  const length = header('content-length')
  return header('content-encoding') === undefined && length !== undefined && /^\d{1,12}$/.test(length)
    ? Number(length)
    : 0
}

function mediaType(contentType: string): string {
  return contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

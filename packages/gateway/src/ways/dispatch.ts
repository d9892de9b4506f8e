import {
  asDragomanError,
  DragomanError,
  failureError,
  redactError,
  type Bytes,
  type Receiver,
  type Redact,
  type Transport,
} from '@dragoman/core'
import { createCollector, type Collector } from '../collect.ts'
import type { Meter } from '../meter.ts'
import type { Answer } from '../reply.ts'
import type { Settings } from '../settings.ts'
import { whenThere } from '../when-there.ts'
import type { ErrorInside, Outgoing } from '../bodies/answer-work.ts'
import { readCopy } from './copy.ts'
import { createPulse, type Pulse } from './pulse.ts'
import { isRefusal, refusalError, retryAfterOf } from './upstream-error.ts'
import { createValve } from './valve.ts'
import type { StreamWay, Way } from './way.ts'

const ERROR_LIMIT = 1024 * 1024

export interface Dispatch {
  readonly settings: Settings
  readonly meter: Meter
  readonly answer: Answer
  readonly transport: Transport
  readonly way: Way
  /** Takes the provider's secrets out of what its upstream said. */
  readonly redact: Redact
  readonly stream: boolean
  /** A sign of life in the client's protocol. */
  readonly keepAlive: string
  /** Asks again in another way, after an error before the first byte of an answer; false: the error stands. */
  readonly retry?: ((error: DragomanError) => boolean) | undefined
  /** The answer has begun: the request will not be needed again. */
  readonly onAnswering?: (() => void) | undefined
  /** So many more bytes of a whole answer are held. */
  readonly onHeld?: ((bytes: number) => void) | undefined
}

/** Running work that can be stopped from outside. */
export interface Running {
  /** Ends it now, with an error that the client can read. */
  stop(error: DragomanError): void
}

/** Sends the call and drives the way with what comes back. Callbacks only: nothing here waits. */
export function dispatch(work: Dispatch): Running {
  const { settings, meter, answer, way } = work
  const valve = createValve()
  let stream: StreamWay | undefined
  let collected: Collected | undefined
  let pulse: Pulse | undefined
  /** Somebody else answers now: nothing of this call counts any more. */
  let left = false

  const close = (): void => {
    pulse?.stop()
    if (stream === undefined) return
    const { usage, losses } = stream.report()
    meter.used(usage)
    meter.lost(losses)
  }
  /** Before the first byte an error has a status; after it, a frame. */
  const fail = (thrown: DragomanError): void => {
    if (answer.over || left) return
    const error = redactError(thrown, work.redact)
    if (stream === undefined || !answer.started) {
      close()
      return answer.fail(error)
    }
    if (stream.failed() === undefined) write(stream.fail(error))
    close()
    answer.end('interrupted', error)
  }
  const write = (out: Bytes | undefined): void => {
    if (out === undefined || out.length === 0) return
    pulse?.felt()
    if (!answer.started) work.onAnswering?.()
    if (!answer.write(out)) valve.pause()
  }
  const abandon = (thrown: unknown): void => {
    fail(asDragomanError(thrown))
    valve.cancel()
  }
  const isRetried = (error: DragomanError): boolean => {
    left = work.retry?.(error) === true
    if (left) pulse?.stop()
    return left
  }
  /** A stream that breaks before its first byte is answered as if it had never begun. */
  const passOn = (open: StreamWay, out: Bytes | undefined): void => {
    const failed = open.failed()
    if (failed !== undefined && !answer.started) return isRetried(failed) ? valve.cancel() : abandon(failed)
    write(failed !== undefined && typeof out === 'string' ? work.redact(out) : out)
  }
  const complete = (open: StreamWay): void => {
    if (answer.over || left) return
    close()
    const failed = open.failed()
    if (failed === undefined) answer.end('complete')
    else answer.end('interrupted', redactError(failed, work.redact))
  }
  /** The client reads the upstream's own stream; the books are kept from a copy. */
  const passes = (open: StreamWay, body: ReadableStream<Uint8Array>): boolean => {
    if (settings.relayedStreams === 'exact' || !open.isUntouched) return false
    return answer.through(() => {
      const [theirs, ours] = body.tee()
      readCopy(ours, receiver)
      return theirs
    })
  }
  const beat = (): void => {
    if (!answer.over && !valve.isPaused() && stream?.isBetweenFrames() === true) write(work.keepAlive)
  }

  const receiver: Receiver = {
    onHead(status, header, body) {
      way.call.answered?.(status, header)
      const mode = modeOf(status, header('content-type'), work)
      if (mode === 'stream') {
        stream = way.stream()
        if (body !== undefined && passes(stream, body)) return 'through'
        pulse = createPulse(settings.clock, settings.keepAliveMs, beat)
      } else {
        const limit = mode === 'whole' ? settings.limits.answer : ERROR_LIMIT
        if (mode === 'whole') work.onAnswering?.()
        collected = { mode, status, body: createCollector(limit), retryAfter: header('retry-after') }
      }
      return 'chunks'
    },
    onChunk(chunk) {
      if (answer.over || left) return
      try {
        if (stream !== undefined) {
          passOn(stream, stream.push(chunk))
          if (stream.isDone()) complete(stream)
        } else {
          work.onHeld?.(chunk.length)
          if (collected?.body.push(chunk) === false)
            throw new DragomanError('upstream', 'The upstream gave a larger answer than the gateway takes.')
        }
      } catch (thrown) {
        abandon(thrown)
      }
    },
    onEnd() {
      if (answer.over || left) return
      try {
        if (stream !== undefined) {
          passOn(stream, stream.end())
          complete(stream)
        } else if (collected !== undefined) {
          finish(work, collected, isRetried, abandon)
        }
      } catch (thrown) {
        abandon(thrown)
      }
    },
    onFail(failure) {
      fail(failureError(failure, answer.started))
    },
  }
  // Named before they are set, for the reason that `createAnswer` gives.
  const onDrain = (): void => valve.resume()
  const onGone = (): void => {
    close()
    answer.abort()
    valve.cancel()
  }
  answer.onDrain = onDrain
  answer.onGone = onGone
  meter.called()
  valve.open(work.transport.send(way.call, receiver))
  return { stop: abandon }
}

/** An answer that is wanted whole. */
interface Collected {
  readonly mode: 'whole' | 'unexpected' | 'error'
  readonly status: number
  readonly body: Collector
  readonly retryAfter: string | undefined
}

function modeOf(
  status: number,
  contentType: string | undefined,
  { stream, way }: Dispatch,
): 'stream' | Collected['mode'] {
  if (status < 200 || status > 299) return 'error'
  if (!stream) return 'whole'
  return contentType === undefined || mediaType(contentType) === mediaType(way.streamType) ? 'stream' : 'unexpected'
}

function finish(
  { way, meter, answer, settings, redact }: Dispatch,
  { mode, status, body, retryAfter }: Collected,
  isRetried: (error: DragomanError) => boolean,
  abandon: (thrown: unknown) => void,
): void {
  switch (mode) {
    case 'whole': {
      const hand = (outgoing: Outgoing | ErrorInside): void => {
        if (answer.over) return
        if ('error' in outgoing) return answer.fail(way.error(status, redact(outgoing.error)))
        meter.used(outgoing.usage)
        meter.lost(outgoing.losses)
        answer.whole(200, { 'content-type': 'application/json' }, outgoing.body)
      }
      return whenThere(way.whole(body.bytes()), hand, abandon)
    }
    case 'error': {
      const said = way.error(status, redact(body.text()))
      if (isRetried(said)) return
      return answer.fail(isRefusal(status) ? refusalError(said) : said, retryAfterOf(retryAfter, settings.clock.now()))
    }
    // A success that is no stream although one was asked for is an error in disguise, and its text says which.
    case 'unexpected':
      return answer.fail(way.error(status, redact(body.text())))
    default:
      return mode satisfies never
  }
}

function mediaType(contentType: string): string {
  return contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

import type { DragomanError } from '@dragoman/core'
import { redactError, type Bytes } from '@dragoman/core/provider'
import type { Meter } from '../metering/meter.ts'
import { pricedFrames } from './price-answer.ts'
import { largerAnswer } from './larger-answer.ts'
import { createPulse, type Pulse } from './pulse.ts'
import type { Control, Dispatch, Sink } from './sink.ts'
import { forCaller } from '../routing/upstream-error.ts'
import type { StreamHandler, StreamReport } from './handler.ts'

export interface StreamSink extends Sink {
  /** Starts to write keep-alives during silence. */
  startPulse(): void
}

/** A streamed answer: each chunk is passed on at once. */
export function createStreamSink(work: Dispatch, control: Control, stream: StreamHandler): StreamSink {
  const { settings, exchange, redact, handler } = work
  const { meter, answer } = exchange
  let pulse: Pulse | undefined
  let hasBegun = false
  let isSettled = false
  let size = 0

  const settle = (how: StreamEnd): void => {
    pulse?.stop()
    if (!isSettled) account(meter, stream.report(), how)
    isSettled = true
  }
  const write = (out: Bytes | undefined): void => {
    if (out === undefined || out.length === 0) return
    pulse?.felt()
    if (!answer.started) exchange.releaseBody()
    if (!answer.write(out)) control.valve.pause()
  }
  /** If a stream fails before its first byte, the client gets a whole error with a status. */
  const failEarly = (failed: DragomanError): void => {
    settle(endOf(failed))
    if (!control.retry({ error: failed })) return control.abandon(forCaller(failed))
    control.valve.cancel()
  }
  const passOn = (out: Bytes | undefined): void => {
    if (out !== undefined && out.length > 0) hasBegun = true
    const failed = stream.failed()
    if (failed !== undefined && !answer.started) failEarly(failed)
    else if (failed !== undefined) write(typeof out === 'string' ? redact(out) : out)
    else write(handler.pricing === undefined ? out : pricedFrames(handler.pricing, meter, stream, out))
  }
  /** A protocol without a usual keep-alive before the first frame gets that frame, if the gateway can write it. */
  const begin = (earlyKeepAlive: string): Bytes => {
    const start = stream.begin?.()
    hasBegun = start !== undefined
    return start ?? stream.withLineEnds(earlyKeepAlive)
  }
  const complete = (): void => {
    if (answer.over || control.isReplaced) return
    const failed = stream.failed()
    settle(endOf(failed))
    if (failed === undefined) return answer.end('complete')
    answer.end('interrupted', redactError(failed, redact))
    control.valve.cancel() // an upstream that has failed may go on
  }
  /** Runs in a timer, so it must catch what a hook throws at the first byte. */
  const beat = (): void => {
    if (answer.over || control.valve.isPaused() || !stream.isBetweenFrames()) return
    try {
      write(
        hasBegun || work.earlyKeepAlive === undefined
          ? stream.withLineEnds(work.keepAlive)
          : begin(work.earlyKeepAlive),
      )
    } catch (thrown) {
      control.abandon(thrown)
    }
  }
  return {
    startPulse() {
      pulse = createPulse(settings.clock, settings.keepAliveMs, beat)
    },
    push(chunk) {
      if (stream.isKept && (size += chunk.length) > settings.limits.answer) throw largerAnswer()
      passOn(stream.push(chunk))
      if (stream.isDone()) complete()
    },
    end() {
      passOn(stream.end())
      complete()
    },
    /** Before the first byte an error is a status, after it a frame. */
    fail(error) {
      try {
        if (answer.started && stream.failed() === undefined) write(stream.fail(error))
      } finally {
        settle('broken')
      }
      if (answer.started) answer.end('interrupted', error)
      else answer.fail(error)
    },
    close: () => settle('broken'),
  }
}

/**
 * How a stream has ended. `refused`: by an error of the upstream; without any output, it bills nothing. `broken`: it has received the call,
 * and did not report its usage.
 */
type StreamEnd = 'complete' | 'refused' | 'broken'

function account(meter: Meter, { usage, terms, uncounted, losses }: StreamReport, how: StreamEnd): void {
  const isUnbilled = how === 'refused' && usage === undefined && (uncounted ?? 0) === 0
  const missing = how === 'complete' || usage !== undefined ? uncounted : (uncounted ?? 0)
  meter.used(usage, isUnbilled ? undefined : missing, terms)
  meter.lost(losses)
}

/** A stream without its last event was interrupted; any other error is the upstream's own. */
function endOf(failed: DragomanError | undefined): StreamEnd {
  if (failed === undefined) return 'complete'
  return failed.kind === 'interrupted' ? 'broken' : 'refused'
}

import { DragomanError } from '@dragoman/core'
import type { ErrorInside, Outgoing } from '../bodies/answer-work.ts'
import { costHeaders } from '../answer-head.ts'
import { createCollector } from '../collect.ts'
import { pricedBody } from '../price-answer.ts'
import { whenThere } from '../when-there.ts'
import type { Control, Dispatch, Sink } from './sink.ts'
import { absenceOf } from './absence.ts'
import { forCaller, retryAfterOf } from './upstream-error.ts'

/** 'unexpected': a success that is not a stream although a stream was requested. */
export type WholeKind = 'whole' | 'error' | 'unexpected'

const ERROR_LIMIT = 1024 * 1024

/** An answer that is collected before it is passed on. */
export function createWholeSink(
  { settings, exchange, handler, redact, next }: Dispatch,
  { retry, abandon, valve }: Control,
  kind: WholeKind,
  status: number,
  retryAfter: string | undefined,
  length = 0,
): Sink {
  const { meter, answer } = exchange
  const body = createCollector(kind === 'whole' ? settings.limits.answer : ERROR_LIMIT, length)
  // Without another attempt the request is no longer needed. Its memory is for the answer.
  if (kind === 'whole' && !next.mayFollow()) exchange.releaseBody()
  const handOn = (outgoing: Outgoing | ErrorInside): void => {
    if (answer.over) return
    if ('error' in outgoing) return failInside(redact(outgoing.error))
    meter.used(outgoing.usage, outgoing.uncounted)
    meter.lost(outgoing.losses)
    const body = pricedBody(handler.pricing, meter.cost, outgoing.body)
    answer.whole(200, { 'content-type': 'application/json', ...costHeaders(meter) }, body)
  }
  /** An error with the status of a success. LM Studio says in this way that it does not have an endpoint (2026). */
  const failInside = (text: string): void => {
    const error = handler.error(status, text)
    const absence = absenceOf(status, error, text)
    if (absence === undefined || !retry({ error, status, absence })) answer.fail(forCaller(error))
  }
  const fail = (): void => {
    const text = redact(body.text())
    const error = handler.error(status, text)
    const absence = absenceOf(status, error, text)
    const seconds = retryAfterOf(retryAfter, settings.clock.now())
    if (retry({ error, status, retryAfter: seconds, absence })) return
    answer.fail(forCaller(error, status), seconds === undefined ? {} : { 'retry-after': String(seconds) })
  }
  return {
    push(chunk) {
      exchange.lease?.add(chunk.length)
      if (!body.push(chunk))
        throw new DragomanError('upstream', 'The upstream gave a larger answer than the gateway takes.')
    },
    end() {
      switch (kind) {
        case 'whole':
          return whenThere(handler.whole(body.bytes(), valve.signal), handOn, abandon)
        case 'error':
          return fail()
        // The text contains the error.
        case 'unexpected':
          return failInside(redact(body.text()))
        default:
          return kind satisfies never
      }
    },
    fail: (error) => answer.fail(error),
    close() {
      if (kind === 'whole') meter.used(undefined, 0)
    },
  }
}

import type { ErrorInside, Outgoing } from '../bodies/answer-work.ts'
import { sizeTokens } from '../bodies/estimate.ts'
import { costHeaders } from '../call/answer-head.ts'
import { createCollector } from '../ports/collect.ts'
import { pricedBody } from './price-answer.ts'
import { whenThere } from '../ports/when-there.ts'
import { largerAnswer } from './larger-answer.ts'
import type { Control, Dispatch, Sink } from './sink.ts'
import { failWhole } from './fail-whole.ts'

export type WholeKind = 'whole' | 'error'

const ERROR_LIMIT = 1024 * 1024

/** An answer that is collected before it is passed on. */
export function createWholeSink(
  work: Dispatch,
  control: Control,
  kind: WholeKind,
  status: number,
  retryAfter: string | undefined,
  length = 0,
): Sink {
  const { settings, exchange, handler, next } = work
  const { meter, answer } = exchange
  const body = createCollector(kind === 'whole' ? settings.limits.answer : ERROR_LIMIT, length)
  // Without another attempt the request is no longer needed. Its memory is for the answer.
  const isReleased = kind === 'whole' && !next.mayFollow()
  if (isReleased) exchange.releaseBody()
  /** Also called for an error with the status of a success. LM Studio says in this way that it does not have an endpoint (2026). */
  const fail = (text: string): void => failWhole(work, control, { status, retryAfter, isReleased }, text)
  let isCounted = kind === 'error'
  /** What the upstream has billed is not known. What has arrived says how long the answer was at least. */
  const close = (): void => {
    if (!isCounted) meter.used(undefined, sizeTokens(body.size()))
  }
  const handOn = (outgoing: Outgoing | ErrorInside): void => {
    if (answer.over) return
    if ('error' in outgoing) return fail(outgoing.error)
    isCounted = true
    meter.used(outgoing.usage, outgoing.uncounted, outgoing.terms)
    meter.lost(outgoing.losses)
    const body = pricedBody(handler.pricing, meter.cost, outgoing.body)
    answer.whole(200, { 'content-type': 'application/json', ...costHeaders(meter) }, body)
  }
  return {
    push(chunk) {
      exchange.lease?.add(chunk.length)
      if (!body.push(chunk)) throw largerAnswer()
    },
    end() {
      switch (kind) {
        case 'whole':
          return whenThere(handler.whole(body.bytes(), control.valve.signal), handOn, control.abandon)
        case 'error':
          return fail(body.text())
        default:
          return kind satisfies never
      }
    },
    fail(error) {
      close()
      answer.fail(error)
    },
    close,
  }
}

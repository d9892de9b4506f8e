import type { Protocol, Usage } from '@dragoman/core'
import type { Control, Dispatch } from './sink.ts'
import { absenceOf } from '../health/absence.ts'
import { forCaller, retryAfterOf } from '../routing/upstream-error.ts'

/** The head of an error. Its status is that of a success if the upstream has written the error instead of an answer. */
export interface FailedHead {
  readonly status: number
  readonly retryAfter: string | undefined
  /** The request is released: only the same call at another endpoint can follow, if there is one. */
  readonly isReleased?: boolean
}

/** Ends an attempt with an error that arrived as a whole body: another one follows, or the caller gets it. */
export function failWhole(
  { settings, exchange: { answer, meter }, handler, redact, route }: Dispatch,
  { retry, abandon }: Pick<Control, 'retry' | 'abandon'>,
  { status, retryAfter, isReleased = false }: FailedHead,
  body: string,
): void {
  const text = redact(body)
  const billed = usageIn(route.protocol, body)
  // Of several calls that an answer is made of, upstreams may have received some.
  if (billed !== undefined) meter.used(billed)
  else if (meter.share !== undefined && meter.share() > 0) meter.used(undefined, 0)
  const error = handler.error(status, text)
  if (answer.started) return abandon(forCaller(error, status))
  const absence = absenceOf(status, error, text)
  const seconds = retryAfterOf(retryAfter, settings.clock.now())
  if (isReleased && absence === undefined) meter.attemptFailed(error)
  else if (retry({ error, status, retryAfter: seconds, absence })) return
  answer.fail(forCaller(error, status), seconds === undefined ? {} : { 'retry-after': String(seconds) })
}

const UTF8 = new TextEncoder()

/** An error with usage is billed. Undefined if it has none, as almost all. */
function usageIn({ relay }: Protocol, body: string): Usage | undefined {
  if (!/usage/i.test(body)) return undefined
  const tap = relay.tap({ stream: false })
  tap.push(UTF8.encode(body))
  return tap.end().usage
}

import type { Control, Dispatch } from './sink.ts'
import { absenceOf } from './absence.ts'
import { forCaller, retryAfterOf } from './upstream-error.ts'

/** The head of an error. Its status is that of a success if the upstream has written the error instead of an answer. */
export interface FailedHead {
  readonly status: number
  readonly retryAfter: string | undefined
  /** The request is released: only the same call at another endpoint can follow, if there is one. */
  readonly isReleased?: boolean
}

/** Ends an attempt with an error that arrived as a whole body: another one follows, or the caller gets it. */
export function failWhole(
  { settings, exchange: { answer, meter }, handler, redact }: Dispatch,
  { retry, abandon }: Pick<Control, 'retry' | 'abandon'>,
  { status, retryAfter, isReleased = false }: FailedHead,
  body: string,
): void {
  const text = redact(body)
  const error = handler.error(status, text)
  if (answer.started) return abandon(forCaller(error, status))
  const absence = absenceOf(status, error, text)
  const seconds = retryAfterOf(retryAfter, settings.clock.now())
  if (isReleased && absence === undefined) meter.attemptFailed(error)
  else if (retry({ error, status, retryAfter: seconds, absence })) return
  answer.fail(forCaller(error, status), seconds === undefined ? {} : { 'retry-after': String(seconds) })
}

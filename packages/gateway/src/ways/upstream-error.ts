import { DragomanError, type Failure, type Fields } from '@dragoman/core'

/** The gateway's own credentials or account were refused: the operator's trouble, not the caller's. */
export function isRefusal(status: number): boolean {
  return status === 401 || status === 402 || status === 403
}

/** Says nothing of what the upstream said, which may hold a piece of the key; the log has it as the cause. */
export function refusalError(said: DragomanError): DragomanError {
  return new DragomanError('upstream', 'The upstream refused the gateway.', { cause: said })
}

/** What upstreams say of signatures and encrypted thoughts that they cannot read; none of them has a code for it. */
const OF_SEALS = /signature|encrypted.content|(redacted_)?thinking\W+block/i

/** The upstream refused what only the issuer of a history can read. */
export function isSealRefusal({ kind, message }: DragomanError): boolean {
  return kind === 'invalid-request' && OF_SEALS.test(message)
}

/** A call that failed below HTTP. */
export function failureError({ kind, cause }: Failure, begun: boolean): DragomanError {
  if (kind === 'timeout') return new DragomanError('timeout', 'The upstream took too long to answer.', { cause })
  if (begun) return new DragomanError('interrupted', 'The connection to the upstream broke off.', { cause })
  return new DragomanError('upstream', FAILURE_TEXT_OF[kind], { cause })
}

const FAILURE_TEXT_OF: Record<Exclude<Failure['kind'], 'timeout'>, string> = {
  refused: 'The upstream could not be reached.',
  dns: 'The upstream could not be found.',
  tls: 'No secure connection to the upstream could be made.',
  reset: 'The upstream closed the connection without an answer.',
  cancelled: 'The call to the upstream was called off.',
}

/** The upstream's wish as whole seconds; nothing when it is unreadable. */
export function retryAfterOf(value: string | undefined, now: number): Fields {
  if (value === undefined) return {}
  const seconds = /^\d{1,9}(\.\d+)?$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1000
  return Number.isFinite(seconds) ? { 'retry-after': String(Math.max(0, Math.ceil(seconds))) } : {}
}

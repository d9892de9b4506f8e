import { DragomanError } from '@dragoman/core'
import type { Fields } from '@dragoman/core/provider'

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

/** The upstream's wish as whole seconds; nothing when it is unreadable. */
export function retryAfterOf(value: string | undefined, now: number): Fields {
  if (value === undefined) return {}
  const seconds = /^\d{1,9}(\.\d+)?$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1000
  return Number.isFinite(seconds) ? { 'retry-after': String(Math.max(0, Math.ceil(seconds))) } : {}
}

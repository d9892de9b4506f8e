import { DragomanError } from '@dragoman/core'
import type { Fields } from '@dragoman/core/provider'

/** Whether the upstream refused the gateway's own credentials or account, which the operator must solve, not the caller. */
export function isRefusal(status: number): boolean {
  return status === 401 || status === 402 || status === 403
}

/** Does not repeat the upstream's text, which may contain a part of the key. The log has it as the cause. */
export function refusalError(cause: DragomanError): DragomanError {
  return new DragomanError('upstream', 'The upstream refused the gateway.', { cause })
}

/** How upstreams describe signatures and encrypted reasoning that they cannot read. None of them has an error code for it. */
const OF_SEALS = /signature|encrypted.content|(redacted_)?thinking\W+block/i

/** Whether the upstream refused a seal of the history. */
export function isSealRefusal({ kind, message }: DragomanError): boolean {
  return kind === 'invalid-request' && OF_SEALS.test(message)
}

/** The upstream's retry-after in whole seconds; empty if it cannot be read. */
export function retryAfterOf(value: string | undefined, now: number): Fields {
  if (value === undefined) return {}
  const seconds = /^\d{1,9}(\.\d+)?$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1000
  return Number.isFinite(seconds) ? { 'retry-after': String(Math.max(0, Math.ceil(seconds))) } : {}
}

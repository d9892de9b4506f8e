import { DragomanError, type ErrorKind } from '@dragoman/core'

/** Errors about the gateway's own credentials or account, which the operator must solve, not the caller. */
const REFUSALS: readonly (ErrorKind | number)[] = ['authentication', 'budget', 'permission', 401, 402, 403]

/**
 * An upstream's error, as the caller gets it. A refusal of the gateway does not repeat the upstream's text, which may contain a part of
 * the key. The log has it as the cause.
 */
export function forCaller(error: DragomanError, status = 0): DragomanError {
  if (!REFUSALS.includes(error.kind) && !REFUSALS.includes(status)) return error
  return new DragomanError('upstream', 'The upstream refused the gateway.', { cause: error })
}

/** How upstreams describe signatures and encrypted reasoning that they cannot read. None of them has an error code for it. */
const OF_SEALS = /signature|encrypted.content|(redacted_)?thinking\W+block/i

/** Whether the upstream refused a seal of the history. */
export function isSealRefusal({ kind, message }: DragomanError): boolean {
  return kind === 'invalid-request' && OF_SEALS.test(message)
}

/** The upstream's retry-after in whole seconds; undefined if it cannot be read. */
export function retryAfterOf(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  const seconds = /^\d{1,9}(\.\d+)?$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined
}

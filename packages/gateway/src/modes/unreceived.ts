import type { Failure } from '@dragoman/core/provider'

/** Whether a failure shows that the upstream has not received the call: there was no connection, or it had been closed. */
export function isUnreceived({ kind, stale }: Failure): boolean {
  return stale === true || kind === 'refused' || kind === 'dns' || kind === 'tls'
}

import type { DragomanError, ErrorKind } from '@dragoman/core'
import { isOverflow } from '@dragoman/core/protocols'
import type { Failure } from '@dragoman/core/provider'
import type { Absence } from './absence.ts'
import type { Attempt } from '../ports/ports.ts'
import type { Watch } from './health.ts'

/** An attempt that failed before the first byte of its answer was sent to the client. */
export interface Failed {
  readonly error: DragomanError
  /** The upstream's status; absent without an answer. */
  readonly status?: number | undefined
  /** Set if the call failed below HTTP. */
  readonly failure?: Failure | undefined
  /** Seconds, from the upstream's `retry-after`. */
  readonly retryAfter?: number | undefined
  /** Set if the upstream has no endpoint for the call. */
  readonly absence?: Absence | undefined
}

/** What a failure says about the upstream, and what may be tried next. */
export type Verdict =
  /** The upstream cannot be reached. */
  | 'unreachable'
  /** The upstream answered that it failed, or its answer cannot be read. */
  | 'fault'
  /** The upstream refused the gateway's key or account. */
  | 'refused'
  /** The key is over its limit. */
  | 'limited'
  /** Another attempt may succeed, although the upstream works. */
  | 'unlucky'
  /** The prompt is too large for the model. */
  | 'overflow'
  /** The caller's own mistake: every upstream would refuse it. */
  | 'mistake'

const VERDICT_OF: { readonly [kind in ErrorKind]?: Verdict } = {
  authentication: 'refused',
  permission: 'refused',
  budget: 'refused',
  'rate-limit': 'limited',
  'request-timeout': 'unlucky',
  conflict: 'unlucky',
  timeout: 'fault',
  overloaded: 'fault',
  unavailable: 'fault',
  upstream: 'fault',
  'upstream-error': 'fault',
  'upstream-overloaded': 'fault',
  interrupted: 'fault',
}

export function verdictOf(error: DragomanError, status?: number, failure?: Failure['kind']): Verdict {
  // A connection that breaks inside an answer is a fault of the answer.
  if (failure !== undefined && status === undefined) return failure === 'cancelled' ? 'mistake' : 'unreachable'
  const verdict = VERDICT_OF[error.kind] ?? (isOverflow(error) ? 'overflow' : 'mistake')
  // With a status below 500, the upstream says that the fault is not its own.
  return verdict === 'fault' && status !== undefined && status >= 400 && status < 500 ? 'unlucky' : verdict
}

/** Counts what an attempt shows about its upstream. */
export function reportToHealth(watch: Watch, attempt: Attempt, error: DragomanError | undefined): void {
  const { outcome, stream, usage, status, failure } = attempt
  if (outcome === 'complete') return watch.succeeded(stream ? usage?.output : undefined)
  if (outcome === 'aborted' || error === undefined) return watch.neutral()
  const verdict = verdictOf(error, status, failure)
  if (verdict === 'unreachable') watch.fault('transport')
  else if (verdict === 'fault') watch.fault('answer')
  else watch.neutral()
}

import type { DragomanError, ErrorKind, Usage } from '@dragoman/core'
import type { Failure } from '@dragoman/core/provider'
import type { Outcome } from './ports.ts'
import type { Route } from './resolve.ts'

/** One call to an upstream, when it is over. */
export interface Attempt {
  readonly provider: string
  /** The routed id: `<provider>/<name>`. */
  readonly model: string
  /** The name of the upstream's protocol. */
  readonly protocol: string
  /** Scheme, host and port of the upstream. */
  readonly origin: string
  readonly stream: boolean
  /** Unix milliseconds. */
  readonly startedAt: number
  readonly ms: number
  /** Until the first byte of the upstream's body. */
  readonly firstByteMs?: number | undefined
  /** The upstream's status; absent without a response. */
  readonly status?: number | undefined
  /** Set if the upstream could not be reached or its connection broke. */
  readonly failure?: Failure['kind'] | undefined
  readonly outcome: Outcome
  readonly error?: ErrorKind | undefined
  /** What the upstream has reported. */
  readonly usage?: Usage | undefined
}

/** An attempt that is under way. Plain data, because every call has one. */
export interface RunningAttempt {
  readonly route: Route
  readonly url: string
  readonly stream: boolean
  readonly startedAt: number
  firstByteMs: number | undefined
  status: number | undefined
  failure: Failure['kind'] | undefined
}

export function beginAttempt(route: Route, url: string, stream: boolean, now: number): RunningAttempt {
  return { route, url, stream, startedAt: now, firstByteMs: undefined, status: undefined, failure: undefined }
}

export function endAttempt(
  { route, url, stream, startedAt, firstByteMs, status, failure }: RunningAttempt,
  now: number,
  outcome: Outcome,
  error: DragomanError | undefined,
  usage: Usage | undefined,
): Attempt {
  return {
    provider: route.provider.name,
    model: route.id,
    protocol: route.protocol.name,
    origin: originOf(url),
    stream,
    startedAt,
    ms: now - startedAt,
    firstByteMs,
    status,
    failure,
    outcome,
    error: error?.kind,
    usage,
  }
}

/** Base URLs contain no user name and no password. */
function originOf(url: string): string {
  const path = url.indexOf('/', url.indexOf('://') + 3)
  return path < 0 ? url : url.slice(0, path)
}

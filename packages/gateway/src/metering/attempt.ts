import type { DragomanError, Usage } from '@dragoman/core'
import type { Failure } from '@dragoman/core/provider'
import type { Health, Watch } from '../health/health.ts'
import type { Attempt, Outcome } from '../ports/ports.ts'
import type { Report } from '../ports/report.ts'
import type { Route } from '../models/route.ts'
import { reportToHealth } from '../health/failed.ts'

/** An attempt that is under way. Plain data, because every call has one. */
export interface RunningAttempt {
  readonly route: Route
  readonly url: string
  readonly stream: boolean
  readonly startedAt: number
  /** Takes what the attempt shows about the upstream. */
  readonly watch: Watch
  /** Whether its time says something about the model: that of a count does not. */
  readonly isTimed: boolean
  firstByteMs: number | undefined
  status: number | undefined
  failure: Failure['kind'] | undefined
}

export function beginAttempt(
  { route, stream }: Pick<RunningAttempt, 'route' | 'stream'>,
  url: string,
  now: number,
  health: Health,
  isTimed: boolean,
  caller: string,
): RunningAttempt {
  const watch = health.begin({ provider: route.provider.name, model: route.id }, stream ? 'stream' : 'whole', caller)
  return {
    route,
    url,
    stream,
    startedAt: now,
    watch,
    isTimed,
    firstByteMs: undefined,
    status: undefined,
    failure: undefined,
  }
}

/** Ends an attempt, and counts what it shows about its upstream. */
export function endAttempt(
  { watch, route, url, stream, startedAt, firstByteMs, status, failure }: RunningAttempt,
  now: number,
  outcome: Outcome,
  error: DragomanError | undefined,
  usage: Usage | undefined,
  report: Report,
): Attempt {
  const attempt: Attempt = {
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
    upstreamMessage: status === undefined ? undefined : error?.message,
    usage,
  }
  try {
    reportToHealth(watch, attempt, error)
  } catch (thrown) {
    report('call', thrown)
  }
  return attempt
}

/** Base URLs contain no user name and no password. */
function originOf(url: string): string {
  const path = url.indexOf('/', url.indexOf('://') + 3)
  return path < 0 ? url : url.slice(0, path)
}

import { ownerIdOf } from '../callers/admit.ts'
import { asDragomanError, DragomanError } from '@dragoman/core'
import { redactError } from '@dragoman/core/provider'
import { leaveQueue, type Exchange } from '../call/exchange.ts'
import { backoffMs } from '../health/backoff.ts'
import { forCaller } from '../routing/upstream-error.ts'
import { redactOf } from '../models/route-facts.ts'
import type { Settings } from '../call/settings.ts'
import { createAbsentRoutes, type AbsentRoutes } from '../routing/absent-routes.ts'
import type { Candidate } from '../routing/candidates.ts'
import type { Chosen } from './choose-routes.ts'
import { enterQueue } from './enter-queue.ts'
import { verdictOf, type Failed, type Verdict } from '../health/failed.ts'
import type { Next } from '../routing/next.ts'
import { refusedByAll } from '../routing/fidelity.ts'
import { createWalk } from '../routing/walk.ts'

/** The call whose routes are tried. */
export interface Trying {
  readonly settings: Settings
  readonly exchange: Exchange
  /** Ends the call with an error. */
  readonly fail: (thrown: unknown) => void
}

/** Sends a call to a route. `next` decides what follows if that fails before the first byte of the answer. */
export type Ask = (route: Candidate, next: Next) => void

/** The gateway does not wait longer than this: the caller gets the time to wait. */
const LONGEST_WAIT_MS = 10_000

/** Asks the routes one after another, until an answer begins or no route is left. `operation` is the name of the operation. */
export function tryRoutes(operation: string, call: Trying, chosen: Chosen, ask: Ask): void {
  const { settings, exchange, fail } = call
  const { routing, clock } = settings
  const walk = createWalk(chosen.routes, routing.health, clock, ownerIdOf(exchange.caller))
  let otherKeys: ((route: Candidate) => number) | undefined
  let retries = chosen.policy.retries ?? routing.retries
  let failedRounds = 0
  let isStaleRetried = false
  /** The error of the last attempt that failed. */
  let lastError: DragomanError | undefined
  let passedOver: readonly string[] = NOTHING
  let absent: AbsentRoutes | undefined

  const start = (route: Candidate): true => {
    // If the attempt fails, the next one is remembered.
    if (chosen.conversation !== undefined)
      routing.conversations.remember(exchange.caller?.id, chosen.conversation, route.id)
    const go = (): void => {
      try {
        ask(route, nextOf(route))
      } catch (thrown) {
        fail(thrown)
      }
    }
    enterQueue(routing.queues, exchange, route, go, (reason) => {
      if (!tryNext()) fail(lastError ?? unavailable(reason, 1))
    })
    return true
  }
  /** Tries the next route. Returns false if there is none. */
  const tryNext = (): boolean => {
    const route = walk.take()
    return route !== undefined && start(absent?.instead(route) ?? route)
  }
  /** After all routes have failed: waits, then begins with the first again. */
  const retry = (verdict: Verdict, retryAfter = 0): boolean => {
    const wait = Math.max(backoffMs(failedRounds + 1, routing.random), retryAfter * 1000)
    const isUseless = verdict === 'refused' || verdict === 'overflow' || wait > LONGEST_WAIT_MS
    if (retries === 0 || isUseless || clock.now() + wait >= exchange.deadline) return false
    retries--
    failedRounds++
    walk.restart()
    clock.after(wait, () => {
      if (!exchange.answer.over && !tryNext()) fail(lastError ?? unavailable(PAUSED, 1))
    })
    return true
  }
  const failed = (route: Candidate, reason: Failed): boolean => {
    const verdict = verdictOf(reason.error, reason.status, reason.failure?.kind)
    leaveQueue(exchange)
    lastError = redactError(forCaller(reason.error, reason.status), redactOf(route))
    if (reason.absence !== undefined) {
      absent ??= createAbsentRoutes(routing.absences, operation)
      walk.keep(absent.add(route, reason.absence))
      return tryNext()
    }
    if (verdict === 'mistake') return false
    if (reason.failure?.stale === true && !isStaleRetried) {
      isStaleRetried = true
      return start(route)
    }
    if ((verdict === 'refused' || verdict === 'limited') && (otherKeys ??= createKeyCount())(route) > 0)
      return start(route)
    walk.keep((other) => isWorthTrying(other, route, verdict, reason))
    return tryNext() || retry(verdict, reason.retryAfter)
  }
  const nextOf = (route: Candidate): Next => ({
    policy: chosen.policy,
    failed: (reason) => failed(route, reason),
    passOver(reason) {
      leaveQueue(exchange)
      passedOver = [...passedOver, `${route.id}: ${reason}`]
      if (!tryNext()) fail(lastError ?? refusedByAll(passedOver))
    },
    unusable(thrown) {
      leaveQueue(exchange)
      lastError ??= asDragomanError(thrown)
      if (!tryNext()) fail(lastError)
    },
    mayFollow: () => walk.hasMore() || retries > 0,
    succeeded: absent === undefined ? undefined : () => absent?.remember(route.provider),
  })
  if (!tryNext()) fail(unavailable(PAUSED, Math.ceil(((walk.pausedUntil ?? 0) - clock.now()) / 1000)))
}

const NOTHING: readonly string[] = []
const PAUSED = 'its upstream has failed lately'

/** Counts the keys of each provider that are left to try for a call, one less at each use. */
function createKeyCount(): (route: Candidate) => number {
  const failures = new Map<string, number>()
  return ({ provider, key }) => {
    if (key !== undefined) return 0
    const { all, awake } = provider.keyState?.() ?? { all: 0, awake: 0 }
    const failed = (failures.get(provider.name) ?? 0) + 1
    failures.set(provider.name, failed)
    return Math.min(all - failed, awake)
  }
}

/**
 * Whether a route may succeed where another has failed. The same model at the same provider can be tried in another protocol only if
 * nothing was reached, and a prompt that was too large needs a larger context.
 */
function isWorthTrying(route: Candidate, after: Candidate, verdict: Verdict, { failure }: Failed): boolean {
  if (verdict === 'overflow') return (route.card.context ?? 0) > (after.card.context ?? 0)
  const isUnreached = failure?.kind === 'refused' || failure?.kind === 'dns'
  return route.id !== after.id || isUnreached
}

function unavailable(reason: string, seconds: number): DragomanError {
  const message = `The model is not available now: ${reason}.`
  return new DragomanError('unavailable', message, { retryAfter: Math.max(1, seconds) })
}

import type { DragomanError } from '@dragoman/core'
import type { Caller, CallEnd, Clock, ReadCall, RoutedCall, Stage, StageCall } from '@dragoman/gateway'
import type { Verdict } from '../store/store.ts'
import type { RecentRefusal, RecentRefusals } from './recent-refusals.ts'
import { explainedCall } from './explained-call.ts'
import type { Groups } from './groups.ts'
import type { ModelName } from './model-names.ts'
import { settlementOf, type RunningCall } from './open-call.ts'
import { createRunningCalls, runningOf } from './running-call.ts'
import { refusalOf, storeLost, type Wanted } from './refusals.ts'
import type { Terms } from './terms.ts'
import { recordOf, usedTokens } from './usage-to-record.ts'

export interface CallStageOptions {
  readonly groups: Groups
  readonly refusals: RecentRefusals
  readonly termsOf: (caller: Caller) => Terms
  readonly clock: Pick<Clock, 'now'>
  /** Whether calls are served if the store fails. */
  readonly isServing: boolean
  /** Without the store, at most this many settlements are kept. */
  readonly mostWaiting: number
  readonly nameOf: ModelName
}

export interface CallStage {
  readonly stage: Stage
  /** The number of calls under way. */
  readonly running: () => number
}

/** Admits calls within the limits and the budgets of their keys, and settles them. */
export function createCallStage(options: CallStageOptions): CallStage {
  const { groups, refusals, termsOf, clock, isServing, mostWaiting, nameOf } = options
  const calls = createRunningCalls()
  const settle = (running: RunningCall, end: CallEnd | undefined): void => {
    const usage = end?.record
    const record = usage === undefined ? undefined : recordOf(running.call, usage, nameOf)
    groups.settle(settlementOf(running, record, usedTokens(usage)))
    running.state = 'over'
    refusals.remove(running.call.key)
  }
  /** What to do with a call when the store has answered. Returns the error of one that is refused. */
  const takeVerdict = (
    call: StageCall,
    running: RunningCall,
    verdict: Verdict | 'unknown' | 'lost',
  ): DragomanError | undefined => {
    const { terms } = running
    const isOver = running.state === 'over'
    if (verdict !== 'unknown' && verdict !== 'lost' && terms.hasRates && !isOver) call.addRateLimits(verdict.rates)
    if (verdict === 'lost' || (verdict !== 'unknown' && 'refused' in verdict)) {
      calls.end(call)
      if (verdict === 'lost') return storeLost()
      refusals.add(terms.key, verdict, running.call.estimate, clock.now())
      return refusalOf(verdict, verdict.waitMs, { budgets: running.budgets, estimate: running.call.estimate })
    }
    running.state = verdict === 'unknown' ? 'unknown' : 'open'
    // The client left while the call waited for the store.
    if (isOver) settle(running, undefined)
    return undefined
  }
  const open = (call: StageCall, running: RunningCall): Promise<void> =>
    new Promise((resolve, reject) => {
      // Assigned to a variable first, for the reason given in the gateway's `reply.ts`.
      const onVerdict: RunningCall['onVerdict'] = (verdict) => {
        const refusal = takeVerdict(call, running, verdict)
        return refusal === undefined ? resolve() : reject(refusal)
      }
      running.onVerdict = onVerdict
      calls.begin(call, running)
      groups.open(running)
    })
  const isLost = (): boolean => groups.isDown() || groups.waiting() >= mostWaiting
  const stage: Stage = {
    afterAdmission({ caller, method, addRateLimits }: StageCall) {
      // Lists of models cost nothing.
      if (caller === undefined || method !== 'POST') return
      refuseLimited(refusals, termsOf(caller), addRateLimits, clock.now())
    },
    beforeRoute(call) {
      requirePrice(call, termsOf)
      const running = explainedCall(call, termsOf)
      if (running === undefined) return undefined
      if (isLost() && !isServing) throw storeLost()
      return isLost() ? undefined : open(call, running)
    },
    beforeCall(call) {
      const { caller } = call
      if (caller === undefined) return undefined
      const before = calls.of(call)
      if (before !== undefined) {
        const { nanos } = call.estimate()
        if (nanos <= before.reserved || before.state !== 'open') return undefined
        if (isLost() && !isServing) throw storeLost()
        return isLost() ? undefined : raise(groups, call, before, nanos, nameOf)
      }
      const running = runningOf(call, termsOf(caller), nameOf)
      if (!isLost()) {
        refuseAgain(refusals, running, clock.now())
        return open(call, running)
      }
      if (!isServing || groups.waiting() >= mostWaiting) throw storeLost()
      running.state = 'unknown'
      calls.begin(call, running)
      return undefined
    },
    onSettle(call, callEnd) {
      const running = calls.end(call)
      if (running === undefined) return
      if (running.state === 'waiting') running.state = 'over'
      else settle(running, callEnd)
    },
  }
  return { stage, running: calls.count }
}

const NOTHING_WANTED: Wanted = { budgets: [], estimate: 0 }

function waitOf({ freeAt }: RecentRefusal, now: number): number | undefined {
  return freeAt === undefined ? undefined : freeAt - now
}

/** A budget cannot pay for a call without a known price. */
function requirePrice(call: ReadCall, termsOf: (caller: Caller) => Terms): void {
  const { caller, startedAt } = call
  if (caller !== undefined && termsOf(caller).budgetsAt(startedAt).length > 0) call.requirePrice()
}

/** A limit that has refused a call a moment ago refuses all others until then. */
function refuseLimited(
  refusals: RecentRefusals,
  { key, hasRates }: Terms,
  addRateLimits: StageCall['addRateLimits'],
  now: number,
): void {
  const refusal = refusals.find(key, now)
  if (refusal === undefined || refusal.refused.refused === 'budget') return
  if (hasRates) addRateLimits(refusal.refused.rates)
  throw refusalOf(refusal.refused, waitOf(refusal, now), NOTHING_WANTED)
}

/** A budget that has refused a call a moment ago may have room for a cheaper one, and always has room for one that costs nothing. */
function refuseAgain(refusals: RecentRefusals, { terms, budgets, call: { estimate } }: RunningCall, now: number): void {
  const refusal = refusals.find(terms.key, now)
  if (refusal?.refused.refused !== 'budget' || estimate === 0 || estimate < refusal.estimate) return
  throw refusalOf(refusal.refused, waitOf(refusal, now), { budgets, estimate })
}

/** Reserves more for another attempt, which is expected to cost more. If that is refused, the reservation stays as it was. */
function raise(
  groups: Groups,
  { route: { model, provider, mode } }: RoutedCall,
  running: RunningCall,
  estimate: number,
  nameOf: ModelName,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const before = running.call
    running.call = { ...before, model: nameOf(model), provider, mode, estimate }
    running.asked = estimate - running.reserved
    running.onVerdict = (verdict) => {
      if (verdict === 'unknown' || (verdict !== 'lost' && 'granted' in verdict)) return resolve()
      running.call = before
      if (verdict === 'lost') return reject(storeLost())
      reject(refusalOf(verdict, verdict.waitMs, { budgets: running.budgets, estimate }))
    }
    groups.open(running)
  })
}

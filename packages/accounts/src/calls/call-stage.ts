import type { DragomanError } from '@dragoman/core'
import type { Caller, CallEnd, Clock, RoutedCall, Stage, StageCall } from '@dragoman/gateway'
import type { Verdict } from '../store/store.ts'
import type { Blocks } from './blocks.ts'
import type { Groups } from './groups.ts'
import type { ModelName } from './model-names.ts'
import { reserveMore, settlementOf, type RunningCall } from './open-call.ts'
import { refusalOf, storeLost } from './refusals.ts'
import type { Terms } from './terms.ts'
import { recordOf, usedTokens } from './usage-to-record.ts'

export interface CallStageOptions {
  readonly groups: Groups
  readonly blocks: Blocks
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
  const { groups, blocks, termsOf, clock, isServing, mostWaiting, nameOf } = options
  // Not a map by id: those that V8 has replaced by larger ones keep their calls alive, with everything they refer to, until memory is
  // collected as a whole. That took longer than the calls themselves.
  const calls = new WeakMap<StageCall, RunningCall>()
  let count = 0
  const begin = (call: StageCall, running: RunningCall): void => {
    calls.set(call, running)
    count++
  }
  const end = (call: StageCall): void => {
    if (calls.delete(call)) count--
  }
  const settle = (running: RunningCall, end: CallEnd | undefined): void => {
    const usage = end?.record
    const record = usage === undefined ? undefined : recordOf(running.call, usage, nameOf)
    groups.settle(settlementOf(running, record, usedTokens(usage)))
    running.state = 'over'
    blocks.remove(running.call.key)
  }
  /** What to do with a call when the store has answered. Returns the error of one that is refused. */
  const takeVerdict = (
    call: RoutedCall,
    running: RunningCall,
    verdict: Verdict | 'unknown' | 'lost',
  ): DragomanError | undefined => {
    const { terms } = running
    const isOver = running.state === 'over'
    if (verdict !== 'unknown' && verdict !== 'lost' && terms.hasRates && !isOver) call.addRateLimits(verdict.rates)
    if (verdict === 'lost' || (verdict !== 'unknown' && 'refused' in verdict)) {
      end(call)
      if (verdict === 'lost') return storeLost()
      blocks.add(terms.key, verdict, clock.now())
      return refusalOf(verdict, verdict.waitMs)
    }
    running.state = verdict === 'unknown' ? 'unknown' : 'open'
    // The client left while the store was asked.
    if (isOver) settle(running, undefined)
    return undefined
  }
  const open = (call: RoutedCall, caller: Caller): Promise<void> =>
    new Promise((resolve, reject) => {
      const running = runningOf(call, termsOf(caller), nameOf, (verdict) => {
        const refusal = takeVerdict(call, running, verdict)
        if (refusal === undefined) resolve()
        else reject(refusal)
      })
      begin(call, running)
      groups.open(running)
    })
  const stage: Stage = {
    afterAdmission({ caller, method, addRateLimits }: StageCall) {
      // Lists of models cost nothing.
      if (caller === undefined || method !== 'POST') return
      const terms = termsOf(caller)
      const now = clock.now()
      const block = blocks.find(terms.key, now)
      if (block === undefined) return
      if (terms.hasRates) addRateLimits(block.refused.rates)
      throw refusalOf(block.refused, block.freeAt === undefined ? undefined : block.freeAt - now)
    },
    beforeCall(call) {
      const { caller } = call
      if (caller === undefined) return undefined
      const running = calls.get(call)
      if (running !== undefined) return reserveMore(running, call.estimate().nanos)
      if (groups.isDown() || groups.waiting() >= mostWaiting) {
        if (!isServing || groups.waiting() >= mostWaiting) throw storeLost()
        const unknown = runningOf(call, termsOf(caller), nameOf, ignoreVerdict)
        unknown.state = 'unknown'
        begin(call, unknown)
        return undefined
      }
      return open(call, caller)
    },
    onSettle(call, callEnd) {
      const running = calls.get(call)
      if (running === undefined) return
      end(call)
      if (running.state === 'waiting') running.state = 'over'
      else settle(running, callEnd)
    },
  }
  return { stage, running: () => count }
}

function ignoreVerdict(): void {}

function runningOf(
  call: RoutedCall,
  terms: Terms,
  nameOf: ModelName,
  onVerdict: RunningCall['onVerdict'],
): RunningCall {
  const { nanos, tokens } = call.estimate()
  const { model, provider, mode } = call.route
  return {
    terms,
    call: {
      id: call.requestId.slice('req_'.length),
      at: call.startedAt,
      key: terms.key,
      owner: terms.owner,
      conversation: call.conversation(),
      operation: call.operation,
      asked: nameOf(call.model),
      model: nameOf(model),
      provider,
      protocol: call.protocol,
      mode,
      stream: call.stream,
      estimate: nanos,
    },
    budgets: terms.budgetsAt(call.startedAt),
    tokens,
    reserved: nanos,
    slices: [],
    wishes: [],
    state: 'waiting',
    onVerdict,
  }
}

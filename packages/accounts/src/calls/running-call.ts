import type { RoutedCall, StageCall } from '@dragoman/gateway'
import type { OpenCall } from '../store/call-record.ts'
import type { ModelName } from './model-names.ts'
import type { RunningCall } from './open-call.ts'
import type { Terms } from './terms.ts'

/** The calls under way. */
export interface RunningCalls {
  of(call: StageCall): RunningCall | undefined
  begin(call: StageCall, running: RunningCall): void
  /** Returns the call; undefined if it is not under way. */
  end(call: StageCall): RunningCall | undefined
  readonly count: () => number
}

export function createRunningCalls(): RunningCalls {
  // Not a map by id: those that V8 has replaced by larger ones keep their calls alive, with everything they refer to, until memory is
  // collected as a whole. That took longer than the calls themselves.
  const calls = new WeakMap<StageCall, RunningCall>()
  let count = 0
  return {
    of: (call) => calls.get(call),
    begin(call, running) {
      calls.set(call, running)
      count++
    },
    end(call) {
      const running = calls.get(call)
      if (calls.delete(call)) count--
      return running
    },
    count: () => count,
  }
}

/** A call that is about to be sent, before the store is asked. */
export function runningOf(call: RoutedCall, terms: Terms, nameOf: ModelName): RunningCall {
  const { nanos, tokens } = call.estimate()
  const { model, provider, mode } = call.route
  const open: OpenCall = {
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
  }
  return waitingCall(terms, open, terms.budgetsAt(call.startedAt), tokens)
}

/** A call for which nothing is reserved yet. */
export function waitingCall(
  terms: Terms,
  call: OpenCall,
  budgets: RunningCall['budgets'],
  tokens: number,
): RunningCall {
  return {
    terms,
    call,
    budgets,
    tokens,
    reserved: 0,
    asked: call.estimate,
    slices: [],
    sliceRequests: [],
    state: 'waiting',
    onVerdict: ignoreVerdict,
  }
}

function ignoreVerdict(): void {}

import type { Caller, ReadCall } from '@dragoman/gateway'
import type { RunningCall } from './open-call.ts'
import type { Terms } from './terms.ts'

/**
 * An explanation as the store sees it: a request that uses no tokens, costs nothing and has no record. Undefined for calls that are made, and if
 * the requests of the key have no limit.
 */
export function explainedCall(call: ReadCall, termsOf: (caller: Caller) => Terms): RunningCall | undefined {
  const { operation, caller } = call
  if (operation !== 'explain' || caller === undefined) return undefined
  const terms = termsOf(caller)
  if (terms.limits.requests === undefined && terms.limits.concurrent === undefined) return undefined
  return {
    terms,
    call: {
      id: call.requestId.slice('req_'.length),
      at: call.startedAt,
      key: terms.key,
      owner: terms.owner,
      conversation: '',
      operation,
      asked: '',
      model: '',
      provider: '',
      protocol: call.protocol,
      mode: 'translate',
      stream: false,
      estimate: 0,
    },
    budgets: [],
    tokens: 0,
    reserved: 0,
    asked: 0,
    slices: [],
    wishes: [],
    state: 'waiting',
    onVerdict() {},
  }
}

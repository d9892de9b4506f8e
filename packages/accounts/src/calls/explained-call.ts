import type { Caller, ReadCall } from '@dragoman/gateway'
import type { OpenCall } from '../store/call-record.ts'
import type { RunningCall } from './open-call.ts'
import { waitingCall } from './running-call.ts'
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
  const open: OpenCall = {
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
  }
  return waitingCall(terms, open, NO_BUDGETS, 0)
}

const NO_BUDGETS: RunningCall['budgets'] = []

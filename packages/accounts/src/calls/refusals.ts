import { DragomanError } from '@dragoman/core'
import { dollarsOf } from '../dollars.ts'
import { endOf, type Period } from '../store/period.ts'
import type { Refused } from '../store/store.ts'
import type { Paying } from './terms.ts'

/** What a call that was refused wanted of its budgets. */
export interface Wanted {
  readonly budgets: readonly Paying[]
  /** In nano-dollars. */
  readonly estimate: number
}

/** The error of a call that the store has refused. `waitMs` is what is left of the time to wait. */
export function refusalOf(verdict: Refused, waitMs: number | undefined, wanted: Wanted): DragomanError {
  const { refused } = verdict
  const retryAfter = waitMs === undefined ? undefined : Math.max(1, Math.ceil(waitMs)) / 1000
  switch (refused) {
    case 'requests':
      return limited('This key has sent as many requests as it may in a minute.', retryAfter)
    case 'tokens':
      return limited('This key has used as many tokens as it may in a minute.', retryAfter)
    case 'concurrent':
      return new DragomanError('rate-limit', 'This key has as many calls under way as it may have.', {
        code: 'too_many_concurrent_requests',
        retryAfter: 1,
      })
    case 'budget':
      return new DragomanError('budget', budgetText(verdict, wanted), {
        code: 'budget_exceeded',
        retryAfter: retryAfter === undefined ? undefined : Math.ceil(retryAfter),
        retry: false,
      })
    default:
      return refused satisfies never
  }
}

/** Everything that a caller needs to know: whether a smaller call has room, and when this one has. */
function budgetText({ period = 'total', spent = 0, held = 0 }: Refused, { budgets, estimate }: Wanted): string {
  const paying = budgets.find((each) => each.period === period)
  const limit = paying?.limit ?? 0
  const end = paying === undefined ? undefined : endOf(paying)
  const state = spent >= limit ? 'is used up' : 'has no room for this call'
  const amounts = [
    `limit $${dollarsOf(limit)}`,
    `spent $${dollarsOf(spent)}`,
    ...(held > 0 ? [`reserved for calls under way $${dollarsOf(held)}`] : []),
    `estimate of this call $${dollarsOf(estimate)}`,
  ]
  const reset = end === undefined ? 'It does not reset.' : `It resets at ${new Date(end).toISOString()}.`
  return `The budget of this key${PERIOD_NAME[period]} ${state}: ${amounts.join(', ')}. ${reset}`
}

const PERIOD_NAME: { readonly [Name in Period]: string } = {
  day: ' for this day',
  week: ' for this week',
  month: ' for this month',
  total: '',
}

function limited(message: string, retryAfter: number | undefined): DragomanError {
  return new DragomanError('rate-limit', message, { code: 'rate_limit_exceeded', retryAfter })
}

/** The store cannot be reached, and calls that cannot be recorded are not served. */
export function storeLost(): DragomanError {
  return new DragomanError('unavailable', 'The gateway cannot reach its database. Try again later.', {
    code: 'store_unavailable',
    retryAfter: 1,
  })
}

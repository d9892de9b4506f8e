import { DragomanError } from '@dragoman/core'
import type { Period } from '../store/period.ts'
import type { Refused } from '../store/store.ts'

/** The error of a call that the store has refused. `waitMs` is what is left of the time to wait. */
export function refusalOf({ refused, period }: Refused, waitMs: number | undefined): DragomanError {
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
      return new DragomanError('budget', `The budget of this key${PERIOD_NAME[period ?? 'total']} is used up.`, {
        code: 'budget_exceeded',
        retryAfter: retryAfter === undefined ? undefined : Math.ceil(retryAfter),
        retry: false,
      })
    default:
      return refused satisfies never
  }
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

import type { CallRecord } from '@dragoman/accounts/store'

/** Outcomes are stored as their place in this list, so it only grows at its end. */
export const OUTCOMES: readonly CallRecord['outcome'][] = ['complete', 'failed', 'interrupted', 'aborted', 'cut']

import type { CallRecord } from '@dragoman/accounts/store'

/** Outcomes are stored as their index in this list, so entries are only added at its end. */
export const OUTCOMES: readonly CallRecord['outcome'][] = ['complete', 'failed', 'interrupted', 'aborted', 'cut']

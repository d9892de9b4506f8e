import type { TierWords } from '../tier-words.ts'

/** The only tier that requests have a word for, the default one. */
export const REQUEST_TIERS: TierWords = new Map([['standard_only', 'default']])

/** The tiers of answers, which their usage names. Another word, such as `batch`, stays with the unknown members of usage. */
export const ANSWER_TIERS: TierWords = new Map([
  ['standard', 'default'],
  ['priority', 'priority'],
])

import type { TierWords } from '../tier-words.ts'

export const TIERS: TierWords = new Map([
  ['standard', 'default'],
  ['flex', 'flex'],
  ['priority', 'priority'],
])

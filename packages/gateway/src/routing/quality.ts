import type { Candidate } from './candidates.ts'

/** The least quality of a model for a task; a card without a quality counts as one of medium quality. */
export const LEAST_QUALITY = { low: 0, medium: 60, high: 80 } as const
const UNKNOWN_QUALITY = 50

export function qualityOf({ card }: Candidate): number {
  return card.quality ?? UNKNOWN_QUALITY
}

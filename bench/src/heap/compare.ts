/** Bytes of heap per 1,000 operations, by the name of the case. */
export type Figures = { readonly [name: string]: number }

export type Verdict = 'as recorded' | 'less' | 'MORE' | 'NOT RECORDED'

/** The tolerance above the recorded figure. Runs are within 0.3 % of each other, and objects have the same size on x64 and arm64. */
export const TOLERANCE = 0.05

export function compare(recorded: number | undefined, now: number): Verdict {
  if (recorded === undefined) return 'NOT RECORDED'
  if (now > recorded * (1 + TOLERANCE)) return 'MORE'
  return now < recorded * (1 - TOLERANCE) ? 'less' : 'as recorded'
}

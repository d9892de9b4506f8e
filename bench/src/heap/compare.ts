/** Bytes of heap per 1,000 operations, by the name of the case. */
export type Figures = { readonly [name: string]: number }

export type Verdict = 'as recorded' | 'less' | 'MORE' | 'NOT RECORDED'

/** The tolerance around the recorded figure. Runs are within 0.3 % of each other, and objects have the same size on x64 and arm64. */
export const TOLERANCE = 0.05

/** How the names of figures of the short form begin; the rest is the name of the case. */
export const SHORT = 'short '

export function compare(name: string, now: number, recorded: Figures): Verdict {
  const change = changeOf(name, now, recorded)
  if (change === undefined) return 'NOT RECORDED'
  if (change > TOLERANCE) return 'MORE'
  return change < -TOLERANCE ? 'less' : 'as recorded'
}

/** The change as a part of the recorded figure with optimized code, in the short form too, whose own figures are larger. */
export function changeOf(name: string, now: number, recorded: Figures): number | undefined {
  const before = recorded[name]
  const optimized = recorded[name.startsWith(SHORT) ? name.slice(SHORT.length) : name]
  return before === undefined || optimized === undefined ? undefined : (now - before) / optimized
}

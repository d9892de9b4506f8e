const WINDOWS = 3
const WITHIN = 0.03

/** Whether the last three windows are within 3 % of each other. */
export function isStable(history: readonly number[]): boolean {
  const last = history.slice(-WINDOWS)
  return last.length === WINDOWS && Math.max(...last) <= Math.min(...last) * (1 + WITHIN)
}

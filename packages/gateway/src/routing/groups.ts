/** Two values are equal if they differ by less than this share of the better one. */
const EQUAL_SHARE = 0.1

/**
 * Sorts values into groups of equals, best first, and returns the number of each value's group. Values that are not known are in
 * a group before all others or after them.
 */
export function groupsOf(
  values: readonly (number | undefined)[],
  better: 'low' | 'high',
  unknown: 'first' | 'last',
): readonly number[] {
  const sorted = values
    .filter((value) => value !== undefined)
    .toSorted((one, other) => (better === 'low' ? one - other : other - one))
  const bests: number[] = []
  for (const value of sorted) {
    const best = bests.at(-1)
    if (best === undefined || Math.abs(value - best) >= Math.abs(best) * EQUAL_SHARE) bests.push(value)
  }
  const isIn = (value: number, best: number): boolean => (better === 'low' ? value >= best : value <= best)
  return values.map((value) => {
    if (value === undefined) return unknown === 'first' ? -1 : bests.length
    return bests.findLastIndex((best) => isIn(value, best))
  })
}

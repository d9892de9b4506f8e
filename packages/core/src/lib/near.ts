/** `; did you mean "port"?`, or empty if no name is similar. */
export function didYouMean(name: string, known: readonly string[]): string {
  const [nearest] = nearNames(name, known, 1)
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`
}

/** Names longer than this are not compared. */
const LONGEST = 100

/** The most similar names, nearest first. */
export function nearNames(name: string, known: readonly string[], most: number): readonly string[] {
  if (name.length > LONGEST) return []
  const lower = name.toLowerCase()
  return known
    .map((candidate) => ({ candidate, distance: distance(lower, candidate.toLowerCase(), allowance(candidate)) }))
    .filter((each) => each.distance <= allowance(each.candidate))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, most)
    .map(({ candidate }) => candidate)
}

function allowance({ length }: string): number {
  return length < 4 ? 1 : Math.max(2, Math.floor(length / 3))
}

/** The edit distance of two words; infinite if it is above the limit. */
function distance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return Number.POSITIVE_INFINITY
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    let least = i
    for (let j = 1; j <= right.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1)
      const cost = Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1)
      least = Math.min(least, cost)
      next.push(cost)
    }
    if (least > limit) return Number.POSITIVE_INFINITY
    row = next
  }
  return row.at(-1) ?? 0
}

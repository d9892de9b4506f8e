/** `; did you mean "port"?`, or empty if no name is similar. */
export function didYouMean(name: string, known: readonly string[]): string {
  const lower = name.toLowerCase()
  const [nearest] = known
    .map((candidate) => ({ candidate, distance: distance(lower, candidate.toLowerCase()) }))
    .filter((each) => each.distance <= allowance(each.candidate))
    .sort((one, other) => one.distance - other.distance)
  return nearest === undefined ? '' : `; did you mean "${nearest.candidate}"?`
}

function allowance({ length }: string): number {
  return length < 4 ? 1 : Math.max(2, Math.floor(length / 3))
}

/** The edit distance of two words. */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

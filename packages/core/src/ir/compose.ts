import type { Loss, Path } from './loss.ts'
import { equal, isHollow, valueAt, without, withValue } from './place.ts'

type Edit = Exclude<Loss, { kind: 'merged' | 'moved' }>

/**
 * One report for two steps: the first was made for `original`, the second for what the first step left of it. The first step
 * may not take elements out of the middle of a list, so that the paths of the second still fit.
 */
export function composeLosses(first: readonly Loss[], second: readonly Loss[], original: unknown): readonly Loss[] {
  if (first.length === 0) return second
  let before: readonly Loss[] = first
  const after: Loss[] = []
  for (const loss of second) {
    const above = isEdit(loss) ? before.find((entry) => isEdit(entry) && isWithin(loss.path, entry.path)) : undefined
    if (above !== undefined && isEdit(above) && isEdit(loss)) {
      const joint = above.path.length === loss.path.length ? joined(above, loss) : patched(above, loss)
      before = before.flatMap((entry) => (entry === above ? (joint ?? []) : entry))
    } else {
      // What the first step did inside of it is gone with it.
      if (isEdit(loss)) before = before.filter((entry) => !isWithin(entry.path, loss.path))
      after.push(loss)
    }
  }
  return [...before, ...after].filter(
    (loss) => loss.kind !== 'changed' || !equal(valueAt(original, loss.path), loss.to),
  )
}

/** Two entries for one place. */
function joined(first: Edit, second: Edit): Loss | undefined {
  if (first.kind === 'dropped') return second.kind === 'dropped' ? first : { ...second, kind: 'changed' }
  if (second.kind === 'dropped') return first.kind === 'added' ? undefined : second
  return { ...first, to: second.to, reason: second.reason }
}

/** An entry for something inside what the first step has put there. */
function patched(first: Edit, second: Edit): Loss | undefined {
  if (first.kind === 'dropped') return first
  const inner = second.path.slice(first.path.length)
  if (second.kind !== 'dropped') return { ...first, to: withValue(first.to, inner, second.to) }
  const to = without(first.to, inner)
  return first.kind === 'added' && isHollow(to) ? undefined : { ...first, to }
}

function isEdit(loss: Loss): loss is Edit {
  return loss.kind !== 'merged' && loss.kind !== 'moved'
}

/** At the place or inside it. */
function isWithin(path: Path, place: Path): boolean {
  return place.length <= path.length && place.every((key, index) => key === path[index])
}

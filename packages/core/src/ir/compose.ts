import type { Loss, Path } from './loss.ts'
import { equal, isHollow, valueAt, without, withValue } from './place.ts'

type Edit = Exclude<Loss, { kind: 'merged' | 'moved' }>

/**
 * One report for two steps: the first was made for `original`, the second for the result of the first. The first step may not remove
 * elements from the middle of a list, so that the paths of the second are still valid.
 */
export function composeLosses(first: readonly Loss[], second: readonly Loss[], original: unknown): readonly Loss[] {
  if (first.length === 0) return second
  const { entries, root } = indexLosses(first)
  const after: Loss[] = []
  for (const loss of second) {
    const above = isEdit(loss) ? entryAbove(root, loss.path) : undefined
    if (above?.loss !== undefined && isEdit(above.loss) && isEdit(loss))
      above.loss = above.loss.path.length === loss.path.length ? joined(above.loss, loss) : patched(above.loss, loss)
    else {
      // Losses of the first step inside of it are gone too.
      if (isEdit(loss)) forgetWithin(root, loss.path)
      after.push(loss)
    }
  }
  const before = entries.flatMap(({ loss }) => loss ?? [])
  return [...before, ...after].filter(
    (loss) => loss.kind !== 'changed' || !equal(valueAt(original, loss.path), loss.to),
  )
}

/** A loss of the first step and its order; undefined if nothing is left of it. */
interface Entry {
  readonly order: number
  loss: Loss | undefined
}

/** The losses of the first step by path, so that many of them stay cheap. */
interface Place {
  entries: Entry[]
  children: Map<string | number, Place>
}

function indexLosses(losses: readonly Loss[]): { readonly entries: readonly Entry[]; readonly root: Place } {
  const root: Place = { entries: [], children: new Map() }
  const entries = losses.map((loss, order): Entry => {
    const entry = { order, loss }
    let place = root
    for (const key of loss.path) {
      let child = place.children.get(key)
      if (child === undefined) place.children.set(key, (child = { entries: [], children: new Map() }))
      place = child
    }
    place.entries.push(entry)
    return entry
  })
  return { entries, root }
}

/** The first edit at this path or above it. */
function entryAbove(root: Place, path: Path): Entry | undefined {
  let found: Entry | undefined
  let place: Place | undefined = root
  for (let depth = 0; place !== undefined; depth++) {
    const entry = place.entries.find(({ loss }) => loss !== undefined && isEdit(loss))
    if (entry !== undefined && entry.order < (found?.order ?? Number.POSITIVE_INFINITY)) found = entry
    const key = path[depth]
    place = key === undefined ? undefined : place.children.get(key)
  }
  return found
}

/** Removes the entries at this path or below it. */
function forgetWithin(root: Place, path: Path): void {
  let place: Place | undefined = root
  for (const key of path) place = place?.children.get(key)
  if (place !== undefined) forget(place)
}

function forget(place: Place): void {
  for (const entry of place.entries) entry.loss = undefined
  for (const child of place.children.values()) forget(child)
  place.entries = []
  place.children = new Map()
}

/** Merges two entries for one path. */
function joined(first: Edit, second: Edit): Loss | undefined {
  if (first.kind === 'dropped') return second.kind === 'dropped' ? first : { ...second, kind: 'changed' }
  if (second.kind === 'dropped') return first.kind === 'added' ? undefined : second
  return { ...first, to: second.to, reason: second.reason }
}

/** An entry for a value inside one that the first step has added. */
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

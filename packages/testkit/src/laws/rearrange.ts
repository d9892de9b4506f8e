import type { Loss, Path } from '@dragoman/core'
import { falseLoss, GONE, isTree, must, placeOf, at, read, write, type Place, type Tree } from './tree.ts'
import { same } from './same.ts'

type Removal = Extract<Loss, { kind: 'merged' | 'moved' }>

/**
 * Moves and merges, one after another as reported. All paths are looked up before the first of them, and what was found is
 * followed from there on: an element that its message took along when it was merged can still be moved, and the other way round.
 */
export function rearrange(root: Tree, report: readonly Loss[], swept: (node: unknown, key: string) => unknown): void {
  const tracks = createTracks()
  const steps = report
    .filter((loss): loss is Removal => loss.kind === 'merged' || loss.kind === 'moved')
    .map((loss) => ({ loss, place: placeOf(root, loss.path, loss), into: at(root, loss.into) }))
    .map((step) => ({ ...step, element: read(step.place, step.loss.path.at(-1)!) }))
  for (const { loss, place, element, into } of steps) {
    must(element !== undefined && element !== GONE, loss, 'nothing there')
    tracks.take(element, place, loss.path.at(-1)!, loss)
    const target = tracks.follow(into)
    if (loss.kind === 'moved') {
      if (!Array.isArray(target)) throw falseLoss(loss, 'the target is no list')
      tracks.append(target as unknown[], element)
    } else {
      must(compare(loss.into, loss.path) < 0, loss, 'the target does not come before it')
      if (!isTree(target) || !isTree(element)) throw falseLoss(loss, 'only elements can be merged')
      join(target, element, loss, tracks, swept)
    }
  }
}

interface Tracks {
  /** What a list or element has become part of. */
  follow(node: unknown): unknown
  append(list: unknown[], element: unknown): void
  take(element: unknown, place: Place, key: string | number, loss: Loss): void
  became(node: object, other: object): void
}

function createTracks(): Tracks {
  const place = new Map<unknown, { readonly list: Place; readonly key: string | number }>()
  const heirs = new Map<unknown, object>()
  const follow = (node: unknown): unknown => (heirs.has(node) ? follow(heirs.get(node)) : node)
  return {
    follow,
    append(list, element) {
      if (element !== GONE) place.set(element, { list, key: list.length })
      list.push(element)
    },
    take(element, list, key, loss) {
      must(!heirs.has(element), loss, 'it is merged already')
      const now = place.get(element) ?? { list, key }
      write(now.list, now.key, GONE)
    },
    became(node, other) {
      heirs.set(node, other)
    },
  }
}

/** Joins a later sibling to an earlier one, the way every protocol does: text to text, list to list. */
function join(
  into: Tree,
  from: Tree,
  loss: Loss,
  tracks: Tracks,
  swept: (node: unknown, key: string) => unknown,
): void {
  for (const [key, value] of Object.entries(from)) {
    const mine = into[key] === GONE ? undefined : into[key]
    if (value === GONE) continue
    if (mine === undefined) into[key] = value
    else if (key === 'text' && typeof mine === 'string' && typeof value === 'string') into[key] = mine + value
    else if (Array.isArray(mine) && Array.isArray(value)) {
      for (const element of value as unknown[]) tracks.append(mine, element)
      tracks.became(value, mine)
    } else if (!same(swept(mine, key), swept(value, key)))
      throw falseLoss(loss, `the merge would lose ${key}: report it first`)
  }
  tracks.became(from, into)
}

/** Document order. */
function compare(one: Path, other: Path): number {
  for (const [index, key] of one.entries()) {
    const against = other[index]
    if (against === undefined) return 1
    if (key === against) continue
    if (typeof key === 'number' && typeof against === 'number') return key - against
    return String(key) < String(against) ? -1 : 1
  }
  return one.length - other.length
}

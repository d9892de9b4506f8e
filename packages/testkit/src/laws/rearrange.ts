import type { Loss, Path } from '@dragoman/core'
import { falseLoss, GONE, isTree, must, containerOf, at, read, write, type Container, type Tree } from './tree.ts'
import { same } from './same.ts'

type Removal = Extract<Loss, { kind: 'merged' | 'moved' }>

/**
 * Applies moves and merges in the order of the report. All paths are resolved before the first of them, and the elements are
 * tracked from then on: an element of a merged message can still be moved, and the other way round.
 */
export function rearrange(root: Tree, report: readonly Loss[], swept: (node: unknown, key: string) => unknown): void {
  const tracks = createTracks()
  const steps = report
    .filter((loss): loss is Removal => loss.kind === 'merged' || loss.kind === 'moved')
    .map((loss) => ({ loss, container: containerOf(root, loss.path, loss), into: at(root, loss.into) }))
    .map((step) => ({ ...step, element: read(step.container, step.loss.path.at(-1)!) }))
  for (const { loss, container, element, into } of steps) {
    must(element !== undefined && element !== GONE, loss, 'nothing there')
    tracks.take(element, container, loss.path.at(-1)!, loss)
    const target = tracks.follow(into)
    if (loss.kind === 'moved') {
      if (Array.isArray(target)) tracks.append(target as unknown[], element)
      else tracks.insert(containerOf(root, loss.into, loss), loss.into.at(-1)!, element, loss)
    } else {
      must(compare(loss.into, loss.path) < 0, loss, 'the target does not come before it')
      if (!isTree(target) || !isTree(element)) throw falseLoss(loss, 'only elements can be merged')
      join(target, element, loss, tracks, swept)
    }
  }
  tracks.settle()
}

interface Tracks {
  /** The list or element that this one was merged into. */
  follow(node: unknown): unknown
  append(list: unknown[], element: unknown): void
  /** Behind the element with this key, and behind those that were inserted there before. */
  insert(list: Container, key: string | number, element: unknown, loss: Loss): void
  take(element: unknown, container: Container, key: string | number, loss: Loss): void
  became(node: object, other: object): void
  /** Puts inserted elements into their lists. Until then all positions are the original ones. */
  settle(): void
}

function createTracks(): Tracks {
  const container = new Map<unknown, { readonly list: Container; readonly key: string | number }>()
  const heirs = new Map<unknown, object>()
  const inserted = new Map<unknown[], Map<string | number, unknown[]>>()
  const follow = (node: unknown): unknown => (heirs.has(node) ? follow(heirs.get(node)) : node)
  return {
    follow,
    append(list, element) {
      if (element !== GONE) container.set(element, { list, key: list.length })
      list.push(element)
    },
    insert(list, key, element, loss) {
      if (!Array.isArray(list)) throw falseLoss(loss, 'the target is not a list')
      must(isTree(read(list, key)), loss, 'no such element')
      const followersOf = inserted.get(list) ?? new Map<string | number, unknown[]>()
      const followers = followersOf.get(key) ?? []
      inserted.set(list, followersOf.set(key, followers))
      container.set(element, { list: followers, key: followers.length })
      followers.push(element)
    },
    take(element, list, key, loss) {
      must(!heirs.has(element), loss, 'it is merged already')
      const now = container.get(element) ?? { list, key }
      write(now.list, now.key, GONE)
    },
    became(node, other) {
      heirs.set(node, other)
    },
    settle() {
      for (const [list, followersOf] of inserted) {
        const whole = list.flatMap((element, index) => [element, ...(followersOf.get(index) ?? [])])
        list.splice(0, list.length, ...whole)
      }
    },
  }
}

/** Merges a later sibling into an earlier one, as every protocol does: text to text, bytes to bytes, list to list. */
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
    else if (TEXTS.has(key) && typeof mine === 'string' && typeof value === 'string') into[key] = mine + value
    else if (isBase64(mine) && isBase64(value) && mine.mime === value.mime)
      into[key] = { ...mine, data: Buffer.concat([bytesOf(mine), bytesOf(value)]).toString('base64') }
    else if (Array.isArray(mine) && Array.isArray(value)) {
      for (const element of value as unknown[]) tracks.append(mine, element)
      tracks.became(value, mine)
    } else if (!same(swept(mine, key), swept(value, key)))
      throw falseLoss(loss, `the merge would lose ${key}: report it first`)
  }
  tracks.became(from, into)
}

const TEXTS: ReadonlySet<string> = new Set(['text', 'transcript'])

interface Base64 {
  readonly mime: string
  readonly data: string
}

function isBase64(source: unknown): source is Base64 & Tree {
  return isTree(source) && source['kind'] === 'base64'
}

function bytesOf({ data }: Base64): Buffer {
  return Buffer.from(data, 'base64')
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

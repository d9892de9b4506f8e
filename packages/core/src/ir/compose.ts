import type { Loss, Path } from './loss.ts'
import { equal, isHollow, without, withValue } from './values.ts'
import { valueAt } from '../lib/json-path.ts'

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
interface Node {
  entries: Entry[]
  children: Map<string | number, Node>
}

function indexLosses(losses: readonly Loss[]): { readonly entries: readonly Entry[]; readonly root: Node } {
  const root: Node = { entries: [], children: new Map() }
  const entries = losses.map((loss, order): Entry => {
    const entry = { order, loss }
    let node = root
    for (const key of loss.path) {
      let child = node.children.get(key)
      if (child === undefined) node.children.set(key, (child = { entries: [], children: new Map() }))
      node = child
    }
    node.entries.push(entry)
    return entry
  })
  return { entries, root }
}

/** The first edit at this path or above it. */
function entryAbove(root: Node, path: Path): Entry | undefined {
  let found: Entry | undefined
  let node: Node | undefined = root
  for (let depth = 0; node !== undefined; depth++) {
    const entry = node.entries.find(({ loss }) => loss !== undefined && isEdit(loss))
    if (entry !== undefined && entry.order < (found?.order ?? Number.POSITIVE_INFINITY)) found = entry
    const key = path[depth]
    node = key === undefined ? undefined : node.children.get(key)
  }
  return found
}

/** Removes the entries at this path or below it. */
function forgetWithin(root: Node, path: Path): void {
  let node: Node | undefined = root
  for (const key of path) node = node?.children.get(key)
  if (node !== undefined) forget(node)
}

function forget(node: Node): void {
  for (const entry of node.entries) entry.loss = undefined
  for (const child of node.children.values()) forget(child)
  node.entries = []
  node.children = new Map()
}

/** Merges two entries for one path. */
function joined(first: Edit, second: Edit): Loss | undefined {
  if (first.kind === 'dropped') return second.kind === 'dropped' ? first : { ...second, kind: 'changed' }
  if (second.kind === 'dropped') return first.kind === 'added' ? undefined : second
  const isWeaker = [first, second].some((edit) => 'weaker' in edit)
  return { ...first, to: second.to, reason: second.reason, ...(isWeaker ? { weaker: true } : {}) }
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

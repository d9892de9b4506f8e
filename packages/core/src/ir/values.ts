import { valueAt } from '../lib/json-path.ts'
import { isEmpty, isObject } from '../lib/json.ts'
import type { Path } from './loss.ts'

/** A copy with another value at the path; undefined removes it. Missing objects on the path are created. */
export function withValue(root: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  if (Array.isArray(root)) return withElement(root as readonly unknown[], Number(key), rest, value)
  const { [key]: before, ...others } = isObject(root) ? root : {}
  const now = withValue(before, rest, value)
  return now === undefined ? others : { ...(isObject(root) ? root : {}), [key]: now }
}

function withElement(list: readonly unknown[], index: number, rest: Path, value: unknown): unknown[] {
  const now = withValue(list[index], rest, value)
  return now === undefined ? list.toSpliced(index, 1) : index < list.length ? list.with(index, now) : [...list, now]
}

/** A copy without the value at the path, and without objects and lists that become empty. */
export function without(root: unknown, path: Path): unknown {
  const left = withValue(root, path, undefined)
  const parent = path.slice(0, -1)
  return parent.length > 0 && isHollow(valueAt(left, parent)) ? without(left, parent) : left
}

/** Sets the value at a path; undefined removes it. */
export type Edit = readonly [path: Path, to?: unknown]

/**
 * A copy with all edits applied, the last one first, in one walk: one by one, each edit would copy its lists again. Objects and lists
 * that become empty are removed too.
 */
export function edited(root: unknown, edits: readonly Edit[]): unknown {
  const tree: EditTree = { children: new Map() }
  for (const [path, to] of edits.toReversed()) {
    let node = tree
    for (const key of path) {
      let child = node.children.get(key)
      if (child === undefined) node.children.set(key, (child = { children: new Map() }))
      node = child
    }
    node.edit = { to }
    node.children.clear() // of the value before
  }
  return editTree(root, tree) ?? {}
}

interface EditTree {
  edit?: { readonly to: unknown }
  readonly children: Map<string | number, EditTree>
}

function editTree(before: unknown, { edit, children }: EditTree): unknown {
  const value = edit === undefined ? before : edit.to
  if (children.size === 0) return value
  const isList = Array.isArray(value)
  const members: object = isList ? (value as readonly unknown[]) : isObject(value) ? value : {}
  const entries = new Map<string, unknown>(Object.entries(members))
  let removed = false
  for (const [key, child] of children) {
    const now = editTree(entries.get(`${key}`), child)
    if (now === undefined) removed = entries.delete(`${key}`) || removed
    else entries.set(`${key}`, now)
  }
  if (removed && entries.size === 0) return undefined
  return isList ? [...entries.values()] : Object.fromEntries(entries)
}

export function isHollow(value: unknown): boolean {
  return typeof value === 'object' && value !== null && isEmpty(value)
}

/** The paths in this value that match a path with `*` for list elements, whether or not their last member exists. */
export function pathsOf(root: unknown, pattern: string): Path[] {
  let paths: (string | number)[][] = [[]]
  for (const key of pattern.split('.')) {
    paths = paths.flatMap((path) => {
      if (key !== '*') return [[...path, key]]
      const list = valueAt(root, path)
      return Array.isArray(list) ? list.map((_item, index) => [...path, index]) : []
    })
  }
  return paths
}

/** Compares JSON values member by member. */
export function equal(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => equal(item, other[index]))
  if (!isObject(one) || !isObject(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && equal(one[key], other[key]))
  )
}

/** The entry of a table for a value; objects and lists have none. */
export function entryFor<T>(value: unknown, table: { readonly [key: string]: T } = {}): T | undefined {
  const isScalar = typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number'
  return isScalar && Object.hasOwn(table, `${value}`) ? table[`${value}`] : undefined
}

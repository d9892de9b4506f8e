import type { Loss, Path } from '@dragoman/core'

/** The mark of what a loss took away. Positions stay as they were, so that paths keep referring to the original. */
export const GONE = Symbol('gone')

export type Tree = { [key: string]: unknown }
export type Place = Tree | unknown[]

/** The list or object that holds what a loss names. */
export function placeOf(root: Tree, path: Path, loss: Loss): Place {
  must(path.length > 0, loss, 'it names nothing')
  const place = at(root, path.slice(0, -1))
  if (Array.isArray(place)) return place as unknown[]
  if (isTree(place)) return place
  throw falseLoss(loss, 'no such place')
}

export function at(root: Tree, path: Path): unknown {
  let node = root['value']
  for (const key of path) node = Array.isArray(node) || isTree(node) ? read(node as Place, key) : undefined
  return node
}

export function read(place: Place, key: string | number): unknown {
  if (Array.isArray(place)) return typeof key === 'number' ? place[key] : undefined
  return Object.hasOwn(place, String(key)) ? place[String(key)] : undefined
}

export function write(place: Place, key: string | number, value: unknown): void {
  if (Array.isArray(place)) place[Number(key)] = value
  else Object.defineProperty(place, String(key), { value, enumerable: true, writable: true, configurable: true })
}

export function isTree(node: unknown): node is Tree {
  return typeof node === 'object' && node !== null && !Array.isArray(node)
}

export function must(holds: boolean, loss: Loss, why: string): void {
  if (!holds) throw falseLoss(loss, why)
}

export function falseLoss(loss: Loss, why: string): Error {
  return new Error(`false loss (${why}): ${loss.kind} ${loss.path.join('.')} ${JSON.stringify(loss)}`)
}

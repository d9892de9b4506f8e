import type { Loss, Path } from '@dragoman/core'

/** Marks a value that a loss removed. Positions stay the same, so that paths still refer to the original. */
export const GONE = Symbol('gone')

export type Tree = { [key: string]: unknown }
export type Container = Tree | unknown[]

/** The list or object that contains the value at a path. */
export function containerOf(root: Tree, path: Path, loss: Loss): Container {
  must(path.length > 0, loss, 'it names nothing')
  const container = at(root, path.slice(0, -1))
  if (Array.isArray(container)) return container as unknown[]
  if (isTree(container)) return container
  throw falseLoss(loss, 'no such path')
}

export function at(root: Tree, path: Path): unknown {
  let node = root['value']
  for (const key of path) node = Array.isArray(node) || isTree(node) ? read(node as Container, key) : undefined
  return node
}

export function read(container: Container, key: string | number): unknown {
  if (Array.isArray(container)) return typeof key === 'number' ? container[key] : undefined
  return Object.hasOwn(container, String(key)) ? container[String(key)] : undefined
}

export function write(container: Container, key: string | number, value: unknown): void {
  if (Array.isArray(container)) container[Number(key)] = value
  else Object.defineProperty(container, String(key), { value, enumerable: true, writable: true, configurable: true })
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

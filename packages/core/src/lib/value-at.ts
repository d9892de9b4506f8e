import { isObject, type Json } from './json.ts'

/** The value at a path of members and positions of a plain value; undefined if there is none. */
export function valueAt(root: Json | undefined, path: readonly (string | number)[]): Json | undefined
export function valueAt(root: unknown, path: readonly (string | number)[]): unknown
export function valueAt(root: unknown, path: readonly (string | number)[]): unknown {
  let node = root
  for (const key of path) {
    if (Array.isArray(node)) node = typeof key === 'number' ? (node as readonly unknown[])[key] : undefined
    else if (isObject(node)) node = Object.hasOwn(node, key) ? node[key] : undefined
    else return undefined
  }
  return node
}

/** The path that is written as `data.videos.0.url`. */
export function readPath(text: string): readonly (string | number)[] {
  return text.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key))
}

import { isObject, parseJson, type Json, type JsonObject } from './json.ts'

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

/** An object that is built from values at paths. */
export interface PathObject {
  /** Sets a value at a path; a string is appended to an existing string. False if the path is not valid here. */
  put(path: string, value: string | number | boolean | null): boolean
  value(): JsonObject
}

const DEEPEST = 100

type Tree = { [key: string]: Branch }
type Branch = string | number | boolean | null | Branch[] | Tree

/** Uses singular paths of RFC 9535: `$.a.b[0]['c d']`. */
export function createPathObject(): PathObject {
  const root = emptyTree()
  return {
    put(path, value) {
      const keys = parsePath(path)
      const last = keys?.at(-1)
      if (keys === undefined || last === undefined) return false
      let node: Branch = root
      for (const [index, key] of keys.slice(0, -1).entries()) {
        const next: Branch = read(node, key) ?? (typeof keys[index + 1] === 'number' ? [] : emptyTree())
        if (!write(node, key, next)) return false
        node = next
      }
      const before = read(node, last)
      return write(node, last, typeof before === 'string' && typeof value === 'string' ? before + value : value)
    },
    value: () => parseJson(JSON.stringify(root)) as JsonObject, // a tree of JSON values under an object
  }
}

/** Without a prototype, so that no key has a special meaning. */
function emptyTree(): Tree {
  return Object.create(null) as Tree // an object without members
}

function read(node: Branch, key: string | number): Branch | undefined {
  if (Array.isArray(node)) return typeof key === 'number' ? node[key] : undefined
  return isTree(node) && typeof key === 'string' ? node[key] : undefined
}

/** Lists grow by one element at a time. */
function write(node: Branch, key: string | number, value: Branch): boolean {
  if (Array.isArray(node) && typeof key === 'number' && key <= node.length) node[key] = value
  else if (isTree(node) && typeof key === 'string') node[key] = value
  else return false
  return true
}

function isTree(node: Branch): node is Tree {
  return typeof node === 'object' && node !== null && !Array.isArray(node)
}

const SEGMENT = /\.([^.*[\]]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y

/** The keys of a singular path; undefined for anything else. */
function parsePath(path: string): (string | number)[] | undefined {
  if (!path.startsWith('$')) return undefined
  const keys: (string | number)[] = []
  SEGMENT.lastIndex = 1
  while (SEGMENT.lastIndex < path.length) {
    const [found, name, index, single, double] = SEGMENT.exec(path) ?? []
    if (found === undefined || keys.length >= DEEPEST) return undefined
    keys.push(name ?? (index === undefined ? unescape(single, double) : Number(index)))
  }
  return keys
}

function unescape(single: string | undefined, double: string | undefined): string {
  const literal = double ?? single?.replaceAll("\\'", "'").replaceAll(/(?<!\\)"/g, '\\"') ?? ''
  const text: Json | undefined = parseJson(`"${literal}"`)
  return typeof text === 'string' ? text : literal
}

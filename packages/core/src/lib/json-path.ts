import { parseJson, type Json, type JsonObject } from './json.ts'

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
      let place: Branch = root
      for (const [index, key] of keys.slice(0, -1).entries()) {
        const next: Branch = read(place, key) ?? (typeof keys[index + 1] === 'number' ? [] : emptyTree())
        if (!write(place, key, next)) return false
        place = next
      }
      const before = read(place, last)
      return write(place, last, typeof before === 'string' && typeof value === 'string' ? before + value : value)
    },
    value: () => parseJson(JSON.stringify(root)) as JsonObject, // a tree of JSON values under an object
  }
}

/** Without a prototype, so that no key has a special meaning. */
function emptyTree(): Tree {
  return Object.create(null) as Tree // an object without members
}

function read(place: Branch, key: string | number): Branch | undefined {
  if (Array.isArray(place)) return typeof key === 'number' ? place[key] : undefined
  return isTree(place) && typeof key === 'string' ? place[key] : undefined
}

/** Lists grow by one element at a time. */
function write(place: Branch, key: string | number, value: Branch): boolean {
  if (Array.isArray(place) && typeof key === 'number' && key <= place.length) place[key] = value
  else if (isTree(place) && typeof key === 'string') place[key] = value
  else return false
  return true
}

function isTree(place: Branch): place is Tree {
  return typeof place === 'object' && place !== null && !Array.isArray(place)
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

import { isPrefix, type Mistake } from './mistakes.ts'

type Path = Mistake['path']

/** A document without what is wrong in it, so that the rest can be checked too. */
export interface Pruned {
  readonly document: unknown
  /** The path in the original document: entries of lists move up when one before them is removed. */
  readonly originalPath: (path: Path) => Path
}

/** Removes the values at these paths. */
export function prune(document: unknown, paths: readonly Path[]): Pruned {
  /** The original positions of the entries that are left, by the original path of their list. */
  const positions = new Map<string, readonly number[]>()
  const isRemoved = (path: Path): boolean => paths.some((each) => each.length === path.length && isPrefix(each, path))
  const walk = (node: unknown, path: Path): unknown => {
    if (Array.isArray(node)) {
      const left = [...node.keys()].filter((index) => !isRemoved([...path, index]))
      positions.set(keyOf(path), left)
      return left.map((index) => walk(node[index], [...path, index]))
    }
    if (typeof node !== 'object' || node === null) return node
    const members = Object.entries(node).filter(([name]) => !isRemoved([...path, name]))
    return Object.fromEntries(members.map(([name, value]) => [name, walk(value, [...path, name])]))
  }
  return {
    document: isRemoved([]) ? {} : walk(document, []),
    originalPath(path) {
      const original: PropertyKey[] = []
      for (const key of path)
        original.push((typeof key === 'number' ? positions.get(keyOf(original))?.[key] : undefined) ?? key)
      return original
    },
  }
}

function keyOf(path: Path): string {
  return JSON.stringify(path.map(String))
}

import { dirname } from 'node:path/posix'
import { packageOf } from './graph.ts'

/** Tests of one package that run together. */
export type Batch = { readonly directory: string; readonly tests: readonly string[] }

/** The tests that a change needs, in the order in which they find its mistakes: those of its own folder, then of its protocol, of its package, and others. */
export function inBatches(reach: ReadonlyMap<string, number>, changed: readonly string[]): readonly Batch[] {
  const rankOf = createRank(changed)
  const ranked = [...reach].map(([test, steps]) => ({ test, steps, rank: rankOf(test, steps) }))
  const sorted = ranked.toSorted(
    (left, right) => left.rank - right.rank || left.steps - right.steps || left.test.localeCompare(right.test),
  )
  const groups = Map.groupBy(sorted, ({ test, rank }) => `${rank} ${packageOf(test)}`)
  return [...groups.values()].map((group) => ({
    directory: packageOf(group[0]?.test ?? ''),
    tests: group.map(({ test }) => test),
  }))
}

/** Steps from a test to the change that are few: its own imports, and theirs. */
const NEAR = 2
/** Suites that start processes take long for each file: they come last. */
const LONG = /^(?!packages\/)|^packages\/(?:store-|testkit)/
/** They pack, attack, measure, compare and read the whole repository: a mistake is rarely found only there. */
const LONGEST = /^(?:packing|audit|bench|verify|clients|scripts)\//
/** A test this near to a change has it in its own process. */
const DIRECT = 4

function createRank(changed: readonly string[]): (test: string, steps: number) => number {
  const folders = new Set(changed.map((file) => dirname(file)))
  const packages = new Set(changed.map(packageOf))
  const words = new Set(changed.flatMap((file) => /\/protocols\/([^/]+)\//.exec(file)?.[1] ?? []))
  return (test, steps) => {
    const isOfPackage = packages.has(packageOf(test))
    const isOfProtocol = test.split(/[/.-]/).some((word) => words.has(word))
    if (steps === 0 || folders.has(dirname(test))) return 0
    if (isOfProtocol) return isOfPackage ? 1 : 3
    if (isOfPackage) return steps <= NEAR ? 2 : 4
    if (LONGEST.test(test)) return 7
    return LONG.test(test) && steps > DIRECT ? 6 : 5
  }
}

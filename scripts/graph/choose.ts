import { inBatches, type Batch } from './order.ts'
import { packageOf, type Graph } from './graph.ts'

/** The tests for what was named: the tests in it, or, if it has none, those that need it. */
export type Choice = {
  readonly batches: readonly Batch[]
  /** Whether the tests were found through imports: there can be many. */
  readonly isReached: boolean
}

/** Chooses tests by paths from the root: test files, folders, or other files. Throws an error for the user if there is none. */
export function chooseTests(graph: Graph, paths: readonly string[]): Choice {
  const named = paths.flatMap((path) => {
    const files = graph.files.has(path)
      ? [path]
      : [...graph.files].filter((file) => path === '.' || file.startsWith(`${path}/`))
    if (files.length === 0) throw new Error(`There is no file or folder ${path}.${suggestion(graph, path)}`)
    return files
  })
  const inside = named.filter((file) => graph.tests.includes(file))
  if (inside.length > 0) {
    const groups = Map.groupBy(new Set(inside), packageOf)
    return { batches: [...groups].map(([directory, tests]) => ({ directory, tests })), isReached: false }
  }
  const reach = graph.reach(named)
  if (reach.size === 0)
    throw new Error(`No test is in ${paths.join(', ')}, and none needs it (types alone are checked by npm test).`)
  return { batches: inBatches(reach, named), isReached: true }
}

function suggestion(graph: Graph, path: string): string {
  const word = path.split('/').at(-1) ?? path
  const similar = graph.tests.filter((test) => test.includes(word)).slice(0, 5)
  return similar.length === 0 ? '' : ` Do you mean one of these?\n${similar.map((test) => `  ${test}`).join('\n')}`
}

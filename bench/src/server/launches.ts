import { median } from '../table.ts'
import { middleOf, type Found } from './rounds.ts'

/**
 * What several launches of the same servers found, as one. What the compiler makes of the same source is partly luck and stays so for
 * the life of a process: two launches of one server were seen to differ by a third. A ratio is the middle of those of all launches.
 */
export function joinLaunches<Subject extends { readonly name: string }>(
  launches: readonly (readonly Found<Subject>[])[],
): Found<Subject>[] {
  const [first = []] = launches
  return first.map(({ subject }) => {
    const own = launches.flatMap((found) => found.find((each) => each.subject.name === subject.name) ?? [])
    const readings = own.flatMap((each) => each.readings)
    return { subject, readings, middle: middleOf(readings), ratio: median(own.map(({ ratio }) => ratio)) }
  })
}

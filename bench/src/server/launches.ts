import { middleOf, ratiosTo, type Found } from './rounds.ts'

/**
 * Joins the results of several launches of the same servers. Two processes of one server differ by about 3 % for their whole life,
 * because of the compiler and the memory layout, so the CPU time of a server is the mean of its processes.
 */
export function joinLaunches<Subject extends { readonly name: string }>(
  launches: readonly (readonly Found<Subject>[])[],
  isYardstick: (subject: Subject) => boolean,
): Found<Subject>[] {
  const [first = []] = launches
  const joined = first.map(({ subject }) => {
    const own = launches.flatMap((found) => found.find((each) => each.subject.name === subject.name) ?? [])
    const readings = own.flatMap((each) => each.readings)
    const micros = own.reduce((sum, { middle }) => sum + middle.micros, 0) / own.length
    return { subject, readings, middle: { ...middleOf(readings), micros } }
  })
  return ratiosTo(isYardstick, joined)
}

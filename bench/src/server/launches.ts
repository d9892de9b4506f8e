import { differenceOf, MOST_AA } from './rules.ts'
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

/** Whether the servers must be launched once more: the more often, the smaller the differences that are luck. */
export function needsLaunch(
  { least, most }: { readonly least: number; readonly most: number },
  launches: number,
  joined: () => readonly Found<{ readonly kind: string }>[],
): boolean {
  if (launches < least || launches >= most) return launches < least
  const [first, second] = joined().filter(({ subject }) => subject.kind === 'yardstick')
  if (first === undefined || second === undefined) return false
  return Math.abs(differenceOf(first.middle, second.middle)) > MOST_AA
}

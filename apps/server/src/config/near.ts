import { didYouMean } from '@dragoman/core/provider'

/** One line for each unknown member, in the order of the members. */
export function unknownMembers(members: readonly string[], known: readonly string[]): string {
  return members.map((member) => `is unknown${didYouMean(member, known)}`).join('\n')
}

import type { ObjectShape, Shape } from './shape.ts'

/** The names of all members in a type, and the texts that it names. */
export function collectWords(shape: Shape): {
  readonly names: ReadonlySet<string>
  readonly values: ReadonlySet<string>
} {
  const names = new Set<string>()
  const values = new Set<string>()
  const seen = new Set<number>()
  const visit = (each: Shape): void => {
    for (const word of each.words) values.add(word)
    if (each.hasLists) visit(each.items())
    each.objects.forEach(visitObject)
  }
  const visitObject = ({ id, members, values: inner }: ObjectShape): void => {
    if (seen.has(id)) return
    seen.add(id)
    for (const [name, member] of members) {
      names.add(name)
      visit(member.shape())
    }
    const inside = members.size === 0 ? inner() : undefined
    if (inside !== undefined) visit(inside)
  }
  visit(shape)
  return { names, values }
}

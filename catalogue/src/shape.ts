/** A type, as far as it matters for a comparison: which texts, numbers, lists and objects it allows. */
export interface Shape {
  /** Any value: `unknown` or `any`. */
  readonly isAny: boolean
  /** The texts that it names. */
  readonly words: ReadonlySet<string>
  /** Any other text, too. */
  readonly isOpen: boolean
  readonly hasNumbers: boolean
  readonly hasBooleans: boolean
  readonly hasLists: boolean
  /** The items of its lists. */
  readonly items: () => Shape
  readonly objects: readonly ObjectShape[]
}

/** One kind of object. */
export interface ObjectShape {
  /** Equal for the same type, so that types that contain themselves end. */
  readonly id: number
  readonly members: ReadonlyMap<string, Member>
  /** The values of an object whose keys are data. */
  readonly values: () => Shape | undefined
}

export interface Member {
  /** Always there, and not null. */
  readonly isGiven: () => boolean
  readonly shape: () => Shape
}

/** The member that tells kinds of objects apart. */
export function tagOf({ members }: ObjectShape): { readonly name: string; readonly shape: Shape } | undefined {
  for (const name of ['type', 'role']) {
    const member = members.get(name)
    if (member !== undefined) return { name, shape: member.shape() }
  }
  return undefined
}

type Defined<T> = {
  [Key in keyof T as null extends T[Key] ? never : undefined extends T[Key] ? never : Key]: T[Key]
} & { [Key in keyof T as null extends T[Key] ? Key : undefined extends T[Key] ? Key : never]?: NonNullable<T[Key]> }

/**
 * Copies the members that are neither null nor undefined to `onto`. For our own objects, never for extras. A spread between the members
 * of an object literal costs more than the loop.
 */
export function defined<const T extends object, Onto extends object = object>(
  members: T,
  onto?: Onto,
): Defined<T> & Onto {
  const result: { [member: string]: unknown } = onto === undefined ? {} : { ...onto }
  for (const member in members) {
    const value = members[member] // read once: that costs most
    if (value != null) result[member] = value
  }
  return result as Defined<T> & Onto // null and undefined are filtered out
}

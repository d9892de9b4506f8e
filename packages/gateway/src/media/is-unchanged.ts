/** Whether a request has been left as it was: the same members, to the second level. Its large values are compared by identity. */
export function isUnchanged(before: object, after: object): boolean {
  return before === after || hasSameMembers(before, after, (left, right) => isSame(left, right))
}

function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  return hasSameMembers(left, right, Object.is)
}

function hasSameMembers(left: object, right: object, isEqual: (left: unknown, right: unknown) => boolean): boolean {
  const [one, other] = [membersOf(left), membersOf(right)]
  return one.size === other.size && [...one].every(([key, value]) => other.has(key) && isEqual(value, other.get(key)))
}

/** An undefined member is absent. */
function membersOf(value: object): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(value).filter(([, member]) => member !== undefined))
}

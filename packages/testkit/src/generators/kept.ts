import type { Arbitrary } from 'fast-check'

const made = new Map<string, Arbitrary<unknown>>()

/**
 * Makes an arbitrary at its first use. They have no state, and fast-check compares each one of strings with a list of names first: the
 * generator of a request, which has many, takes tens of milliseconds otherwise.
 */
export function kept<T>(name: string, make: () => Arbitrary<T>): Arbitrary<T> {
  const found = made.get(name) ?? make()
  made.set(name, found)
  return found as Arbitrary<T> // made under this name
}

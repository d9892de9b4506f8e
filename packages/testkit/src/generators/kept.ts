import type { Arbitrary } from 'fast-check'

const made = new Map<string, Arbitrary<unknown>>()

/**
 * Makes an arbitrary at its first use, and keeps it. Arbitraries have no state. The generator of a request has many for strings, and
 * fast-check compares each new one with a list of names, which takes tens of milliseconds.
 */
export function kept<T>(name: string, make: () => Arbitrary<T>): Arbitrary<T> {
  const found = made.get(name) ?? make()
  made.set(name, found)
  return found as Arbitrary<T> // made under this name
}

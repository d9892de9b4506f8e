import type { Json, JsonObject } from '@dragoman/core'

/** The parts of a protocol's wire that can be long. Each shape is one line that makes a valid body or stream of the given size. */
export interface Shapes {
  readonly request: { readonly [what: string]: (size: number) => JsonObject }
  readonly response: { readonly [what: string]: (size: number) => JsonObject }
  /** Frames of a whole stream, with framing. */
  readonly stream: { readonly [what: string]: (size: number) => readonly string[] }
}

export function many<T>(size: number, make: (index: number) => T): T[] {
  return Array.from({ length: size }, (_, index) => make(index))
}

/** An object with many unknown members. */
export function members(size: number, value: (index: number) => Json = (index) => index): JsonObject {
  return Object.fromEntries(many(size, (index) => [`x_${index}`, value(index)]))
}

/** Different orders of the results for a list of calls. */
export const ORDERS: { readonly [name: string]: <T>(list: readonly T[]) => T[] } = {
  'in order': (list) => [...list],
  'in reverse order': (list) => list.toReversed(),
  'odd ones first': (list) => [
    ...list.filter((_, index) => index % 2 === 1),
    ...list.filter((_, index) => index % 2 === 0),
  ],
}

/** One shape for each order. */
export function inOrders<T>(
  what: string,
  make: (size: number, order: (typeof ORDERS)[string]) => T,
): { [what: string]: (size: number) => T } {
  return Object.fromEntries(
    Object.entries(ORDERS).map(([name, order]) => [`${what} ${name}`, (size: number) => make(size, order)]),
  )
}

/** Names that no upstream accepts, and that become equal when characters are replaced or the ends are cut off. */
export const CLASHES: { readonly [name: string]: (index: number) => string } = {
  'clashing names': (index) => `tool${String.fromCodePoint(0x4e00 + (index >> 7), 0x4e00 + (index & 127))}`,
  'long clashing names': (index) => `${'x'.repeat(120)}:${index}`,
}

export function forClashes<T>(make: (size: number, name: (index: number) => string) => T): {
  [what: string]: (size: number) => T
} {
  return Object.fromEntries(Object.entries(CLASHES).map(([what, name]) => [what, (size: number) => make(size, name)]))
}

/** Schemas with many of one thing. */
export const SCHEMAS: { readonly [what: string]: (size: number) => JsonObject } = {
  properties: (size) => ({ type: 'object', properties: members(size, () => ({ type: 'string' })) }),
  'required properties': (size) => ({
    type: 'object',
    properties: members(size, () => ({ type: 'string' })),
    required: many(size, (index) => `x_${index}`),
  }),
  'enum members': (size) => ({ type: 'object', properties: { a: { enum: many(size, (index) => `${index}`) } } }),
  choices: (size) => ({ type: 'object', properties: { a: { anyOf: many(size, () => ({ type: 'string' })) } } }),
  'joined schemas': (size) => ({
    allOf: many(size, (index) => ({ properties: { [`x_${index}`]: { type: 'string' } } })),
  }),
  'joined keywords': (size) => ({ type: 'object', allOf: [members(size)] }),
  'unknown keywords': (size) => ({ type: 'object', ...members(size) }),
  definitions: (size) => ({
    type: 'object',
    properties: members(size, (index) => ({ $ref: `#/$defs/x_${index}` })),
    $defs: members(size, () => ({ type: 'string' })),
  }),
}

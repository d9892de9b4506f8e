import type * as z from 'zod/v4/core'

/** The functions derived from one schema of a grammar. */
export interface Derived {
  /** Whether a value is valid. Allocates nothing. */
  readonly fits: (value: unknown) => boolean
  /** Whether a value is meant for this schema, rather than for another one of a union. */
  readonly claims: (value: unknown) => boolean
  /** The functions for the kind of an object that names its kind in a member; undefined for an unknown kind. */
  readonly kindOf?: (value: unknown) => Derived | undefined
  /** The first problem with a value, with the message of the schema. */
  readonly find: (value: unknown) => Issue | undefined
  /** The value without its named members that are null; the same value if there are none. */
  readonly withoutNulls: (value: unknown) => unknown
}

/** Derives from a schema inside another one. */
export type Derive = (schema: z.$ZodType) => Derived

/** A problem, and the path to it. */
export interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** For a value without members. */
export function deriveLeaf(schema: z.$ZodType, fits: Derived['fits'], claims = fits): Derived {
  return {
    fits,
    claims,
    find: (value) => (fits(value) ? undefined : issueOf(schema._zod.def, value)),
    withoutNulls: same,
  }
}

export const same = (value: unknown): unknown => value

/** The definition of a schema, by its type. */
export function defOf(schema: z.$ZodType): z.$ZodTypes['_zod']['def'] {
  return (schema as z.$ZodTypes)._zod.def // zod has no others
}

/** Whether the keys of an object are data, and its values of one kind. */
export function isMap(def: z.$ZodObjectDef): def is z.$ZodObjectDef & { catchall: z.$ZodType } {
  return def.catchall !== undefined && def.catchall._zod.def.type !== 'unknown'
}

/** A problem as zod describes it. */
interface Facts {
  readonly path?: readonly PropertyKey[]
  readonly [fact: string]: unknown
}

/** A problem with an invalid value, with the message that the schema or the condition has for zod. */
export function issueOf(
  { error }: Pick<z.$ZodTypeDef, 'error'>,
  input: unknown,
  facts: Facts = { code: 'invalid_type' },
): Issue {
  const words = error?.({ input, ...facts } as never) // what zod tells it
  return { path: facts.path ?? [], message: typeof words === 'string' ? words : 'is not valid' }
}

/** The problem of the first member that has one, and the path to it. */
export function firstIssue<Key extends string | number>(
  keys: Iterable<Key>,
  find: (key: Key) => Issue | undefined,
): Issue | undefined {
  for (const key of keys) {
    const issue = find(key)
    if (issue !== undefined) return { ...issue, path: [key, ...issue.path] }
  }
  return undefined
}

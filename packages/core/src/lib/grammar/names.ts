import type * as z from 'zod/v4/core'
import { defOf, isMap } from './derived.ts'
import type { JsonLikeDef } from './schema.ts'

/** The names that a grammar knows inside a value. A value without names is data, such as an argument or a schema. */
export interface Names {
  /** The names inside its members, by member; for a list, those of its items. */
  readonly members?: ReadonlyMap<string, Names>
  /** The names inside each value of an object whose keys are data. */
  readonly values?: Names
}

/** All names in a schema, recursively. */
export function namesOf(schema: z.$ZodType, made: Made = new Map()): Names {
  const def = defOf(schema)
  switch (def.type) {
    case 'optional':
    case 'nullable':
      return namesOf(def.innerType, made)
    case 'lazy':
      return namesOf(def.getter(), made)
    case 'array':
      return namesOf(def.element, made)
    case 'union':
      return def.options.map((option) => namesOf(option, made)).find((names) => names !== NO_NAMES) ?? NO_NAMES
    case 'object':
      return isMap(def)
        ? { values: namesOf(def.catchall, made) }
        : (made.get(schema) ?? namesOfObject(schema, def, made))
    default:
      return NO_NAMES
  }
}

export const NO_NAMES: Names = {}

type Made = Map<z.$ZodType, Names>

function namesOfObject(schema: z.$ZodType, { shape, names }: JsonLikeDef, made: Made): Names {
  if (names !== undefined) return namesOf(names(), made)
  const entries = Object.entries(shape)
  if (entries.length === 0) return NO_NAMES
  const members = new Map<string, Names>()
  const known = { members }
  made.set(schema, known) // before its members, because one of them may contain the same schema again
  for (const [name, each] of entries) members.set(name, namesOf(each, made))
  return known
}

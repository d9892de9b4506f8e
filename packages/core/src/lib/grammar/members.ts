import type * as z from 'zod/v4/core'
import { defOf } from './derived.ts'
import { kept } from './schema.ts'

/** Any schema. */
export type AnySchema = z.$ZodType
/** A schema for objects. */
export type ObjectSchema = z.$ZodObject
/** The names of the members that a schema describes. */
export type MemberName<S extends ObjectSchema> = keyof S['_zod']['def']['shape'] & string

/** The members of an object in the grammar, without those that are kept unread; undefined if it has none. */
export function membersOf(schema: AnySchema): { readonly [name: string]: AnySchema } | undefined {
  const def = defOf(schema)
  if (def.type === 'optional' || def.type === 'nullable') return membersOf(def.innerType)
  const members = def.type === 'object' ? Object.entries(def.shape).filter(([, member]) => member !== kept) : []
  return members.length === 0 ? undefined : Object.fromEntries(members)
}

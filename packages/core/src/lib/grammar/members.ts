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

/** The names of members and the words of a grammar, with whether a member has members of its own. */
export type Words = ReadonlyMap<string, boolean>

/**
 * Creates the function that finds the words of a schema when they are first needed. `others` are names that it has only as types; those with
 * a dot at their end have members.
 */
export function createWords(schema: AnySchema, others: string): () => Words {
  let words: Map<string, boolean> | undefined
  return () => {
    if (words !== undefined) return words
    words = new Map(others.split(' ').map((name) => [name.replace('.', ''), name.endsWith('.')]))
    collect(schema, words, new Set())
    return words
  }
}

function collect(value: unknown, words: Map<string, boolean>, seen: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  const { type, shape, values } = value as { type?: unknown; shape?: object; values?: readonly string[] } // perhaps a definition
  if (type === 'object')
    for (const [name, member] of Object.entries(shape ?? {}))
      words.set(name, words.get(name) === true || membersOf(member as AnySchema) !== undefined) // of a shape
  if (type === 'literal') for (const word of values ?? []) words.set(word, words.get(word) === true)
  for (const [key, inner] of Object.entries(value) as [string, unknown][])
    collect(isSchemaGetter(key, inner) ? inner() : inner, words, seen)
}

/** Schemas that refer to themselves are behind a function. */
function isSchemaGetter(key: string, value: unknown): value is () => unknown {
  return typeof value === 'function' && (key === 'names' || key === 'getter')
}

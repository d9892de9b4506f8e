import type { Json, JsonObject } from '@dragoman/core'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import type * as z from 'zod/v4/core'
import { number, word } from './json.ts'
import { never } from './record.ts'
import { loose } from './wire.ts'

/** Any schema of a grammar. */
export type AnySchema = z.$ZodType
/** Arbitraries for the members of an object whose values mean something; `never` for those that the surroundings fill in. */
export type Hooks = { readonly [member: string]: Arbitrary<Json> | typeof never }

/**
 * A wire object with all members that the grammar names, and now and then some that it does not. A member that is new in the grammar is
 * generated without a change here: the identity law finds a decoder that forgets it.
 */
export function wireObject(schema: AnySchema, hooks: Hooks = {}): Arbitrary<JsonObject> {
  const always: { [member: string]: Arbitrary<Json> } = {}
  const sometimes: { [member: string]: Arbitrary<Json> } = {}
  for (const [name, member] of Object.entries(membersOf(schema))) {
    const arbitrary = hooks[name] ?? wireOf(member)
    if (arbitrary === never) continue
    if (defOf(member).type === 'optional') sometimes[name] = arbitrary
    else always[name] = arbitrary
  }
  const unknown = Object.keys(hooks).filter((name) => !Object.hasOwn(membersOf(schema), name))
  if (unknown.length > 0) throw new Error(`the grammar has no ${unknown.join(', ')}`)
  return loose(always, sometimes)
}

/**
 * A value that a schema accepts. Null is left to the law about nulls. A member that the grammar only names is not generated: it is kept
 * like an unknown member.
 */
function wireOf(schema: AnySchema): Arbitrary<Json> | typeof never {
  const def = defOf(schema)
  switch (def.type) {
    case 'optional':
    case 'nullable':
      return wireOf(def.innerType)
    case 'string':
      return word()
    case 'number':
      return numberOf(schema)
    case 'boolean':
      return fc.boolean()
    case 'literal':
      return fc.constantFrom(...(def.values as Json[])) // of a JSON value
    case 'array':
      return given(wireOf(def.element), (item) => fc.array(item, { minLength: 1, maxLength: 2 }))
    case 'union': {
      const options = def.options.map((option) => wireOf(option)).filter((option) => option !== never)
      return fc.oneof(...options)
    }
    case 'object':
      return wireObject(schema)
    default:
      return never
  }
}

function given<T>(arbitrary: Arbitrary<T> | typeof never, use: (arbitrary: Arbitrary<T>) => Arbitrary<Json>) {
  return arbitrary === never ? never : use(arbitrary)
}

/** Between the bounds that the grammar gives. */
function numberOf(schema: AnySchema): Arbitrary<number> {
  const { minimum = -1000, maximum = 1000, format } = schema._zod.bag as Bounds // of a number
  return format === undefined ? number(minimum, maximum) : fc.integer({ min: minimum, max: Math.max(minimum, maximum) })
}

interface Bounds {
  readonly minimum?: number
  readonly maximum?: number
  readonly format?: string
}

/** Hooks for members that are generated together with others, or not at all. */
export function without(...members: readonly string[]): Hooks {
  return Object.fromEntries(members.map((name) => [name, never]))
}

/**
 * The schema of a place in the grammar: members by their names, kinds by their tags. Lists and alternatives are passed through.
 *   schemaAt(chat.request, 'messages', 'role=user', 'content', 'type=text')
 */
export function schemaAt(schema: AnySchema, ...path: readonly string[]): AnySchema {
  const [step, ...rest] = path
  if (step === undefined) return schema
  const [tag = '', kind] = step.split('=')
  const found = candidatesOf(schema).find((each) => {
    const member = Object.hasOwn(membersOf(each), tag) ? membersOf(each)[tag] : undefined
    return member !== undefined && (kind === undefined || valuesOf(member).includes(kind))
  })
  if (found === undefined) throw new Error(`the grammar has no ${step}`)
  return schemaAt(kind === undefined ? (membersOf(found)[tag] as AnySchema) : found, ...rest) // it was found by it
}

/** The objects that can stand where a schema stands. */
function candidatesOf(schema: AnySchema): readonly AnySchema[] {
  const def = defOf(schema)
  switch (def.type) {
    case 'optional':
    case 'nullable':
      return candidatesOf(def.innerType)
    case 'array':
      return candidatesOf(def.element)
    case 'union':
      return def.options.flatMap(candidatesOf)
    case 'lazy':
      return candidatesOf(def.getter())
    case 'object':
      return [schema]
    default:
      return []
  }
}

function membersOf(schema: AnySchema): { readonly [name: string]: AnySchema } {
  const [object] = candidatesOf(schema)
  const def = object === undefined ? undefined : defOf(object)
  return def?.type === 'object' ? def.shape : {}
}

function valuesOf(schema: AnySchema): readonly unknown[] {
  return [...(schema._zod.values ?? [])]
}

function defOf(schema: AnySchema): z.$ZodTypes['_zod']['def'] {
  return (schema as z.$ZodTypes)._zod.def // zod has no others
}

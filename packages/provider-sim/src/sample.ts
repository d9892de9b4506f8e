import { isObject, type Json, type JsonObject } from '@dragoman/core'
import { resolveSchema, simplest } from './resolve-schema.ts'
import { sampleNumber } from './sample-number.ts'
import { sampleString } from './sample-string.ts'

/** The depth after which only required members are filled in, so that recursive schemas end. */
const FULL_DEPTH = 3
const DEEPEST = 16
/** The most elements of a value: a schema can require more than a response should have. */
const MOST_VALUES = 2000
const MOST_ITEMS = 50

interface World {
  readonly root: JsonObject
  readonly words: readonly string[]
  left: number
}

/** A value that satisfies a JSON Schema, the same for the same input. Other variants give other values if possible. */
export function sample(schema: JsonObject, words: readonly string[], variant = 0): Json {
  return make(schema, { root: schema, words, left: MOST_VALUES }, variant, 0)
}

function make(given: Json | undefined, world: World, variant: number, depth: number): Json {
  if (--world.left < 0 || depth > DEEPEST) return null
  if (!isObject(given)) return sampleString({}, world.words, variant)
  const schema = resolveSchema(given, world.root)
  if (schema['const'] !== undefined) return schema['const']
  const choices = schema['enum']
  if (isList(choices)) return choices[variant % choices.length] ?? null
  const alternatives = schema['anyOf'] ?? schema['oneOf']
  if (isList(alternatives)) {
    const { anyOf, oneOf, ...rest } = schema
    const chosen = simplest(alternatives, depth < FULL_DEPTH)
    return make(isObject(chosen) ? { ...rest, ...chosen } : rest, world, variant, depth + 1)
  }
  switch (typeOf(schema)) {
    case 'object':
      return makeObject(schema, world, variant, depth)
    case 'array':
      return makeArray(schema, world, variant, depth)
    case 'integer':
      return sampleNumber(schema, 'whole', variant)
    case 'number':
      return sampleNumber(schema, 'any', variant)
    case 'boolean':
      return variant % 2 === 0
    case 'null':
      return null
    default:
      return sampleString(schema, world.words, variant)
  }
}

function makeObject(schema: JsonObject, world: World, variant: number, depth: number): Json {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const required = isList(schema['required']) ? schema['required'].filter((name) => typeof name === 'string') : []
  const optional = depth < FULL_DEPTH ? Object.keys(properties) : []
  const names = [...new Set([...required, ...optional])]
  const least = Math.min(countOf(schema['minProperties'], 0), MOST_ITEMS)
  for (let extra = 1; names.length < least; extra++) if (!names.includes(`key${extra}`)) names.push(`key${extra}`)
  const open = isObject(schema['additionalProperties']) ? schema['additionalProperties'] : undefined
  const schemaOf = (name: string): Json | undefined => (Object.hasOwn(properties, name) ? properties[name] : open)
  return Object.fromEntries(names.map((name) => [name, make(schemaOf(name), world, variant, depth + 1)]))
}

function makeArray(schema: JsonObject, world: World, variant: number, depth: number): Json {
  const first = isList(schema['prefixItems']) ? schema['prefixItems'] : []
  const { items } = schema
  const wanted = countOf(schema['minItems'], depth < FULL_DEPTH ? 1 : 0)
  const most = Math.min(countOf(schema['maxItems'], MOST_ITEMS), MOST_ITEMS)
  const count = Math.min(items === false ? first.length : Math.max(wanted, first.length), most)
  return Array.from({ length: count }, (_, index) => make(first[index] ?? items, world, variant + index, depth + 1))
}

/** The first type that is not null. Without a type, the keywords decide. Some dialects write types in capitals. */
function typeOf(schema: JsonObject): string {
  const { type } = schema
  const names = (Array.isArray(type) ? type : [type]).flatMap((name) =>
    typeof name === 'string' ? name.toLowerCase() : [],
  )
  const [named] = names.filter((name) => name !== 'null')
  if (named !== undefined) return named
  if (names.length > 0) return 'null'
  if (schema['properties'] !== undefined || schema['required'] !== undefined) return 'object'
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined) return 'array'
  return schema['minimum'] === undefined && schema['maximum'] === undefined ? 'string' : 'number'
}

function countOf(value: Json | undefined, byDefault: number): number {
  return typeof value === 'number' ? value : byDefault
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value) && value.length > 0
}

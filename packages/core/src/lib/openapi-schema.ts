import { isObject, type Json, type JsonObject } from './json.ts'
import { resolveReference } from './json-schema.ts'

/** A schema in the OpenAPI subset, and every keyword that the subset does not have, by its path. */
export interface Reduced {
  readonly value: JsonObject
  readonly removed: readonly string[]
}

/** The depth limit, more than any tool has; deeper schemas become a plain object. */
const LARGEST = 5000
const DEEPEST = 100
/** The limit of members; references count each time. */
const MOST_MEMBERS = 20_000

/**
 * Converts standard JSON Schema to the OpenAPI subset: upper-case types, a flag for null, no references. Keywords with an equivalent are
 * rewritten, all others are removed and reported. A reference to itself ends as a plain object. Names of properties are never
 * changed.
 */
export function openApiOf(root: JsonObject): Reduced {
  const removed: string[] = []
  const remove = (path: string) => void removed.push(path)
  const reduction: Reduction = { root, above: new Set(), nodes: 0, members: 0, full: false, depth: 0, remove }
  return { value: reduce(root, '', reduction), removed }
}

interface Reduction {
  readonly root: JsonObject
  readonly remove: (path: string) => void
  /** The references on the path to here. */
  readonly above: Set<string>
  nodes: number
  members: number
  full: boolean
  depth: number
}

type Members = { [key: string]: Json }

const KEPT: ReadonlySet<string> = new Set(
  'title description minimum maximum minItems maxItems minLength maxLength minProperties maxProperties pattern nullable propertyOrdering'.split(
    ' ',
  ),
)
const FORMATS: ReadonlySet<string> = new Set(['date-time', 'enum', 'int32', 'int64', 'float', 'double'])

function at(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

function listIn(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [] // Array.isArray loses the type
}

function reduce(schema: Json, path: string, reduction: Reduction): JsonObject {
  if (!isObject(schema)) {
    if (schema === false) reduction.remove(at(path, 'false'))
    return { type: 'STRING' }
  }
  if (++reduction.nodes > LARGEST || reduction.depth >= DEEPEST) {
    if (reduction.nodes <= LARGEST + 1) reduction.remove(at(path, 'everything beyond'))
    return { type: 'OBJECT' }
  }
  if (isTooLarge(schema, path, reduction)) return { type: 'OBJECT' }
  const { $ref, ...beside } = schema
  reduction.depth++
  const value =
    typeof $ref === 'string'
      ? reduceReference($ref, beside, path, reduction)
      : reduceMembers(withoutAllOf(schema, path, reduction), path, reduction)
  reduction.depth--
  return value
}

function reduceReference(reference: string, beside: JsonObject, path: string, reduction: Reduction): JsonObject {
  const target = resolveReference(reduction.root, reference)
  if (target === undefined || reduction.above.has(reference)) {
    reduction.remove(at(path, `$ref ${reference}`))
    const { description } = { ...target, ...beside }
    return typeof description === 'string' ? { type: 'OBJECT', description } : { type: 'OBJECT' }
  }
  reduction.above.add(reference)
  const { $defs, definitions, ...meant } = target
  const value = reduce({ ...meant, ...beside }, path, reduction)
  reduction.above.delete(reference)
  return value
}

/** `allOf` becomes one schema with the members of each; if two have the same keyword, the first is kept. */
function withoutAllOf(schema: JsonObject, path: string, reduction: Reduction): JsonObject {
  const { allOf, ...rest } = schema
  if (!Array.isArray(allOf)) return schema
  const merged = new Map<string, Joined>(Object.entries(rest).map(([key, value]) => [key, joinedOf(value)]))
  for (const [index, each] of listIn(allOf).entries()) {
    const reference = isObject(each) ? each['$ref'] : undefined
    const resolved = typeof reference === 'string' ? resolveReference(reduction.root, reference) : each
    if (!isObject(resolved)) {
      if (resolved !== true) reduction.remove(at(path, `allOf.${index}`))
      continue
    }
    if (isTooLarge(resolved, path, reduction)) break
    for (const [key, value] of Object.entries(resolved)) {
      const mine = merged.get(key)
      if (mine === undefined) merged.set(key, joinedOf(value))
      else if (isObject(mine.first) && isObject(value)) mine.objects.push(value)
      else if (key === 'required' && Array.isArray(mine.first) && Array.isArray(value)) mine.lists.push(value)
      else if (mine.first !== value) reduction.remove(at(path, `allOf.${index}.${key}`))
    }
  }
  return Object.fromEntries([...merged].map(([key, joined]) => [key, valueOf(joined)]))
}

/** Merges the values of several schemas for one keyword. */
interface Joined {
  readonly first: Json
  readonly objects: JsonObject[]
  readonly lists: (readonly Json[])[]
}

function joinedOf(first: Json): Joined {
  return { first, objects: [], lists: [] }
}

function valueOf({ first, objects, lists }: Joined): Json {
  if (lists.length > 0) return [...new Set([first as readonly Json[], ...lists].flat())] // a list, like the others
  if (objects.length === 0) return first
  const members = [first as JsonObject, ...objects].toReversed().flatMap((each) => Object.entries(each)) // an object, like the others
  return Object.fromEntries(members)
}

/** Whether everything so far, with the members of this schema, exceeds the limit; the rest is left out. */
function isTooLarge(schema: JsonObject, path: string, reduction: Reduction): boolean {
  for (const key in schema) {
    const value = schema[key]
    reduction.members += 1 + (Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 0)
  }
  if (reduction.members <= MOST_MEMBERS) return false
  if (!reduction.full) reduction.remove(at(path, 'everything beyond'))
  reduction.full = true
  return true
}

function reduceMembers(schema: JsonObject, path: string, reduction: Reduction): JsonObject {
  const { type, properties, items, prefixItems, required, anyOf, oneOf, enum: values, const: only, ...more } = schema
  const { format, $defs, definitions, exclusiveMinimum, exclusiveMaximum, ...others } = more
  const remove = (key: string) => reduction.remove(at(path, key))
  const members: Members = {}
  for (const [key, value] of Object.entries(others)) {
    if (KEPT.has(key)) members[key] = value
    else remove(key)
  }
  if (typeof format === 'string' && FORMATS.has(format)) members['format'] = format
  else if (format !== undefined) remove('format')
  const { names, none } = typesOf(schema)
  const [name, second] = names
  if (exclusiveMinimum !== undefined) putBound('minimum', exclusiveMinimum, name, members, remove)
  if (exclusiveMaximum !== undefined) putBound('maximum', exclusiveMaximum, name, members, remove)
  const keyword = anyOf === undefined ? 'oneOf' : 'anyOf'
  const choices = listIn(schema[keyword])
  const options = choices.filter((each) => !(isObject(each) && each['type'] === 'null'))
  if (anyOf !== undefined && oneOf !== undefined) remove('oneOf')
  if (second === undefined && name !== undefined) members['type'] = name
  else if (second !== undefined && options.length > 0) remove('type')
  else if (second !== undefined) members['anyOf'] = names.map((each) => ({ type: each }))
  if (options.length > 0)
    members['anyOf'] = options.map((each, index) => reduce(each, at(path, `${keyword}.${index}`), reduction))
  const listed = Array.isArray(values) ? listIn(values) : only === undefined ? [] : [only]
  if (none || options.length < choices.length || listed.includes(null)) members['nullable'] = true
  const present = listed.filter((each) => each !== null)
  if (present.length > 0 && !putValues(present, members)) remove(values === undefined ? 'const' : 'enum')
  if (values !== undefined && only !== undefined) remove('const')
  if (isObject(properties)) {
    const reduced = Object.entries(properties).map(([key, each]) => [
      key,
      reduce(each, at(path, `properties.${key}`), reduction),
    ])
    members['properties'] = Object.fromEntries(reduced) as JsonObject // schemas
  }
  // The subset refuses a required property that is not described.
  const known = listIn(required).filter(
    (each) => typeof each === 'string' && isObject(properties) && Object.hasOwn(properties, each),
  )
  if (known.length < listIn(required).length) remove('required')
  if (known.length > 0) members['required'] = known
  if (prefixItems !== undefined) remove('prefixItems')
  const tuple = Array.isArray(items) ? items : prefixItems
  const element = isObject(items) || !Array.isArray(tuple) ? items : { anyOf: tuple }
  if (items !== undefined && element !== items) remove('items')
  if (element !== undefined) members['items'] = reduce(element, at(path, 'items'), reduction)
  else if (name === 'ARRAY') members['items'] = { type: 'STRING' }
  return members
}

/** For integers the bound moves by one; for others it stays, and that is reported. */
function putBound(
  key: 'minimum' | 'maximum',
  value: Json,
  type: string | undefined,
  members: Members,
  remove: (keyword: string) => void,
): void {
  const lower = key === 'minimum'
  const exact = typeof value === 'number' && type === 'INTEGER'
  if (!exact) remove(lower ? 'exclusiveMinimum' : 'exclusiveMaximum')
  if (typeof value !== 'number') return
  const bound = !exact ? value : lower ? Math.floor(value) + 1 : Math.ceil(value) - 1
  const before = members[key]
  const other = typeof before === 'number' ? before : bound
  members[key] = lower ? Math.max(bound, other) : Math.min(bound, other)
}

/** The type, written or implied, without null, which is a flag. */
function typesOf(schema: JsonObject): { readonly names: readonly string[]; readonly none: boolean } {
  const { type } = schema
  const written = (Array.isArray(type) ? listIn(type) : [type]).filter((each) => typeof each === 'string')
  const names = written.filter((each) => each.toLowerCase() !== 'null').map((each) => each.toUpperCase())
  const has = (...keys: string[]) => keys.some((key) => schema[key] !== undefined)
  const none = names.length < written.length
  if (names.length > 0) return { names, none }
  if (has('properties')) return { names: ['OBJECT'], none }
  if (has('items', 'prefixItems')) return { names: ['ARRAY'], none }
  if (has('anyOf', 'oneOf')) return { names, none }
  const example = schema['const'] ?? listIn(schema['enum'])[0]
  if (typeof example === 'number') return { names: [Number.isInteger(example) ? 'INTEGER' : 'NUMBER'], none }
  return { names: [typeof example === 'boolean' ? 'BOOLEAN' : 'STRING'], none }
}

/** A list of strings stays; one number is a range; other values cannot be listed. */
function putValues(values: readonly Json[], members: Members): boolean {
  const [first, ...others] = values
  if (values.every((each) => typeof each === 'string')) members['enum'] = values
  else if (typeof first === 'number' && others.length === 0) members['minimum'] = members['maximum'] = first
  else return false
  return true
}

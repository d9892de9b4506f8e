import { isObject, type Json, type JsonObject } from './json.ts'
import { resolveReference } from './json-schema.ts'

/** A schema in the OpenAPI subset, and every keyword that the subset does not have, by its place. */
export interface Reduced {
  readonly value: JsonObject
  readonly removed: readonly string[]
}

/** More than any tool has; what is beyond is an object without further description. */
const LARGEST = 5000
const DEEPEST = 100

/**
 * Standard JSON Schema as the OpenAPI subset has it: upper-case types, null by a flag, no references. What has an equivalent is
 * rewritten, everything else is removed and named. A reference that leads back to itself ends as a plain object. Names of
 * properties are never touched.
 */
export function openApiOf(schema: JsonObject): Reduced {
  const reduction: Reduction = { root: schema, removed: [], above: new Set(), nodes: 0, depth: 0 }
  const value = reduce(schema, '', reduction)
  return { value, removed: reduction.removed }
}

interface Reduction {
  readonly root: JsonObject
  readonly removed: string[]
  /** References on the way down to here. */
  readonly above: Set<string>
  nodes: number
  depth: number
}

type Members = { [key: string]: Json }

const KEPT: ReadonlySet<string> = new Set(
  'title description minimum maximum minItems maxItems minLength maxLength minProperties maxProperties pattern nullable propertyOrdering'.split(
    ' ',
  ),
)
const FORMATS: ReadonlySet<string> = new Set(['date-time', 'enum', 'int32', 'int64', 'float', 'double'])

function reduce(schema: Json, path: string, reduction: Reduction): JsonObject {
  const remove = (keyword: string) => reduction.removed.push(path === '' ? keyword : `${path}.${keyword}`)
  if (!isObject(schema)) {
    if (schema === false) remove('false')
    return { type: 'STRING' }
  }
  if (++reduction.nodes > LARGEST || reduction.depth >= DEEPEST) {
    if (reduction.nodes <= LARGEST + 1) remove('everything beyond')
    return { type: 'OBJECT' }
  }
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
  const loops = reduction.above.has(reference)
  if (target === undefined || loops) {
    reduction.removed.push(path === '' ? `$ref ${reference}` : `${path}.$ref ${reference}`)
    const { description } = { ...target, ...beside }
    return { type: 'OBJECT', ...(typeof description === 'string' ? { description } : {}) }
  }
  reduction.above.add(reference)
  const { $defs, definitions, ...meant } = target
  const value = reduce({ ...meant, ...beside }, path, reduction)
  reduction.above.delete(reference)
  return value
}

/** All of several schemas are one with the members of each; where two say the same keyword, the first is kept. */
function withoutAllOf(schema: JsonObject, path: string, reduction: Reduction): JsonObject {
  const { allOf, ...rest } = schema
  if (!Array.isArray(allOf)) return schema
  let merged: Members = { ...rest }
  for (const [index, each] of (allOf as readonly Json[]).entries()) {
    const resolved =
      isObject(each) && typeof each['$ref'] === 'string' ? resolveReference(reduction.root, each['$ref']) : each
    if (!isObject(resolved)) continue
    for (const [key, value] of Object.entries(resolved)) {
      const mine = Object.hasOwn(merged, key) ? merged[key] : undefined
      if (mine === undefined) merged = { ...merged, [key]: value }
      else if (isObject(mine) && isObject(value)) merged = { ...merged, [key]: { ...value, ...mine } }
      else if (Array.isArray(mine) && Array.isArray(value))
        merged = { ...merged, [key]: [...new Set([...(mine as Json[]), ...(value as Json[])])] }
      else if (mine !== value) reduction.removed.push(`${path === '' ? '' : `${path}.`}allOf.${index}.${key}`)
    }
  }
  return merged
}

function reduceMembers(schema: JsonObject, path: string, reduction: Reduction): JsonObject {
  const at = (key: string) => (path === '' ? key : `${path}.${key}`)
  const {
    type,
    properties,
    items,
    prefixItems,
    required,
    anyOf,
    oneOf,
    enum: values,
    const: only,
    format,
    ...others
  } = schema
  const types = typesOf(type, schema)
  const integer = types.names[0] === 'INTEGER'
  const members: Members = {}
  const put = (key: string, value: Json) =>
    Object.defineProperty(members, key, { value, enumerable: true, writable: true, configurable: true })
  for (const [key, value] of Object.entries(others)) {
    if (key === 'exclusiveMinimum' && typeof value === 'number')
      put('minimum', bound(value, 1, integer, at(key), reduction))
    else if (key === 'exclusiveMaximum' && typeof value === 'number')
      put('maximum', bound(value, -1, integer, at(key), reduction))
    else if (KEPT.has(key)) {
      if (!Object.hasOwn(members, key)) put(key, value)
    } else if (key !== '$defs' && key !== 'definitions') reduction.removed.push(at(key))
  }
  if (format !== undefined) {
    if (typeof format === 'string' && FORMATS.has(format)) put('format', format)
    else reduction.removed.push(at('format'))
  }
  const options = optionsOf(anyOf ?? oneOf, path, anyOf === undefined ? 'oneOf' : 'anyOf', reduction)
  if (anyOf !== undefined && oneOf !== undefined) reduction.removed.push(at('oneOf'))
  const [name, second] = types.names
  if (second !== undefined && options.list.length === 0)
    put(
      'anyOf',
      types.names.map((each) => ({ type: each })),
    )
  else if (name !== undefined) put('type', name)
  if (options.list.length > 0) put('anyOf', options.list)
  if (types.none || options.none || (Array.isArray(values) && values.includes(null)) || only === null)
    put('nullable', true)
  putValues(values, only, put, at, reduction)
  if (isObject(properties)) {
    put(
      'properties',
      Object.fromEntries(
        Object.entries(properties).map(([key, each]) => [key, reduce(each, at(`properties.${key}`), reduction)]),
      ),
    )
  }
  if (Array.isArray(required)) putRequired(required as readonly Json[], properties, put, at, reduction)
  const element = items ?? (Array.isArray(prefixItems) ? { anyOf: prefixItems } : undefined)
  if (prefixItems !== undefined) reduction.removed.push(at('prefixItems'))
  if (element !== undefined) put('items', reduce(element, at('items'), reduction))
  else if (name === 'ARRAY') put('items', { type: 'STRING' })
  return members
}

/** On integers the bound itself moves by one; on others it stays, and that is told. */
function bound(value: number, step: number, integer: boolean, place: string, reduction: Reduction): number {
  if (integer) return step > 0 ? Math.floor(value) + 1 : Math.ceil(value) - 1
  reduction.removed.push(place)
  return value
}

function typesOf(
  type: Json | undefined,
  schema: JsonObject,
): { readonly names: readonly string[]; readonly none: boolean } {
  const said = (Array.isArray(type) ? (type as readonly Json[]) : [type]).filter((each) => typeof each === 'string')
  const names = said.filter((each) => each.toLowerCase() !== 'null').map((each) => each.toUpperCase())
  const none = names.length < said.length
  if (names.length > 0) return { names, none }
  if (schema['properties'] !== undefined) return { names: ['OBJECT'], none }
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined) return { names: ['ARRAY'], none }
  if (schema['anyOf'] !== undefined || schema['oneOf'] !== undefined) return { names: [], none }
  const example =
    schema['const'] ?? (Array.isArray(schema['enum']) ? (schema['enum'] as readonly Json[])[0] : undefined)
  if (typeof example === 'number') return { names: [Number.isInteger(example) ? 'INTEGER' : 'NUMBER'], none }
  return { names: [typeof example === 'boolean' ? 'BOOLEAN' : 'STRING'], none }
}

/** Alternatives; one that is null alone is a flag. */
function optionsOf(
  options: Json | undefined,
  path: string,
  keyword: string,
  reduction: Reduction,
): { readonly list: JsonObject[]; readonly none: boolean } {
  if (!Array.isArray(options)) return { list: [], none: false }
  const others = (options as readonly Json[]).filter((each) => !(isObject(each) && each['type'] === 'null'))
  const list = others.map((each, index) =>
    reduce(each, `${path === '' ? '' : `${path}.`}${keyword}.${index}`, reduction),
  )
  return { list, none: others.length < options.length }
}

/** A list of strings stays one; one number is a range of its own; other values cannot be listed. */
function putValues(
  values: Json | undefined,
  only: Json | undefined,
  put: (key: string, value: Json) => void,
  at: (key: string) => string,
  reduction: Reduction,
): void {
  const keyword = values === undefined ? 'const' : 'enum'
  const listed = (Array.isArray(values) ? (values as readonly Json[]) : only === undefined ? [] : [only]).filter(
    (each) => each !== null,
  )
  const [first, second] = listed
  if (first === undefined) return
  if (listed.every((each) => typeof each === 'string')) put('enum', listed)
  else if (typeof first === 'number' && second === undefined) {
    put('minimum', first)
    put('maximum', first)
  } else reduction.removed.push(at(keyword))
}

/** The subset refuses a required property that is not described. */
function putRequired(
  required: readonly Json[],
  properties: Json | undefined,
  put: (key: string, value: Json) => void,
  at: (key: string) => string,
  reduction: Reduction,
): void {
  const known = required.filter(
    (name) => typeof name === 'string' && isObject(properties) && Object.hasOwn(properties, name),
  )
  if (known.length < required.length) reduction.removed.push(at('required'))
  if (known.length > 0) put('required', known)
}

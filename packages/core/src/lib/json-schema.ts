import { isObject, type Json, type JsonObject } from './json.ts'

/** Standard JSON Schema out of the OpenAPI subset, which says types in upper case, null by a flag and counts as strings too. */
export function jsonSchemaOf(schema: JsonObject): JsonObject {
  const { type, nullable, properties, items, anyOf, oneOf, example, propertyOrdering, enum: values, ...rest } = schema
  const name = typeof type === 'string' && type !== 'TYPE_UNSPECIFIED' ? type.toLowerCase() : undefined
  const options = anyOf ?? oneOf
  const none = nullable === true
  return {
    ...(name === undefined ? {} : { type: none ? [name, 'null'] : name }),
    ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, COUNTS.has(key) ? numberOf(value) : value])),
    ...(values === undefined
      ? {}
      : { enum: none && Array.isArray(values) ? [...(values as readonly Json[]), null] : values }),
    ...(example === undefined ? {} : { examples: [example] }),
    ...(isObject(properties) ? { properties: mapValues(ordered(properties, propertyOrdering), fromAny) } : {}),
    ...(items === undefined ? {} : { items: fromAny(items) }),
    ...(Array.isArray(options)
      ? {
          anyOf: [
            ...(options as readonly Json[]).map(fromAny),
            ...(none && name === undefined ? [{ type: 'null' }] : []),
          ],
        }
      : {}),
  }
}

/** Standard schemas have no word for the order of properties: it is the order in which they stand. */
function ordered(properties: JsonObject, ordering: Json | undefined): JsonObject {
  if (!Array.isArray(ordering)) return properties
  const names = new Set((ordering as readonly Json[]).filter((name) => typeof name === 'string'))
  const first = [...names]
    .filter((name) => Object.hasOwn(properties, name))
    .map((name) => [name, properties[name]] as const)
  return Object.fromEntries([
    ...first,
    ...Object.entries(properties).filter(([name]) => !names.has(name)),
  ]) as JsonObject // all of them its own
}

const COUNTS: ReadonlySet<string> = new Set([
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
])

function numberOf(value: Json): Json {
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
}

function fromAny(value: Json): Json {
  return isObject(value) ? jsonSchemaOf(value) : value
}

function mapValues(object: JsonObject, change: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}

/** Whether a value is nested deeper than this or has more nodes; it looks no further than to the first excess. */
export function excessOf(value: Json, deepest: number, largest: number): 'depth' | 'size' | undefined {
  let nodes = 0
  const inside = (node: readonly Json[] | JsonObject, depth: number): 'depth' | 'size' | undefined => {
    for (const inner of Object.values<Json>(node)) {
      if (depth > deepest) return 'depth'
      if (++nodes > largest) return 'size'
      const found = typeof inner === 'object' && inner !== null ? inside(inner, depth + 1) : undefined
      if (found !== undefined) return found
    }
    return undefined
  }
  return inside([value], 0)
}

/** What a `$ref` of this document points at; undefined when that is not there. */
export function resolveReference(root: JsonObject, reference: string): JsonObject | undefined {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return undefined
  let place: Json | undefined = root
  for (const key of reference.slice(2).split('/')) {
    const name = decodePointer(key)
    if (isObject(place)) place = Object.hasOwn(place, name) ? place[name] : undefined
    else if (Array.isArray(place)) place = (place as readonly Json[])[Number(name)]
    else return undefined
  }
  return isObject(place) ? place : undefined
}

function decodePointer(key: string): string {
  const plain = key.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}

/** The first `$ref` that leads back to where it stands, directly or over others. */
export function findCycle(root: JsonObject): string | undefined {
  const above = new Set<string>()
  const done = new Set<string>()
  const follow = (reference: string): string | undefined => {
    if (above.has(reference)) return reference
    if (done.has(reference)) return undefined
    const target = resolveReference(root, reference)
    above.add(reference)
    const cycle = target === undefined ? undefined : firstOf(referencesIn(target), follow)
    above.delete(reference)
    done.add(reference)
    return cycle
  }
  return firstOf(referencesIn(root), follow)
}

function firstOf(references: readonly string[], follow: (reference: string) => string | undefined): string | undefined {
  for (const reference of references) {
    const found = follow(reference)
    if (found !== undefined) return found
  }
  return undefined
}

/** Every `$ref` in a schema. Definitions count where they are referred to. */
function referencesIn(schema: Json): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries<Json>(schema).flatMap(([key, value]) => {
    if (key === '$ref' && typeof value === 'string') return [value]
    return key === '$defs' || key === 'definitions' ? [] : referencesIn(value)
  })
}

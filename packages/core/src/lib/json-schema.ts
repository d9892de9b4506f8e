import { isObject, listOf, put, type Json, type JsonObject } from './json.ts'
import type { Draft } from './members.ts'

/**
 * Converts the OpenAPI subset to standard JSON Schema. The subset has upper-case types, a flag for null, and counts also as strings.
 * Every request with tools of genai is read so: each schema is written once, member by member, without lists of its members.
 */
export function jsonSchemaOf(schema: JsonObject): JsonObject {
  const { type } = schema
  const name = typeof type === 'string' && type !== 'TYPE_UNSPECIFIED' ? type.toLowerCase() : undefined
  let out: Draft<JsonObject> = {}
  if (name !== undefined) out['type'] = name
  let none: Json | undefined
  let oneOf: Json | undefined
  let example: Json | undefined
  for (const key in schema) {
    const value = schema[key] as Json // its own key
    switch (key) {
      case 'type':
      case 'propertyOrdering':
        break
      case 'nullable':
        none = value
        break
      case 'oneOf':
        oneOf = value
        break
      case 'example':
        example = value
        break
      case 'properties':
      case '$defs':
      case 'definitions':
        out[key] = eachMember(value, key === 'properties' && schema['propertyOrdering'])
        break
      case 'items':
      case 'additionalProperties':
      case 'not':
      case 'allOf':
      case 'anyOf':
        out[key] = fromAny(value)
        break
      default:
        out = put(
          out,
          key,
          typeof value === 'string' && /^(min|max)(Items|Length|Properties)$/.test(key) && /^\d+$/.test(value)
            ? Number(value)
            : value,
        )
    }
  }
  if (oneOf !== undefined) out[schema['anyOf'] === undefined ? 'anyOf' : 'oneOf'] = fromAny(oneOf)
  // Null is one more type, or one more choice if there is no type, and one more value.
  if (none === true) {
    const { enum: values, anyOf } = out
    if (name !== undefined) out['type'] = [name, 'null']
    else if (Array.isArray(anyOf)) out['anyOf'] = [...(anyOf as readonly Json[]), { type: 'null' }]
    if (Array.isArray(values)) out['enum'] = [...(values as readonly Json[]), null]
  }
  if (example !== undefined) out['examples'] = [example]
  return out
}

/** The schemas of members. Standard schemas cannot express the order of properties: it is the order in which they are written. */
function eachMember(members: Json, ordering: Json | undefined): Json {
  if (!isObject(members)) return members
  let out: Draft<JsonObject> = {}
  for (const name of listOf(ordering as readonly Json[]))
    // read leniently
    if (typeof name === 'string' && Object.hasOwn(members, name)) out = put(out, name, null) // its place
  for (const name in members) out = put(out, name, fromAny(members[name] as Json)) // its own key
  return out
}

function fromAny(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(fromAny)
  return isObject(value) ? jsonSchemaOf(value) : value
}

/** Whether a value is nested deeper than this or has more nodes. Stops at the first excess. */
export function excessOf(value: Json, deepest: number, largest: number): Excess {
  let nodes = 0
  const look = (node: Json, depth: number): Excess => {
    if (depth > deepest) return 'depth'
    if (++nodes > largest) return 'size'
    let found: Excess
    if (isObject(node)) for (const key in node) found ??= look(node[key] ?? null, depth + 1)
    else if (Array.isArray(node)) for (const item of node as readonly Json[]) found ??= look(item, depth + 1)
    return found
  }
  return look(value, 0)
}

type Excess = 'depth' | 'size' | undefined

/** The target of a `$ref` in this document; undefined if it does not exist. */
export function resolveReference(root: JsonObject, reference: string): JsonObject | undefined {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return undefined
  let node: Json | undefined = root
  for (const key of reference.slice(2).split('/')) {
    const name = decodePointer(key)
    if (isObject(node)) node = Object.hasOwn(node, name) ? node[name] : undefined
    else if (Array.isArray(node)) node = (node as readonly Json[])[Number(name)]
    else return undefined
  }
  return isObject(node) ? node : undefined
}

function decodePointer(key: string): string {
  const plain = key.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}

/** The first `$ref` that leads back to itself, directly or through others. Each node is visited once. */
export function findCycle(root: JsonObject): string | undefined {
  const above = new Set<object>([root])
  const done = new Set<object>()
  const path: { readonly node: object; readonly edges: readonly Edge[]; next: number }[] = []
  const enter = (node: object) => {
    above.add(node)
    path.push({ node, edges: edgesOf(node, root), next: 0 })
  }
  enter(root)
  for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
    const edge = last.edges[last.next++]
    if (edge === undefined) {
      path.pop()
      above.delete(last.node)
      done.add(last.node)
    } else if (above.has(edge.to)) return edge.reference
    else if (!done.has(edge.to)) enter(edge.to)
  }
  return undefined
}

/** The path from a node to one inside it, or to one that it refers to. */
interface Edge {
  readonly to: object
  readonly reference?: string
}

/** Definitions count where they are referred to. */
function edgesOf(node: object, root: JsonObject): Edge[] {
  return Object.entries<Json>(node as JsonObject).flatMap(([key, value]): Edge[] => {
    if (key === '$ref' && typeof value === 'string') {
      const to = resolveReference(root, value)
      return to === undefined ? [] : [{ to, reference: value }]
    }
    const inside = key !== '$defs' && key !== 'definitions' && typeof value === 'object' && value !== null
    return inside ? [{ to: value }] : []
  })
}

/**
 * The schema of an object, with its type and without choices at its root: the properties of all choices together, of which those are
 * required that every choice requires. It allows everything that the given schema allows. The same value if there is nothing to change.
 */
export function objectSchema(schema: JsonObject): JsonObject {
  if (!hasChoices(schema)) return schema['type'] === 'object' ? schema : { ...schema, type: 'object' }
  const { anyOf, oneOf, allOf, $ref, additionalProperties, ...rest } = schema
  const properties = new Map<string, Json>()
  const required = [...collect(schema, schema, properties, new Set())]
  return { ...rest, type: 'object', properties: Object.fromEntries(properties), required }
}

/** Whether there is more at the root of a schema than one object. */
export function hasChoices(schema: JsonObject): boolean {
  const { anyOf, oneOf, allOf, $ref } = schema
  return anyOf !== undefined || oneOf !== undefined || allOf !== undefined || $ref !== undefined
}

/**
 * Adds the properties of a schema and of its choices to `all`, and returns those that it requires. Each node is visited once, so that
 * references can neither loop nor multiply; a second visit requires nothing.
 */
function collect(node: JsonObject, root: JsonObject, all: Map<string, Json>, visited: Set<JsonObject>): Set<string> {
  const { properties, required, allOf, $ref } = node
  if (visited.has(node)) return new Set()
  visited.add(node)
  for (const [name, kind] of isObject(properties) ? Object.entries(properties) : []) {
    const before = all.get(name)
    const isNew = before === undefined || JSON.stringify(before) === JSON.stringify(kind)
    all.set(name, isNew ? kind : { anyOf: [before, kind] })
  }
  const needed = new Set(listOf(required as readonly string[]))
  const visit = (list: Json | undefined) => objectsIn(list, root).map((each) => collect(each, root, all, visited))
  for (const names of visit([...listOf(allOf as readonly Json[]), ...($ref === undefined ? [] : [{ $ref }])]))
    for (const name of names) needed.add(name)
  for (const choices of [node['anyOf'], node['oneOf']]) {
    const [first = new Set<string>(), ...others] = visit(choices)
    for (const name of first) if (others.every((names) => names.has(name))) needed.add(name)
  }
  return needed
}

/** The schemas in a list that objects can satisfy, with references resolved. */
function objectsIn(list: Json | undefined, root: JsonObject): JsonObject[] {
  return listOf(list as readonly Json[]).flatMap((each): JsonObject[] => {
    const $ref = isObject(each) ? each['$ref'] : undefined
    const target = typeof $ref === 'string' ? resolveReference(root, $ref) : each
    return isObject(target) && [target['type'] ?? 'object'].flat().includes('object') ? [target] : []
  })
}

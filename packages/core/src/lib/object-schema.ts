import { isObject, listOf, type Json, type JsonObject } from './json.ts'
import { resolveReference } from './json-schema.ts'

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

import { isObject, type Json, type JsonObject } from './json.ts'
import { resolveReference } from './json-schema.ts'

/**
 * The schema of an object, with its type and without choices at its root: the properties of all choices together, of which those are
 * required that every choice requires. It allows everything that the given schema allows. The same value if there is nothing to change.
 */
export function objectSchema(schema: JsonObject): JsonObject {
  const isPlain = CHOICES.every((keyword) => schema[keyword] === undefined)
  if (isPlain && schema['type'] === 'object') return schema
  const { type: _object, anyOf, oneOf, allOf, $ref, properties, required, additionalProperties, ...rest } = schema
  if (isPlain) return { ...schema, type: 'object' }
  const { members, needed, isClosed } = join(schema, schema, new Set())
  return {
    ...rest,
    type: 'object',
    properties: Object.fromEntries([...members].map(([name, kinds]) => [name, oneOfKinds(kinds)])),
    ...(needed.size === 0 ? {} : { required: [...needed] }),
    ...(isClosed ? { additionalProperties: false } : {}),
  }
}

const CHOICES = ['anyOf', 'oneOf', 'allOf', '$ref'] as const

/** What an object schema says about its members. */
interface Joined {
  /** The schemas of each member, each only once. */
  readonly members: Map<string, Json[]>
  readonly needed: Set<string>
  /** No other members are allowed. */
  readonly isClosed: boolean
}

/** Each node is visited once, so that references can neither loop nor multiply; a second visit requires nothing. */
function join(node: JsonObject, root: JsonObject, visited: Set<JsonObject>): Joined {
  const { properties, required } = node
  const members = new Map<string, Json[]>()
  if (visited.has(node)) return { members, needed: new Set(), isClosed: false }
  visited.add(node)
  for (const [name, kind] of isObject(properties) ? Object.entries(properties) : []) members.set(name, [kind])
  const needed = new Set(stringsOf(required))
  let isClosed = node['additionalProperties'] === false
  for (const part of partsOf(node, root)) {
    const joined = join(part, root, visited)
    addMembers(members, joined.members)
    for (const name of joined.needed) needed.add(name)
    isClosed ||= joined.isClosed
  }
  for (const choices of [node['anyOf'], node['oneOf']]) {
    const joined = objectsIn(choices, root).map((choice) => join(choice, root, visited))
    for (const each of joined) addMembers(members, each.members)
    for (const name of joined[0]?.needed ?? []) if (joined.every((each) => each.needed.has(name))) needed.add(name)
    isClosed ||= joined.length > 0 && joined.every((each) => each.isClosed)
  }
  return { members, needed, isClosed }
}

/** Schemas that hold together with this one. */
function partsOf({ allOf, $ref }: JsonObject, root: JsonObject): JsonObject[] {
  return objectsIn([...(Array.isArray(allOf) ? (allOf as readonly Json[]) : []), ...($ref ? [{ $ref }] : [])], root)
}

/** The schemas in a list that objects can satisfy, with references resolved. */
function objectsIn(list: Json | undefined, root: JsonObject): JsonObject[] {
  return (Array.isArray(list) ? (list as readonly Json[]) : []).flatMap((each): JsonObject[] => {
    const target = isObject(each) && typeof each['$ref'] === 'string' ? resolveReference(root, each['$ref']) : each
    if (!isObject(target)) return []
    const { type } = target
    return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object')) ? [target] : []
  })
}

function addMembers(all: Map<string, Json[]>, more: Map<string, Json[]>): void {
  for (const [name, kinds] of more) {
    const before = all.get(name)
    if (before === undefined) all.set(name, kinds)
    else for (const kind of kinds) before.push(kind)
  }
}

/** A member that differs between the choices can be any of its kinds. */
function oneOfKinds(kinds: readonly Json[]): Json {
  const different = [...new Map(kinds.map((kind) => [JSON.stringify(kind), kind])).values()]
  return different.length === 1 ? (different[0] ?? {}) : { anyOf: different }
}

function stringsOf(list: Json | undefined): string[] {
  return (Array.isArray(list) ? (list as readonly Json[]) : []).filter((item) => typeof item === 'string')
}

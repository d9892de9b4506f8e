import { membersOf, type AnySchema, type MemberName, type ObjectSchema } from '../lib/grammar/members.ts'
import { isEmpty, isObject, merge, type Json, type JsonObject } from '../lib/json.ts'

/**
 * What decode did not take, per protocol, in the shape of the wire (nested: `{ image_url: { foo: 1 } }`). Encode to the same
 * protocol merges it back under what it writes; another protocol reports it as lost.
 */
export type Extras = { readonly [protocol: string]: JsonObject }

/** Every IR object that stands for one wire object, and so can hold what that object said beyond our knowledge. */
export interface Node {
  readonly extras?: Extras
}

/** The node members for what is left after destructuring a wire object; nothing at all when nothing is left. */
export function leftover(protocol: string, rest: object): Node {
  return isEmpty(rest) ? {} : { extras: { [protocol]: rest as JsonObject } } // rest of a parsed JSON object
}

/** The members of a wire object that its decoder reads: null, or what is read of the object that stands there. */
export type Known = ReadonlyMap<string, Known | null>

/** What a decoder does not read of an object, and what it hands to another decoder. */
export interface Reading<Name extends string> {
  /** Members that stay leftovers. */
  readonly unread?: readonly Name[]
  /** Members that hold an object whose leftovers another decoder collects. */
  readonly apart?: readonly Name[]
  /** What is read of the object in a member that may hold several kinds. */
  readonly inside?: { readonly [Member in Name]?: Known }
}

/** What is known of a wire object is what the grammar names, down to the objects in it. */
export function known<S extends ObjectSchema>(schema: S, reading: Reading<MemberName<S>> = {}): Known {
  const { unread = [], apart = [], inside = {} }: Reading<string> = reading
  const members = Object.entries(membersOf(schema) ?? {}).filter(([name]) => !unread.includes(name))
  const read = (name: string, member: AnySchema) =>
    apart.includes(name) ? null : (inside[name] ?? knownInside(member))
  return new Map(members.map(([name, member]) => [name, read(name, member)]))
}

function knownInside(schema: AnySchema): Known | null {
  const members = membersOf(schema)
  if (members === undefined) return null
  return new Map(Object.entries(members).map(([name, member]) => [name, knownInside(member)]))
}

/**
 * What is left of a wire object beside the members that its decoder reads, down to the objects in it; undefined when nothing is.
 * A rest spread would cost more than the rest of the decoding. The identity law, which gives every member of the grammar and
 * unknown ones everywhere, keeps the grammar and the decoder together.
 */
export function unknownOf(wire: object, known: Known): JsonObject | undefined {
  for (const key in wire) {
    const inside = known.get(key)
    if (inside === null) continue // the value is not even looked at: that would cost more than all the rest
    if (inside === undefined || unknownIn(wire, key, inside) !== undefined) return collect(wire, known)
  }
  return undefined
}

/** What is left of a member that is known. */
function unknownIn(wire: object, key: string, inside: Known | null): JsonObject | undefined {
  const value = (wire as JsonObject)[key] // an object that came as JSON
  return inside !== null && isObject(value) ? unknownOf(value, inside) : undefined
}

/** The same for one of many objects that may repeat each other: members that just say what came before are not new. */
export function newlyUnknown(wire: object, known: Known, seen: Map<string, unknown>): JsonObject | undefined {
  const rest = unknownOf(wire, known) ?? {}
  const news = Object.entries(rest).filter(([key, value]) => seen.get(key) !== value)
  for (const [key, value] of news) seen.set(key, value)
  return news.length === 0 ? undefined : Object.fromEntries(news)
}

function collect(wire: object, known: Known): JsonObject {
  const found: [string, Json][] = []
  for (const key in wire) {
    const inside = known.get(key)
    const rest = inside === undefined ? ((wire as JsonObject)[key] ?? null) : unknownIn(wire, key, inside) // as above
    if (rest !== undefined) found.push([key, rest])
  }
  return Object.fromEntries(found)
}

/** Puts what is left of its wire object onto a node that is being made. */
export function keep<const T extends object>(node: T, protocol: string, rest: JsonObject | undefined): T & Node {
  return rest === undefined ? node : Object.assign(node, { extras: { [protocol]: rest } })
}

/** Puts a node's leftovers of this protocol back under what the encoder wrote. */
export function restore<const T extends object>(protocol: string, node: Node, wire: T): T {
  return node.extras === undefined ? wire : merge(wire, node.extras[protocol])
}

/** What is left of a wire object, with what is left of one of its members nested in it. */
export function nest(rest: object, member: string, inner: unknown): object {
  if (inner === undefined || (isObject(inner) && isEmpty(inner))) return rest
  return { ...rest, [member]: inner }
}

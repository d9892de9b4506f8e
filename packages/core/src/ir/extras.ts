import { membersOf, type AnySchema, type MemberName, type ObjectSchema } from '../lib/grammar/members.ts'
import { isEmpty, isObject, merge, optionalString, type Json, type JsonObject } from '../lib/json.ts'

/**
 * Wire members that a decoder does not know, per protocol, in the shape of the wire (nested: `{ image_url: { foo: 1 } }`). The encoder
 * of the same protocol merges them back. The encoder of another protocol reports them as lost.
 */
export type Extras = { readonly [protocol: string]: JsonObject }

/** An IR node that stands for one wire object, and so can have unknown members of that object. */
export interface Node {
  readonly extras?: Extras
}

/** The node members for the rest of a destructured wire object; no members if the rest is empty. */
export function keepExtras(protocol: string, rest: object): Node {
  return isEmpty(rest) ? {} : { extras: { [protocol]: rest as JsonObject } } // rest of a parsed JSON object
}

/** The members of a wire object that its decoder reads: null, or what is read from the object in the member. */
export type Known = ReadonlyMap<string, Known | null>

/** The members that a decoder does not read, or passes to another decoder. */
interface Reading<Name extends string> {
  /** Members that stay extras. */
  readonly unread?: readonly Name[]
  /** Members with an object whose extras another decoder collects. */
  readonly apart?: readonly Name[]
  /** The members that are read from an object that may be of several kinds. */
  readonly inside?: { readonly [Member in Name]?: Known }
}

/** The known members of a wire object are those of the grammar, also in nested objects. */
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
 * The members of a wire object that its decoder does not read, also those of nested objects; undefined if there are none.
 * A rest spread would cost more than all other decoding. The identity law generates every member of the grammar and
 * unknown ones everywhere, so the grammar and the decoder cannot diverge.
 */
export function unknownOf(wire: object, known: Known): JsonObject | undefined {
  if (typeof wire !== 'object') return undefined // read leniently: a text would be walked character by character
  for (const key in wire) {
    const inside = known.get(key)
    if (inside === null) continue // the value is not read: that would cost more than all the rest
    if (inside === undefined || unknownIn(wire, key, inside) !== undefined) return collect(wire, known)
  }
  return undefined
}

/** The unknown members inside a known member. */
function unknownIn(wire: object, key: string, inside: Known | null): JsonObject | undefined {
  const value = (wire as JsonObject)[key] // an object of parsed JSON
  return inside !== null && isObject(value) ? unknownOf(value, inside) : undefined
}

/** The same for one of many objects that may repeat each other: members with the same value as before are not new. */
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

/** Adds the unknown members of its wire object to a node that is being built. */
export function keep<const T extends object>(node: T, protocol: string, rest: JsonObject | undefined): T & Node {
  return rest === undefined ? node : Object.assign(node, { extras: { [protocol]: rest } })
}

/** Unknown members without one that is read in spite of the grammar; undefined if no others are left. */
export function withoutMember(rest: JsonObject | undefined, member: string | undefined): JsonObject | undefined {
  if (rest === undefined || member === undefined) return rest
  const { [member]: _read, ...others } = rest
  return isEmpty(others) ? undefined : others
}

/** A word of the wire that its decoder has read as another one, such as an unknown role: its encoder writes it again. */
export function keptWord({ extras }: Node, protocol: string, member: string): string | undefined {
  return optionalString(extras?.[protocol]?.[member])
}

/** Writes a node's extras of this protocol back under the members of the encoder. */
export function restore<const T extends object>(protocol: string, node: Node, wire: T): T {
  return node.extras === undefined ? wire : merge(wire, node.extras[protocol])
}

/** The unknown members of a wire object, together with those of one of its members. */
export function nest(rest: object, member: string, inner: unknown): object {
  if (inner === undefined || (isObject(inner) && isEmpty(inner))) return rest
  return { ...rest, [member]: inner }
}

/** The shape of a value at a path: a value, any JSON, a list of one shape, or an object with these members. */
export type Shape = 'value' | 'json' | readonly [Shape] | { readonly [member: string]: Shape }

/** A shape for every member of a node, also optional ones; for a union, the members of all its types. */
export type ShapeOf<Node> = { readonly [Member in Node extends unknown ? keyof Node : never]: Shape }

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
export type Known = ReadonlyMap<string, KnownInside>
type KnownInside = Known | null

/** `known('type', { image_url: known('url detail') })`. */
export function known(members: string, inside: { readonly [member: string]: Known } = {}): Known {
  const flat = (members.match(/\S+/g) ?? []).map((name) => [name, null] as const)
  return new Map<string, KnownInside>([...flat, ...Object.entries(inside)])
}

/**
 * What is left of a wire object beside the members that its decoder reads, down to the objects in it; undefined when nothing is.
 * A rest spread would cost more than the rest of the decoding. The identity law, which puts unknown members everywhere, keeps
 * `known` and the decoder together.
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

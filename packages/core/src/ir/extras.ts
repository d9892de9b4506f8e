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

/**
 * What is left of a wire object beside the members that its decoder reads; undefined when nothing is. For the nodes that a
 * request has by the hundred: a rest spread costs more than the rest of their decoding. The identity law, which puts unknown
 * members everywhere, keeps the set and the decoder together. With `seen`, members that just repeat what came before are not new.
 */
export function unknownOf(
  wire: object,
  known: ReadonlySet<string>,
  seen?: Map<string, unknown>,
): JsonObject | undefined {
  let found: [string, Json][] | undefined
  for (const key in wire) {
    if (known.has(key)) continue
    const value = (wire as JsonObject)[key] ?? null // an object that came as JSON
    if (seen !== undefined) {
      if (seen.get(key) === value) continue
      seen.set(key, value)
    }
    ;(found ??= []).push([key, value])
  }
  return found === undefined ? undefined : Object.fromEntries(found)
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

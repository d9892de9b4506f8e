import type { DecodeContext, Json, JsonObject, Protocol } from '@dragoman/core'
import { normal, same, show } from './same.ts'
import { createExchange, type Subject } from './subject.ts'

type Path = readonly (string | number)[]

/**
 * Nulls: a member that is null is one that was not given. Wherever a request may lack a member it may be null, and is understood alike.
 * What is somebody else's keeps its nulls, so nulls do not count in the comparison.
 */
export function mustReadNullAsAbsent(protocol: Protocol, subject: Subject, wire: JsonObject, pick: number): void {
  const paths = [...pathsOf(wire, [])]
  const path = paths[pick % paths.length]
  if (path === undefined) return
  const { decode } = createExchange(protocol, subject, { toward: 'upstream' })
  const without = understood(protocol, edited(wire, path, undefined), decode)
  if (without === undefined) return // the member is needed
  const nulled = understood(protocol, edited(wire, path, null), decode)
  if (nulled === undefined) throw new Error(`null is refused at ${path.join('.')} of ${show(wire)}`)
  if (!same(nulled, without))
    throw new Error(`null counts at ${path.join('.')}\n null   ${show(nulled)}\n absent ${show(without)}`)
}

function understood(protocol: Protocol, wire: JsonObject, context: DecodeContext): unknown {
  let checked: JsonObject
  try {
    checked = protocol.request.check(wire)
  } catch {
    return undefined // refused, which is all that counts here
  }
  return withoutNulls(normal(protocol.request.decode(checked, context)))
}

/** Members whose value is an object of somebody else's, such as the result of a function. */
const FOREIGN: ReadonlySet<string> = new Set(['response', 'args', 'input'])

/** Every member of every object, but for unknown ones. */
function* pathsOf(node: Json, path: Path): Generator<Path> {
  if (Array.isArray(node)) {
    for (const [index, item] of (node as readonly Json[]).entries()) yield* pathsOf(item, [...path, index])
  } else if (typeof node === 'object' && node !== null) {
    for (const [key, value] of Object.entries(node)) {
      if (key.startsWith('x_')) continue
      yield [...path, key]
      if (!FOREIGN.has(key)) yield* pathsOf(value, [...path, key])
    }
  }
}

function edited(wire: JsonObject, path: Path, value: null | undefined): JsonObject {
  return edit(wire, path, value) as JsonObject // a path has a key, so an object stays one
}

function edit(node: Json | undefined, [key, ...rest]: Path, value: null | undefined): Json | undefined {
  if (key === undefined) return value
  if (Array.isArray(node)) {
    const items = node as readonly Json[] // Array.isArray forgets the type
    return items.with(Number(key), edit(items[Number(key)], rest, value) ?? null)
  }
  const members = Object.entries(node as JsonObject).map(
    ([name, each]) => [name, name === key ? edit(each, rest, value) : each] as const, // along a path of this node
  )
  return Object.fromEntries(members.filter(([, each]) => each !== undefined)) as JsonObject // what is left has a value
}

/** Nor does an object that held nothing but null. */
function withoutNulls(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutNulls)
  if (typeof node !== 'object' || node === null) return node
  const members = Object.entries(node).map(([key, value]) => [key, withoutNulls(value)] as const)
  return Object.fromEntries(members.filter(([, value]) => value !== null && !same(value, {})))
}

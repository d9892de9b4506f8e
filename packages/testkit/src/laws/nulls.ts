import type { DecodeContext, Json, JsonObject, Protocol } from '@dragoman/core'
import { normal, same, show } from './same.ts'
import { createExchange, type Subject } from './subject.ts'

type Path = readonly (string | number)[]

/**
 * Nulls: a null member counts as absent. Every member that a request can leave out can be null, with the same meaning.
 * Data of callers keeps its nulls, so nulls are ignored in the comparison.
 */
export function mustReadNullAsAbsent(protocol: Protocol, subject: Subject, wire: JsonObject, pick: number): void {
  const paths = [...pathsOf(wire, [])]
  const path = paths[pick % paths.length]
  if (path === undefined) return
  const { decode } = createExchange(protocol, subject, { toward: 'upstream' })
  const without = understood(protocol, edited(wire, path, undefined), decode)
  if (without === undefined) return // the member is required
  const nulled = understood(protocol, edited(wire, path, null), decode)
  if (nulled === undefined) throw new Error(`null is refused at ${path.join('.')} of ${show(wire)}`)
  if (!same(nulled, without))
    throw new Error(`null differs from absent at ${path.join('.')}\n null   ${show(nulled)}\n absent ${show(without)}`)
}

function understood(protocol: Protocol, wire: JsonObject, context: DecodeContext): unknown {
  let checked: JsonObject
  try {
    checked = protocol.request.check(wire)
  } catch {
    return undefined // refused
  }
  return withoutNulls(normal(protocol.request.decode(checked, context)))
}

/** Members whose value is data of the caller, such as the result of a function. */
const CALLER_DATA: ReadonlySet<string> = new Set(['response', 'args', 'input'])

/** Every member of every object, except unknown ones. */
function* pathsOf(node: Json, path: Path): Generator<Path> {
  if (Array.isArray(node)) {
    for (const [index, item] of (node as readonly Json[]).entries()) yield* pathsOf(item, [...path, index])
  } else if (typeof node === 'object' && node !== null) {
    for (const [key, value] of Object.entries(node)) {
      if (key.startsWith('x_')) continue
      yield [...path, key]
      if (!CALLER_DATA.has(key)) yield* pathsOf(value, [...path, key])
    }
  }
}

function edited(wire: JsonObject, path: Path, value: null | undefined): JsonObject {
  return edit(wire, path, value) as JsonObject // the path is not empty, so the root stays an object
}

function edit(node: Json | undefined, [key, ...rest]: Path, value: null | undefined): Json | undefined {
  if (key === undefined) return value
  if (Array.isArray(node)) {
    const items = node as readonly Json[] // Array.isArray loses the type
    return items.with(Number(key), edit(items[Number(key)], rest, value) ?? null)
  }
  const members = Object.entries(node as JsonObject).map(
    ([name, each]) => [name, name === key ? edit(each, rest, value) : each] as const, // the path belongs to this node
  )
  return Object.fromEntries(members.filter(([, each]) => each !== undefined)) as JsonObject // members without a value are filtered out
}

/** Objects with only null members are removed too. */
function withoutNulls(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutNulls)
  if (typeof node !== 'object' || node === null) return node
  const members = Object.entries(node).map(([key, value]) => [key, withoutNulls(value)] as const)
  return Object.fromEntries(members.filter(([, value]) => value !== null && !same(value, {})))
}

import { isObject, parseJson, type Json, type JsonObject } from '../lib/json.ts'
import type { Path } from './loss.ts'
import { equal, without, withValue, entryFor } from './values.ts'
import { valueAt } from '../lib/json-path.ts'
import type { Quirk, Rename } from './quirk.ts'

/** A wire request with the upstream's own names. */
export function encodeRenames(quirks: readonly Quirk[], wire: JsonObject): JsonObject {
  return quirks.reduce((now, quirk) => (quirk.verb === 'rename' ? encodeRename(quirk, now) : now), wire)
}

/** The reverse: how the upstream reads those names. */
export function decodeRenames(quirks: readonly Quirk[], wire: JsonObject): JsonObject {
  return quirks.reduceRight((now, quirk) => (quirk.verb === 'rename' ? decodeRename(quirk, now) : now), wire)
}

/** The first member of a body that has another name at the upstream. */
export function renamedMember(quirks: readonly Quirk[], wire: JsonObject): string | undefined {
  const found = quirks.find((quirk) => quirk.verb === 'rename' && encodeRename(quirk, wire) !== wire)
  return found?.verb === 'rename' ? found.at : undefined
}

function encodeRename({ at, to, values }: Rename, wire: JsonObject): JsonObject {
  const from = at.split('.')
  const value = valueAt(wire, from)
  if (value === undefined) return wire
  const key = entryFor(value, values)
  if (to === undefined && key === undefined) return wire
  if (isObject(key)) return leavesOf(key).reduce((now, [path, leaf]) => put(now, path, leaf), take(wire, from))
  return put(take(wire, from), to?.split('.') ?? from, key ?? value)
}

function decodeRename({ at, to, values }: Rename, wire: JsonObject): JsonObject {
  const from = at.split('.')
  for (const [key, wireValue] of Object.entries(values ?? {})) {
    if (isObject(wireValue)) {
      const leaves = leavesOf(wireValue)
      if (!leaves.every(([path, leaf]) => equal(valueAt(wire, path), leaf))) continue
      return put(
        leaves.reduce((now, [path]) => take(now, path), wire),
        from,
        valueOf(key),
      )
    }
    const path = to?.split('.') ?? from
    if (equal(valueAt(wire, path), wireValue)) return put(take(wire, path), from, valueOf(key))
  }
  if (to === undefined) return wire
  const value = valueAt(wire, to.split('.'))
  return value === undefined ? wire : put(take(wire, to.split('.')), from, value)
}

/** The keys of `values` are words or, for booleans, their names. */
function valueOf(key: string): Json {
  const parsed = parseJson(key)
  return typeof parsed === 'boolean' ? parsed : key
}

function leavesOf(value: JsonObject): (readonly [Path, Json])[] {
  return Object.entries(value).flatMap(([key, inner]): (readonly [Path, Json])[] =>
    isObject(inner)
      ? leavesOf(inner).map(([path, leaf]) => [[key, ...path], leaf] as const)
      : [[[key], inner] as const],
  )
}

function put(wire: JsonObject, path: Path, value: Json): JsonObject {
  return withValue(wire, path, value) as JsonObject // an object with one member edited
}

function take(wire: JsonObject, path: Path): JsonObject {
  return without(wire, path) as JsonObject // as above
}

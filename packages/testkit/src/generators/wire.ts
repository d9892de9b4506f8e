import type { Json, JsonObject } from '@dragoman/core'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { json, key, unknownMembers } from './json.ts'
import { maybe, withoutAbsent } from './record.ts'

/** A wire object: required members, optional members, and sometimes unknown ones. */
export function loose(
  always: { readonly [key: string]: Arbitrary<Json> },
  sometimes: { readonly [key: string]: Arbitrary<Json> } = {},
): Arbitrary<JsonObject> {
  const optional = Object.fromEntries(Object.entries(sometimes).map(([key, arbitrary]) => [key, maybe(arbitrary)]))
  return fc
    .tuple(fc.record<{ [key: string]: Json | undefined }>({ ...always, ...optional }), maybe(unknownMembers(), 1))
    .map(([members, unknown]) => withoutAbsent({ ...unknown, ...members }) as JsonObject) // members without a value are filtered out
}

/** The same without unknown members, for objects that have none in streams. */
export function strict(
  always: { readonly [key: string]: Arbitrary<Json> },
  sometimes: { readonly [key: string]: Arbitrary<Json> } = {},
): Arbitrary<JsonObject> {
  const optional = Object.fromEntries(Object.entries(sometimes).map(([key, arbitrary]) => [key, maybe(arbitrary)]))
  return fc
    .record<{ [key: string]: Json | undefined }>({ ...always, ...optional })
    .map((members) => withoutAbsent(members) as JsonObject) // members without a value are filtered out
}

/** A JSON Schema of an object. */
export function parameters(): Arbitrary<JsonObject> {
  return fc
    .dictionary(key(), fc.constantFrom<Json>({ type: 'string' }, { type: 'integer', minimum: 1 }), {
      maxKeys: 2,
      noNullPrototype: true,
    })
    .map((properties) => ({ type: 'object', properties }))
}

/** The arguments of a tool call. */
export function input(): Arbitrary<JsonObject> {
  return fc.dictionary(key(), json(1), { maxKeys: 2, noNullPrototype: true })
}

/** Splits a text into pieces; the sizes are used in turn. */
export function piecesOf(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = []
  for (let start = 0, turn = 0; start < text.length; turn++) {
    const end = start + Math.max(1, sizes[turn % sizes.length] ?? 1)
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}

/** A member that was generated as a string. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

import type { Json, JsonObject } from '@dragoman/core'

/** Where a value stands in a body. */
export type Place = readonly (string | number)[]

/** Every place in a body, from the top down. */
export function placesOf(node: Json, before: Place = []): Place[] {
  if (typeof node !== 'object' || node === null) return []
  const entries: (readonly [string | number, Json])[] = isList(node) ? [...node.entries()] : Object.entries(node)
  return entries.flatMap(([key, value]) => [[...before, key], ...placesOf(value, [...before, key])])
}

/** The body as text with other text at a place: JSON says more than JSON.stringify writes. */
export function withText(body: JsonObject, place: Place, text: string): string {
  const [before = '', after = ''] = JSON.stringify(replaced(body, place, HOLE)).split(JSON.stringify(HOLE))
  return before + text + after
}

/** The body as text with a further member, given as text, at the front of every object. */
export function withMember(body: JsonObject, member: string): string {
  return JSON.stringify(body)
    .replaceAll('{}', `{${member}}`)
    .replaceAll(/\{(?=")/g, `{${member},`)
    .replaceAll(`{${member},${member}`, `{${member}`)
}

const HOLE = '\u0001hole\u0001'

function replaced(node: Json, place: Place, value: Json): Json {
  const [key, ...rest] = place
  if (key === undefined) return value
  if (isList(node)) return node.map((item, index) => (index === key ? replaced(item, rest, value) : item))
  if (typeof node !== 'object' || node === null) return node
  return { ...node, [key]: replaced(node[key] ?? null, rest, value) }
}

function isList(node: Json): node is readonly Json[] {
  return Array.isArray(node)
}

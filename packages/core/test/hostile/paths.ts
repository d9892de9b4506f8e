import type { Json, JsonObject } from '@dragoman/core'

/** The path of a value in a body. */
export type Path = readonly (string | number)[]

/** Every path in a body, outer paths first. */
export function pathsIn(node: Json, before: Path = []): Path[] {
  if (typeof node !== 'object' || node === null) return []
  const entries: (readonly [string | number, Json])[] = isList(node) ? [...node.entries()] : Object.entries(node)
  return entries.flatMap(([key, value]) => [[...before, key], ...pathsIn(value, [...before, key])])
}

/** The body as text with other text at a path, because JSON can express more than JSON.stringify writes. */
export function withText(body: JsonObject, path: Path, text: string): string {
  return openAt(body, path)(text)
}

/** The same for several texts at one path: the body is written once. */
export function openAt(body: JsonObject, path: Path): (text: string) => string {
  const [before = '', after = ''] = JSON.stringify(replaced(body, path, HOLE)).split(JSON.stringify(HOLE))
  return (text) => before + text + after
}

/** The body as text with an additional member, given as text, at the start of every object. */
export function withMember(body: JsonObject, member: string): string {
  return JSON.stringify(body)
    .replaceAll('{}', `{${member}}`)
    .replaceAll(/\{(?=")/g, `{${member},`)
    .replaceAll(`{${member},${member}`, `{${member}`)
}

const HOLE = '\u0001hole\u0001'

function replaced(node: Json, path: Path, value: Json): Json {
  const [key, ...rest] = path
  if (key === undefined) return value
  if (isList(node)) return node.map((item, index) => (index === key ? replaced(item, rest, value) : item))
  if (typeof node !== 'object' || node === null) return node
  return { ...node, [key]: replaced(node[key] ?? null, rest, value) }
}

function isList(node: Json): node is readonly Json[] {
  return Array.isArray(node)
}

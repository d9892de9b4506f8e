/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject
/** A JSON object with unknown members. */
export type JsonObject = { readonly [key: string]: Json }

/** True for a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** For answers of upstreams: the object, or an empty one. */
export function objectOf<T extends object>(value: T | null | undefined): Partial<T> {
  return isObject(value) ? value : {}
}

/** For answers of upstreams: the list, or an empty one. */
export function listOf<T>(value: readonly T[] | null | undefined): readonly T[] {
  return Array.isArray(value) ? (value as readonly T[]) : [] // Array.isArray loses the type
}

/** For answers of upstreams: the string, or an empty one. */
export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The same, or undefined. */
export function optionalString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** For answers of upstreams: the number, or undefined. JSON can express numbers that do not fit. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** True for an object without members. */
export function isEmpty(object: object): boolean {
  for (const _key in object) return false
  return true
}

/** Undefined for text that is not JSON; for any input. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json // the only place where unknown text becomes an unknown value
  } catch {
    return undefined
  }
}

/** Sets a member of an object that is being built, where entries would cost more. A `__proto__` key does not take effect. */
export function put<T extends object>(object: T, member: string, value: unknown): T {
  if (member === '__proto__') return { ...object, [member]: value }
  ;(object as { [member: string]: unknown })[member] = value // it is being built
  return object
}

/** Adds the members of `under` that `over` does not have, recursively in objects and never in arrays. `over` wins. */
export function merge<T extends object>(over: T, under: JsonObject | undefined): T {
  if (under === undefined) return over
  const mine = over as { readonly [key: string]: unknown } // read by keys that it has
  const added: [string, unknown][] = []
  for (const key of Object.keys(under)) {
    const own = Object.hasOwn(mine, key) ? mine[key] : undefined
    const theirs = under[key]
    if (own === undefined) added.push([key, theirs])
    else if (isObject(own) && isObject(theirs)) added.push([key, merge(own, theirs)])
  }
  return { ...over, ...Object.fromEntries(added) } // never by assignment: a `__proto__` key would take effect
}

/** The most characters of one text, and the most levels of lists and objects. */
const LONGEST = 4096
const DEEPEST = 24

/** A JSON document, or why it is not accepted. The reason follows its name. */
type StrictJson = { readonly value: Json } | { readonly problem: string }

/**
 * Parses JSON that two readers must not understand differently: a member may not be there twice, as the first or the last of both would
 * count, and none may be `__proto__`. Texts above the limit and deep values are refused, unless a longer text is expected.
 */
export function parseStrictJson(text: string, longest = LONGEST): StrictJson {
  const value = parseJson(text)
  if (value === undefined) return { problem: 'is not JSON' }
  const problem = problemOf(text, longest)
  return problem === undefined ? { value } : { problem }
}

/** Reads a text that is known to be JSON. */
function problemOf(text: string, longest: number): string | undefined {
  /** The names of the members of each open object; undefined for a list. */
  const open: (Set<string> | undefined)[] = []
  let isName = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '{' || character === '[') {
      open.push(character === '{' ? new Set() : undefined)
      isName = character === '{'
      if (open.length > DEEPEST) return `has more than ${DEEPEST} levels`
    } else if (character === '}' || character === ']') open.pop()
    else if (character === ',') isName = open.at(-1) !== undefined
    else if (character === '"') {
      const end = endOfText(text, at)
      if (end - at > longest) return `has a text of more than ${longest} characters`
      const wrong = isName ? wrongName(text.slice(at, end + 1), open.at(-1)) : undefined
      if (wrong !== undefined) return wrong
      isName = false
      at = end
    }
  }
  return undefined
}

function wrongName(quoted: string, names: Set<string> | undefined): string | undefined {
  const name = stringOf(parseJson(quoted))
  if (name === '__proto__') return 'has a member "__proto__"'
  if (names?.has(name) === true) return `has the member ${JSON.stringify(name.slice(0, 100))} twice in one object`
  names?.add(name)
  return undefined
}

/** The position of the quote that ends a text. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  return text.length
}

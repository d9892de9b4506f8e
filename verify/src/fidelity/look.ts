import type { Look } from './fact.ts'
import { isObject, listOf, parse, type JsonValue } from './json.ts'

/** An expected value: equal, an object with at least these members, a list with this beginning, a match, or a predicate. */
export type Pattern = JsonValue

/** The value at a path: right, wrong, or absent. */
export function at(path: string, pattern: Pattern): Look {
  return (body) => {
    const values = pick(body, path).filter((value) => value != null)
    if (values.length === 0) return 'gone'
    return values.some((value) => fits(value, pattern)) ? 'kept' : 'wrong'
  }
}

/** At least one of the values at a path is right. */
export function has(path: string, ...patterns: readonly Pattern[]): Look {
  return (body) => {
    const values = pick(body, path)
    return patterns.every((pattern) => values.some((value) => fits(value, pattern))) ? 'kept' : 'gone'
  }
}

/** These values in this order, with any others between them. */
export function inOrder(path: string, ...patterns: readonly Pattern[]): Look {
  return (body) => {
    const values = pick(body, path)
    if (!patterns.every((pattern) => values.some((value) => fits(value, pattern)))) return 'gone'
    let from = -1
    for (const pattern of patterns) {
      from = values.findIndex((value, index) => index > from && fits(value, pattern))
      if (from === -1) return 'wrong'
    }
    return 'kept'
  }
}

/** Exactly this number of values match. */
export function counts(path: string, pattern: Pattern, count: number): Look {
  return (body) => {
    const found = pick(body, path).filter((value) => fits(value, pattern)).length
    return found === count ? 'kept' : found === 0 ? 'gone' : 'wrong'
  }
}

/** No value at the path matches. */
export function lacks(path: string, pattern: Pattern): Look {
  return (body) => (pick(body, path).some((value) => fits(value, pattern)) ? 'wrong' : 'kept')
}

/** Several looks at one fact: the first that fails decides. */
export function both(...looks: readonly Look[]): Look {
  return (body) => looks.map((look) => look(body)).find((found) => found !== 'kept') ?? 'kept'
}

/** Several ways to express the same fact. */
export function either(...looks: readonly Look[]): Look {
  return (body) => {
    const found = looks.map((look) => look(body))
    return found.includes('kept') ? 'kept' : found.includes('wrong') ? 'wrong' : 'gone'
  }
}

/** A string anywhere, also inside base64. */
export function carries(text: string): Look {
  return (body) => (strings(body).some((value) => holds(value, text, DEPTH)) ? 'kept' : 'gone')
}

/** A carrier that was carried through another protocol is inside base64 inside base64. */
const DEPTH = 3

function holds(value: string, text: string, depth: number): boolean {
  if (value.includes(text)) return true
  return depth > 0 && (value.match(/[\w+/=-]{16,}/g) ?? []).some((run) => holds(decoded(run), text, depth - 1))
}

/** A string that contains JSON of this form. */
export function json(pattern: Pattern): (value: JsonValue) => boolean {
  return (value) => typeof value === 'string' && fits(parse(value), pattern)
}

/** A string, or a list of strings or texts, that contains these words. */
export function contains(text: string): (value: JsonValue) => boolean {
  return (value) => strings(value).some((string) => string.includes(text))
}

/** All values at a path; `*` is every element or member. */
export function pick(body: JsonValue, path: string): JsonValue[] {
  let values: JsonValue[] = [body]
  for (const key of path === '' ? [] : path.split('.')) {
    values = values.flatMap((value) => {
      if (key === '*') return isObject(value) ? Object.values(value) : listOf(value)
      if (Array.isArray(value)) return listOf(value).slice(Number(key), Number(key) + 1)
      return isObject(value) && Object.hasOwn(value, key) ? [value[key]] : []
    })
  }
  return values
}

export function fits(value: JsonValue, pattern: Pattern): boolean {
  if (isTest(pattern)) return pattern(value)
  if (pattern instanceof RegExp) return typeof value === 'string' && pattern.test(value)
  if (Array.isArray(pattern)) {
    return (
      Array.isArray(value) &&
      value.length === pattern.length &&
      pattern.every((item, index) => fits(value[index], item))
    )
  }
  if (isObject(pattern))
    return isObject(value) && Object.entries(pattern).every(([key, item]) => fits(value[key], item))
  return Object.is(value, pattern)
}

function isTest(pattern: Pattern): pattern is (value: JsonValue) => boolean {
  return typeof pattern === 'function'
}

function strings(value: JsonValue): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : []
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('latin1')
}

import { isObject, type JsonObject } from './json.ts'
import { didYouMean } from './near.ts'

/** The error for a value that is not what it must be. */
export type Wrong = (path: string, why: string) => Error

/** Throws if a value at a path is not what it must be. An absent value is right. */
export interface Check {
  (value: unknown, path: string, wrong: Wrong): void
  /** The same as a JSON schema, for editors of configuration files. */
  readonly schema: JsonObject
  readonly isRequired?: true
}

/** A check for each member of a type. */
export type Checks<Type> = { readonly [Member in keyof Type]-?: Check }

/** A check that is never asked about an absent value. */
function present(schema: JsonObject, run: (value: unknown, path: string, wrong: Wrong) => void): Check {
  return Object.assign(
    (value: unknown, path: string, wrong: Wrong): void => {
      if (value !== undefined) run(value, path, wrong)
    },
    { schema },
  )
}

/** The words of messages are those of the schema of the configuration file. */
export const text = present({ type: 'string', minLength: 1 }, (value, path, wrong) => {
  if (typeof value !== 'string') throw wrong(path, 'must be a text')
  if (value === '') throw wrong(path, 'must not be empty')
})

export const flag = present({ type: 'boolean' }, (value, path, wrong) => {
  if (typeof value !== 'boolean') throw wrong(path, 'must be true or false')
})

/** No count or limit of a model is near it. */
const MOST = 1e12

export function whole(min: number, max = MOST): Check {
  return present({ type: 'integer', minimum: min, maximum: max }, (value, path, wrong) => {
    if (!(Number.isInteger(value) && Number(value) >= min && Number(value) <= max))
      throw wrong(path, `must be a whole number from ${min} to ${max}`)
  })
}

export const count = whole(1)

export function number(min: number, max: number): Check {
  return present({ type: 'number', minimum: min, maximum: max }, (value, path, wrong) => {
    if (!(typeof value === 'number' && value >= min && value <= max))
      throw wrong(path, `must be a number from ${min} to ${max}`)
  })
}

export function oneOf(...words: readonly string[]): Check {
  return present({ type: 'string', enum: words }, (value, path, wrong) => {
    if (words.some((word) => word === value)) return
    const near = typeof value === 'string' ? didYouMean(value, words) : ''
    throw wrong(path, `must be ${words.length > 1 ? 'one of ' : ''}${words.join(', ')}${near}`)
  })
}

export function matching(pattern: RegExp, form: string): Check {
  return present({ type: 'string', pattern: pattern.source }, (value, path, wrong) => {
    text(value, path, wrong)
    if (!(typeof value === 'string' && pattern.test(value))) throw wrong(path, `must be ${form}`)
  })
}

export function listCheck(check: Check): Check {
  return present({ type: 'array', items: check.schema }, (value, path, wrong) => {
    if (!Array.isArray(value)) throw wrong(path, 'must be a list')
    for (const [index, entry] of (value as readonly unknown[]).entries())
      required(check)(entry, `${path}.${index}`, wrong)
  })
}

/** A list of values, or the range between two. */
export function listOrRange(check: Check): Check {
  const list = listCheck(check)
  const range = objectCheck({ min: required(check), max: required(check) })
  return present({ anyOf: [{ ...list.schema, minItems: 1 }, range.schema] }, (value, path, wrong) => {
    if (Array.isArray(value) && value.length === 0) throw wrong(path, 'must not be empty')
    const either = Array.isArray(value) ? list : range
    either(value, path, wrong)
  })
}

export function mapCheck(check: Check): Check {
  return present({ type: 'object', additionalProperties: check.schema }, (value, path, wrong) => {
    if (!isObject(value)) throw wrong(path, 'must be an object')
    for (const [name, entry] of Object.entries(value)) required(check)(entry, `${path}.${name}`, wrong)
  })
}

/** An object with only these members. */
export function objectCheck(checks: { readonly [member: string]: Check }): Check {
  const names = Object.keys(checks)
  const needed = names.filter((name) => checks[name]?.isRequired)
  const schema = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, checks[name]?.schema ?? {}])),
    ...(needed.length === 0 ? {} : { required: needed }),
    additionalProperties: false,
  }
  return present(schema, (value, path, wrong) => {
    if (!isObject(value)) throw wrong(path, 'must be an object')
    for (const member of Object.keys(value))
      if (!Object.hasOwn(checks, member)) throw wrong(`${path}.${member}`, `is unknown${didYouMean(member, names)}`)
    for (const [member, check] of Object.entries(checks)) check(value[member], `${path}.${member}`, wrong)
  })
}

/** JSON has no undefined values, but objects of programs can. */
export function required(check: Check): Check {
  const run = (value: unknown, path: string, wrong: Wrong): void => {
    if (value === undefined) throw wrong(path, 'is required')
    check(value, path, wrong)
  }
  return Object.assign(run, { schema: check.schema, isRequired: true as const })
}

/** A check with a description, which editors show. */
export function about(description: string, check: Check): Check {
  return Object.assign((...args: Parameters<Check>) => check(...args), {
    ...check,
    schema: { description, ...check.schema },
  })
}

import { isObject } from '../lib/json.ts'
import { didYouMean } from '../lib/near.ts'
import type { Wrong } from './options.ts'

/** Throws if a value at a path is not what it must be. An absent value is right. */
export type Check = (value: unknown, path: string, wrong: Wrong) => void

/** A check for each member of a type. */
export type Checks<Type> = { readonly [Member in keyof Type]-?: Check }

/** The words of messages are those of the schema of the configuration file. */
export const text: Check = (value, path, wrong) => {
  if (value === undefined) return
  if (typeof value !== 'string') throw wrong(path, 'must be a text')
  if (value === '') throw wrong(path, 'must not be empty')
}

export const flag: Check = (value, path, wrong) => {
  if (value !== undefined && typeof value !== 'boolean') throw wrong(path, 'must be true or false')
}

/** No count or limit of a model is near it. */
const MOST = 1e12

export const whole = (min: number, max = MOST): Check => {
  return (value, path, wrong) => {
    if (value !== undefined && !(Number.isInteger(value) && Number(value) >= min && Number(value) <= max))
      throw wrong(path, `must be a whole number from ${min} to ${max}`)
  }
}

export const count = whole(1)

export const oneOf =
  (...words: readonly string[]): Check =>
  (value, path, wrong) => {
    if (value === undefined || words.some((word) => word === value)) return
    const near = typeof value === 'string' ? didYouMean(value, words) : ''
    throw wrong(path, `must be ${words.length > 1 ? 'one of ' : ''}${words.join(', ')}${near}`)
  }

export const matching =
  (pattern: RegExp, form: string): Check =>
  (value, path, wrong) => {
    if (value === undefined) return
    text(value, path, wrong)
    if (!(typeof value === 'string' && pattern.test(value))) throw wrong(path, `must be ${form}`)
  }

export const listOf =
  (check: Check): Check =>
  (value, path, wrong) => {
    if (value === undefined) return
    if (!Array.isArray(value)) throw wrong(path, 'must be a list')
    for (const [index, entry] of (value as readonly unknown[]).entries())
      required(check)(entry, `${path}.${index}`, wrong)
  }

export const mapOf =
  (check: Check): Check =>
  (value, path, wrong) => {
    if (value === undefined) return
    if (!isObject(value)) throw wrong(path, 'must be an object')
    for (const [name, entry] of Object.entries(value)) required(check)(entry, `${path}.${name}`, wrong)
  }

/** An object with only these members. */
export const objectOf =
  (checks: { readonly [member: string]: Check }): Check =>
  (value, path, wrong) => {
    if (value === undefined) return
    if (!isObject(value)) throw wrong(path, 'must be an object')
    const names = Object.keys(checks)
    for (const member of Object.keys(value))
      if (!Object.hasOwn(checks, member)) throw wrong(`${path}.${member}`, `is unknown${didYouMean(member, names)}`)
    for (const [member, check] of Object.entries(checks)) check(value[member], `${path}.${member}`, wrong)
  }

/** JSON has no undefined values, but objects of programs can. */
export const required =
  (check: Check): Check =>
  (value, path, wrong) => {
    if (value === undefined) throw wrong(path, 'is required')
    check(value, path, wrong)
  }

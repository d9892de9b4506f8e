import * as z from 'zod/v4/core'
import { isObject } from './json.ts'

/**
 * What a piece of a body must look like, said twice: by a predicate that allocates nothing, and by zod, which has the words of a
 * refusal and is not made before there is one. A property test holds the two to the same verdict.
 */
export interface Schema<T = unknown> {
  readonly fits: (value: unknown) => value is T
  readonly zod: () => z.$ZodType
  /** The names of its members and what they hold; of a list or a map, those of its values. */
  readonly shape?: Shape | undefined
  /** Its keys are names of somebody else's. */
  readonly map?: boolean | undefined
  /** The value without the named members in it that are null; absent where there can be none. */
  readonly bare?: ((value: unknown) => unknown) | undefined
}

/** What stands in the members of an object, by their names. */
export type Shape = { readonly [member: string]: Schema }
/** A member that need not be there. */
export type Optional<T> = Schema<T> & { readonly optional: true }
/** The type of what fits a schema. */
export type Infer<S> = S extends Schema<infer T> ? T : never
/** An object with these members and any others. */
type Loose<S extends Shape> = Flat<
  { [K in keyof S as S[K] extends Optional<unknown> ? never : K]: Infer<S[K]> } & {
    [K in keyof S as S[K] extends Optional<unknown> ? K : never]?: Infer<S[K]>
  } & { [member: string]: unknown }
>
type Flat<T> = { [K in keyof T]: T[K] }

/** Any text. */
export const text = create<string>(
  (value) => typeof value === 'string',
  () => new z.$ZodString({ type: 'string' }),
)
/** Any number that JSON can say. */
export const number = create<number>(Number.isFinite, () => new z.$ZodNumber({ type: 'number', checks: [] }))
/** True or false. */
export const flag = create<boolean>(
  (value) => typeof value === 'boolean',
  () => new z.$ZodBoolean({ type: 'boolean' }),
)
const isGiven = (value: unknown) => value !== null
/** Any value, or none: which null says too. */
export const anything: Optional<unknown> = {
  ...own<unknown>(isGiven, ({ value, issues }) => isGiven(value) || issues.push(notGiven(value))),
  optional: true,
}

function notGiven(input: unknown): z.$ZodRawIssue {
  return { code: 'custom', input, message: 'must not be null', path: [] }
}

/** One of these words. */
export function only<const Word extends string>(...words: readonly Word[]): Schema<Word> {
  const known: readonly unknown[] = words
  const fits = (value: unknown): value is Word => known.includes(value)
  const message = `expected ${words.map((word) => JSON.stringify(word)).join(' or ')}`
  return { ...refine(create<Word>(text.fits, text.zod), fits, message), fits }
}

/** The same, or nothing at all. */
export function optional<T>(inner: Schema<T>): Optional<T | undefined> {
  return { ...orElse<T | undefined>(undefined, inner), optional: true }
}

/** The same, or null. */
export function nullable<T>(inner: Schema<T>): Schema<T | null> {
  return orElse(null, inner)
}

/** Null says as little as nothing. */
export function maybe<T>(inner: Schema<T>): Optional<T | null | undefined> {
  return optional(nullable(inner))
}

function orElse<T>(absent: null | undefined, inner: Schema): Schema<T> {
  const fits = (value: unknown) => value === absent || inner.fits(value)
  return own(fits, (payload) => payload.value === absent || passes(inner, payload), inner)
}

/** An object is loose: members that are not named here are kept. `also` are names that are known, and their values anybody's but null. */
export function object<S extends Shape>(members: S, also = ''): Schema<Loose<S>> {
  const named = (also.match(/\S+/g) ?? []).map((name) => [name, anything] as const)
  const known = [...Object.entries<Schema | Optional<unknown>>(members), ...named]
  const schemas = new Map(known)
  const needed = known.filter(([, schema]) => !('optional' in schema)).length
  // By the members that are there: most of those that may be there are not.
  const fits = (value: unknown) => {
    if (!isObject(value)) return false
    let missing = needed
    for (const key in value) {
      const schema = schemas.get(key)
      const inner = value[key]
      if (schema === undefined || inner === undefined) continue
      if (!schema.fits(inner)) return false
      if (!('optional' in schema)) missing--
    }
    return missing === 0
  }
  const check = (payload: Payload) =>
    isOne('object', payload) && known.every(([name, schema]) => passes(schema, payload, name))
  return own(fits, check, { shape: Object.fromEntries(known), bare: (value) => bareMembers(value, schemas) })
}

/** Without the members that need not be there and are null; the same object when there are none. */
function bareMembers(value: unknown, schemas: ReadonlyMap<string, Schema>): unknown {
  if (!isObject(value)) return value
  let changes: Map<string, unknown> | undefined
  for (const key in value) {
    const schema = schemas.get(key)
    if (schema === undefined) continue
    const before = value[key]
    const after = before === null ? ('optional' in schema ? undefined : null) : bareOf(schema, before)
    if (after !== before) (changes ??= new Map()).set(key, after)
  }
  if (changes === undefined) return value
  const members = Object.entries(value).map(([key, each]) => [key, changes.has(key) ? changes.get(key) : each] as const)
  return Object.fromEntries(members.filter(([, each]) => each !== undefined))
}

/** What a value says: a named member that is null says nothing, here and inside. The very same value when there is none. */
export function bareOf(schema: Schema, value: unknown): unknown {
  return schema.bare === undefined ? value : schema.bare(value)
}

/** An object of somebody else's. */
export const json: Schema<{ [member: string]: unknown }> = { ...object({}), shape: undefined }

/** A list. Its check ends at the first bad item: a long list of rubbish costs no more than one. */
export function list<T>(item: Schema<T>): Schema<T[]> {
  return each(item, 'array', (value) => Array.isArray(value) && value.every(item.fits))
}

/** An object whose keys are somebody else's, and whose values are of one kind. */
export function mapOf<T>(item: Schema<T>): Schema<{ [key: string]: T }> {
  const fits = (value: unknown) => isObject(value) && Object.values(value).every(item.fits)
  return each({ ...item, map: true }, 'object', fits)
}

function each<T>(item: Schema, expected: 'array' | 'object', fits: (value: unknown) => boolean): Schema<T> {
  const check = (payload: Payload) =>
    isOne(expected, payload) && Object.keys(payload.value).every((key) => passes(item, payload, key))
  const bare = expected === 'array' ? bareItems : bareEntries
  return own(fits, check, { ...item, bare: (value) => bare(value, item) })
}

function bareItems(value: unknown, item: Schema): unknown {
  if (!Array.isArray(value)) return value
  const items = value.map((each) => bareOf(item, each))
  return items.every((each, index) => each === value[index]) ? value : items
}

/** A name without a value is not given either. */
function bareEntries(value: unknown, item: Schema): unknown {
  if (!isObject(value)) return value
  const entries = Object.entries(value)
  const kept = entries.filter(([, each]) => each !== null).map(([key, each]) => [key, bareOf(item, each)] as const)
  const isBare = kept.length === entries.length && kept.every(([key, each]) => each === value[key])
  return isBare ? value : Object.fromEntries(kept)
}

/** Which schema a value has to meet is told by a look at it. */
export function choose<T>(pick: (value: unknown) => Schema<T>, inside?: Inside): Schema<T> {
  return own(
    (value) => pick(value).fits(value),
    (payload) => passes(pick(payload.value), payload),
    { ...inside, bare: (value) => bareOf(pick(value), value) },
  )
}

/** A string, or else something that is none. */
export function textOr<T>(other: Schema<T>): Schema<string | T> {
  return either(text, other)
}

/** One of these words, or else something that is no text. */
export function either<Word extends string, T>(word: Schema<Word>, other: Schema<T>): Schema<Word | T> {
  return choose<Word | T>((value) => (typeof value === 'string' ? word : other), other)
}

/** An object whose kind stands in one member. A kind that is not among `kinds` meets `other`, or is refused by name. */
export function byTag<Kinds extends { readonly [kind: string]: Schema }>(
  tag: string,
  kinds: Kinds,
  other: Schema = object({ [tag]: only(...Object.keys(kinds)) }),
): Schema<Infer<Kinds[keyof Kinds]>> {
  const schemas = new Map<unknown, Schema>(Object.entries(kinds))
  const pick = (value: unknown) => (isObject(value) ? schemas.get(value[tag]) : undefined) ?? other
  return choose(pick as (value: unknown) => Schema<Infer<Kinds[keyof Kinds]>>) // of a kind not known here the decoders take care
}

/** What fits a schema and a condition too. */
export function refine<T>(
  inner: Schema<T>,
  holds: (value: T) => boolean,
  message: string,
  path: readonly string[] = [],
): Schema<T> {
  const check = (payload: Payload) => {
    if (!passes(inner, payload) || holds(payload.value as T)) return // it has just passed
    payload.issues.push({ code: 'custom', input: payload.value, message, path: [...path] })
  }
  return own((value) => inner.fits(value) && holds(value), check, inner)
}

/** A number that is not below this one. */
export function atLeast(inner: Schema<number>, least: number): Schema<number> {
  return refine(inner, (value) => value >= least, `must be at least ${least}`)
}

/** A number that is not above this one. */
export function atMost(inner: Schema<number>, most: number): Schema<number> {
  return refine(inner, (value) => value <= most, `must be at most ${most}`)
}

/** A text or a list with something in it. */
export function filled<T extends Long>(inner: Schema<T>): Schema<T> {
  return refine(inner, ({ length }) => length > 0, 'must not be empty')
}

/** A text or a list that is no longer than this. */
export function upTo<T extends Long>(most: number, inner: Schema<T>): Schema<T> {
  return refine(inner, ({ length }) => length <= most, `must be at most ${most} long`)
}

/** A text or a list. */
type Long = { readonly length: number }

/** A number without a fraction. */
export const whole = refine(number, Number.isSafeInteger, 'must be a whole number')
/** A whole number from 1. */
export const positive = atLeast(whole, 1)
/** From 0 to 1. */
export const share = atMost(atLeast(number, 0), 1)

type Inside = Pick<Schema, 'shape' | 'map' | 'bare'>

function create<T>(fits: (value: unknown) => boolean, make: () => z.$ZodType, inside: Inside = {}): Schema<T> {
  const { shape, map, bare } = inside
  let made: z.$ZodType | undefined
  return { fits: fits as Schema<T>['fits'], zod: () => (made ??= make()), shape, map, bare } // what T is, is said here
}

/** A schema whose check is ours. */
function own<T>(fits: (value: unknown) => boolean, check: (payload: Payload) => unknown, inside?: Inside): Schema<T> {
  const checks = () => [z._check((payload) => void check(payload))]
  return create(fits, () => new z.$ZodUnknown({ type: 'unknown', checks: checks() }), inside)
}

type Payload = z.ParsePayload

function isOne(expected: 'array' | 'object', payload: Payload): payload is z.ParsePayload<object> {
  const { value, issues } = payload
  const found = expected === 'array' ? Array.isArray(value) : isObject(value)
  if (!found) issues.push({ code: 'invalid_type', expected, input: value })
  return found
}

/** Whether what is looked at, or its member at `key`, passes another schema; if not, the issues of that are its own. */
function passes(schema: Schema, { value, issues }: Payload, key?: string): boolean {
  const inner = key === undefined ? value : (value as { readonly [key: string]: unknown })[key] // an object or a list
  const { error } = z.safeParse(schema.zod(), inner)
  for (const issue of error?.issues ?? []) {
    const path = key === undefined ? issue.path : [key, ...issue.path]
    issues.push({ ...issue, path, input: inner } as z.$ZodRawIssue) // an issue of zod's own
  }
  return error === undefined
}

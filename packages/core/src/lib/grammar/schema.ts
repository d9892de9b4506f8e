import type * as z from 'zod/v4/core'

// The building blocks of the grammars: zod definitions with their error messages. Checks, names and types
// are derived from the definitions; `zodOf` creates zod's own schemas from them for the exports.

/** A schema for values of one type. */
export type Schema<T = unknown> = z.$ZodType<T>
/** The type of what a schema accepts. */
export type Infer<S extends z.SomeType> = z.infer<S>

/** A schema that has only a definition: everything here reads the definition, and nothing parses with the schema. */
function define<S extends z.SomeType>(def: S['_zod']['def']): S {
  return { _zod: { def } } as S // it has no zod machinery, which is a fifth of the smallest bundle
}

const refusal = (message: string) => ({ error: () => message })

/** Any text. */
export const text = define<z.$ZodString>({ type: 'string', ...refusal('expected string') })
/** Any JSON number. */
export const number = define<z.$ZodNumber>({ type: 'number', ...refusal('expected number') })
/** True or false. */
export const flag = define<z.$ZodBoolean>({ type: 'boolean', ...refusal('expected boolean') })
const unknown = define<z.$ZodUnknown>({ type: 'unknown' })
/** A named member that is kept unread, whatever its value; null counts as absent. */
export const kept = optional(refine(unknown, (value) => value !== null, 'must not be null'))

/** The type of such a member whose value is a word, with the values that are known: `kept as KeptWord<'low' | 'high'>`. */
export type KeptWord<Known extends string> = z.$ZodOptional<Schema<Known | (string & {}) | null>>

/**
 * The names of more such members, only as types: `...({} as Unread<'speed'>)`, which a bundler removes. What a grammar does not know is
 * kept as well, but then null is a value.
 */
export type Unread<Names extends string> = { readonly [Name in Names]: typeof kept }

/** The same for members whose value is a word. */
export type UnreadWords<Name extends string, Known extends string> = {
  readonly [Member in Name]: KeptWord<Known>
}

/** One of these words. */
export function only<const Value extends string>(...values: readonly Value[]): z.$ZodLiteral<Value> {
  const message = expected(values)
  const error = ({ input }: { readonly input?: unknown }) => (typeof input === 'string' ? message : 'expected string')
  return define<z.$ZodLiteral<Value>>({ type: 'literal', values: [...values], error })
}

/** Any text, with the values that are known. The others are passed on, so the list is only a type: `words<'low' | 'high'>()`. */
export function words<Known extends string>(): Schema<Known | (string & {})> {
  return text
}

/** One of these words, or any other, which is passed on. */
export function openWords<const Value extends string>(...values: readonly Value[]): Schema<Value | (string & {})> {
  return either(text, only(...values))
}

/** An optional member. */
export function optional<S extends z.$ZodType>(innerType: S): z.$ZodOptional<S> {
  return define<z.$ZodOptional<S>>({ type: 'optional', innerType })
}

/** The same, or null. */
export function nullable<S extends z.$ZodType>(innerType: S): z.$ZodNullable<S> {
  return define<z.$ZodNullable<S>>({ type: 'nullable', innerType })
}

/** An optional member that is null so often that null is part of the grammar. */
export function maybe<S extends z.$ZodType>(inner: S): z.$ZodOptional<z.$ZodNullable<S>> {
  return optional(nullable(inner))
}

/** Objects are loose: unknown members are kept. */
export function object<const Members extends z.$ZodLooseShape>(
  members: Members,
): z.$ZodObject<z.util.Writeable<Members>, z.$loose> {
  return define({ type: 'object', shape: members, catchall: unknown, ...refusal('expected object') })
}

/** An object whose members are data. */
export const json = object({})

/** The same, with known names of some members, only for their spelling. */
export function jsonLike(names: () => z.$ZodType): typeof json {
  const def: JsonLikeDef = { ...json._zod.def, names }
  return define<typeof json>(def)
}

/** The definition of an object whose members are data, with some known names. */
export interface JsonLikeDef extends z.$ZodObjectDef {
  readonly names?: () => z.$ZodType
}

/** An object whose keys are data, and whose values are of one kind. */
export function mapOf<S extends z.$ZodType>(value: S): Schema<{ [key: string]: Infer<S> }> {
  const def: z.$ZodObjectDef = { type: 'object', shape: {}, catchall: value, ...refusal('expected object') }
  return define(def)
}

/** A list. */
export function list<S extends z.$ZodType>(item: S): z.$ZodArray<S> {
  return define({ type: 'array', element: item, ...refusal('expected array') })
}

/** A schema that is defined further down, or in terms of itself. */
export function lazy<T>(getter: () => Schema<T>): Schema<T> {
  const def: z.$ZodLazyDef = { type: 'lazy', getter }
  return define(def)
}

/** One of several schemas, chosen by the value. */
export function either<const Options extends readonly z.$ZodType[]>(...options: Options): z.$ZodUnion<Options> {
  return define({ type: 'union', options, ...refusal('has none of the expected forms') })
}

/** A string, or another schema for other values. */
export function textOr<S extends z.$ZodType>(other: S): z.$ZodUnion<readonly [typeof text, S]> {
  return either(text, other)
}

function expected(values: readonly string[]): string {
  return `expected ${values.map((value) => JSON.stringify(value)).join(' or ')}`
}

/** An object with a member that names its kind. An unknown kind is kept as a whole. The type has only the known kinds. */
export function byOpenTag<const Options extends readonly z.$ZodType[]>(
  tag: string,
  ...options: Options
): Schema<Infer<Options[number]>> {
  return byTagOr(tag, {}, ...options)
}

/** The same, with the members that every other kind has. */
export function byTagOr<const Options extends readonly z.$ZodType[]>(
  tag: string,
  members: z.$ZodLooseShape,
  ...options: Options
): Schema<Infer<Options[number]>> {
  const kinds = options.flatMap((option) => kindsOf(option, tag))
  const other = object({
    ...members,
    [tag]: refine(text, (value) => !kinds.includes(value), 'is a known kind', [], KIND),
  })
  const known = define<z.$ZodDiscriminatedUnion<Options>>({
    type: 'union',
    discriminator: tag,
    inclusive: false,
    options,
    ...refusal('expected object'),
  })
  return either(known, other) as Schema<Infer<Options[number]>> // decoders keep every other kind by the default of a switch
}

/** An object of a known kind is not one of the others, whatever else is wrong with it. */
const KIND: Facts = { abort: true }

/** The kinds of an option of a union, by its tag; undefined if the tag may be absent. */
export function kindsOf(option: z.$ZodType, tag: string): readonly unknown[] {
  const { shape } = option._zod.def as z.$ZodObjectDef // an object has a tag
  const { def } = (shape[tag] as z.$ZodLiteral | z.$ZodOptional<z.$ZodLiteral>)._zod // which is a word
  return def.type === 'optional' ? [...def.innerType._zod.def.values, undefined] : def.values
}

/** A schema with an additional condition. Problems are reported at `path`; `facts` are for zod and the JSON Schema. */
export function refine<S extends z.$ZodType>(
  inner: S,
  holds: (value: Infer<S>) => boolean,
  message: string,
  path: string[] = [],
  facts: Facts = {},
): S {
  const { def } = inner._zod
  const condition: ConditionDef = {
    type: 'custom',
    check: 'custom',
    abort: facts.abort === true,
    fn: holds as never,
    path,
    facts,
    ...refusal(message),
  } // asked about what fits
  return define<S>({ ...def, checks: [...(def.checks ?? []), define<z.$ZodCustom>(condition)] })
}

/** The definition of a condition. */
export interface ConditionDef extends z.$ZodCustomDef {
  readonly facts: Facts
}

/** The limits of a number, or of the length of a text or a list. */
export interface Facts {
  readonly minimum?: number
  readonly maximum?: number
  readonly format?: 'safeint'
  /** No other option of a union is meant. */
  readonly abort?: true
}

/** A number of at least this value. */
export function atLeast(inner: typeof number, minimum: number): typeof number {
  return refine(inner, (value) => value >= minimum, `must be at least ${minimum}`, [], { minimum })
}

/** A number of at most this value. */
export function atMost(inner: typeof number, maximum: number): typeof number {
  return refine(inner, (value) => value <= maximum, `must be at most ${maximum}`, [], { maximum })
}

/** A text or a list that is not empty. */
export function filled<S extends Long>(inner: S): S {
  return refine(inner, ({ length }) => length > 0, 'must not be empty', [], { minimum: 1 })
}

/** A text or a list of at most this length. */
export function upTo<S extends Long>(maximum: number, inner: S): S {
  return refine(inner, ({ length }) => length <= maximum, `must be at most ${maximum} long`, [], { maximum })
}

/** A schema for texts or for lists. */
type Long = Schema<{ readonly length: number }>

/** A number without a fraction. */
export const whole = refine(number, Number.isSafeInteger, 'must be a whole number', [], { format: 'safeint' })
/** A whole number from 1. */
export const positive = atLeast(whole, 1)
/** From 0 to 1. */
export const share = atMost(atLeast(number, 0), 1)

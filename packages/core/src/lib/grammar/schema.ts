import type * as z from 'zod/v4/core'

// The pieces that the grammars of the wires are made of: zod's definitions, each with the words of its refusal. Checks, names and types
// are derived from the definitions; `zodOf` makes zod's own schemas of them, where they are exported.

/** A schema for values of one type. */
export type Schema<T = unknown> = z.$ZodType<T>
/** The type of what a schema accepts. */
export type Infer<S extends z.SomeType> = z.infer<S>

/** A schema by its definition alone: everything here looks at that, and nobody parses with it. */
function define<S extends z.SomeType>(def: S['_zod']['def']): S {
  return { _zod: { def } } as S // what it lacks is zod's machinery, a fifth of the smallest bundle
}

const refusal = (message: string) => ({ error: () => message })

/** Any text. */
export const text = define<z.$ZodString>({ type: 'string', ...refusal('expected string') })
/** Any number that JSON can say. */
export const number = define<z.$ZodNumber>({ type: 'number', ...refusal('expected number') })
/** True or false. */
export const flag = define<z.$ZodBoolean>({ type: 'boolean', ...refusal('expected boolean') })
const unknown = define<z.$ZodUnknown>({ type: 'unknown' })
/** A member that is named here and kept as it came, whatever it says; null says that it was not given. */
export const kept = optional(refine(unknown, (value) => value !== null, 'must not be null'))

/** One of these words. */
export function only<const Word extends string>(...words: readonly Word[]): z.$ZodLiteral<Word> {
  const message = expected(words)
  const error = ({ input }: { readonly input?: unknown }) => (typeof input === 'string' ? message : 'expected string')
  return define<z.$ZodLiteral<Word>>({ type: 'literal', values: [...words], error })
}

/** A member that need not be there. */
export function optional<S extends z.$ZodType>(innerType: S): z.$ZodOptional<S> {
  return define<z.$ZodOptional<S>>({ type: 'optional', innerType })
}

/** The same, or null. */
export function nullable<S extends z.$ZodType>(innerType: S): z.$ZodNullable<S> {
  return define<z.$ZodNullable<S>>({ type: 'nullable', innerType })
}

/** A member that need not be there, and is null so often that null is part of the grammar. */
export function maybe<S extends z.$ZodType>(inner: S): z.$ZodOptional<z.$ZodNullable<S>> {
  return optional(nullable(inner))
}

/** An object is loose: members that are not named here are kept. */
export function object<const Members extends z.$ZodLooseShape>(
  members: Members,
): z.$ZodObject<z.util.Writeable<Members>, z.$loose> {
  return define({ type: 'object', shape: members, catchall: unknown, ...refusal('expected object') })
}

/** An object whose members are data of somebody else. */
export const json = object({})

/** The same, where the names of some members are known, for their spelling alone. */
export function jsonLike(names: () => z.$ZodType): typeof json {
  const def: JsonLikeDef = { ...json._zod.def, names }
  return define<typeof json>(def)
}

/** The definition of an object whose members are data, with names that are known. */
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

/** Whichever of these the value looks like. */
export function either<const Options extends readonly z.$ZodType[]>(...options: Options): z.$ZodUnion<Options> {
  return define({ type: 'union', options, ...refusal('has none of the expected forms') })
}

/** A string, or else something that is none. */
export function textOr<S extends z.$ZodType>(other: S): z.$ZodUnion<readonly [typeof text, S]> {
  return either(text, other)
}

/** An object whose kind stands in one member. A kind that is not among these is refused. */
export function byTag<const Options extends readonly z.$ZodType[]>(
  discriminator: string,
  ...options: Options
): z.$ZodDiscriminatedUnion<Options> {
  const error = (issue: z.$ZodRawIssue) => (issue.code === 'invalid_union' ? wrongTag(issue) : 'expected object')
  return define({ type: 'union', discriminator, inclusive: false, options, error })
}

function wrongTag({ input, discriminator, options }: z.$ZodRawIssue): string {
  const word = (input as { readonly [tag: string]: unknown })[String(discriminator)] // zod has seen an object
  const words = (options as readonly unknown[]).filter((each) => typeof each === 'string')
  return typeof word === 'string' ? expected(words) : 'expected string'
}

function expected(words: readonly string[]): string {
  return `expected ${words.map((word) => JSON.stringify(word)).join(' or ')}`
}

/** The same, where a kind that is not known here is kept whole. Its type has the known kinds alone. */
export function byOpenTag<const Options extends readonly z.$ZodType[]>(
  tag: string,
  ...options: Options
): Schema<Infer<Options[number]>> {
  const kinds = options.flatMap((option) => kindsOf(option, tag))
  const other = object({ [tag]: refine(text, (word) => !kinds.includes(word), 'is a known kind') })
  return either(byTag(tag, ...options), other) as Schema<Infer<Options[number]>> // decoders keep every other kind by the default of a switch
}

/** The kinds of object that an option of a union describes, by its tag; undefined where the tag may be absent. */
export function kindsOf(option: z.$ZodType, tag: string): readonly unknown[] {
  const { shape } = option._zod.def as z.$ZodObjectDef // an object has a tag
  const { def } = (shape[tag] as z.$ZodLiteral | z.$ZodOptional<z.$ZodLiteral>)._zod // which is a word
  return def.type === 'optional' ? [...def.innerType._zod.def.values, undefined] : def.values
}

/** What fits a schema and a condition too. Problems are reported at `path`; `facts` go into a JSON Schema. */
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

/** What a condition says of a number, or of the length of a text or a list. */
export interface Facts {
  readonly minimum?: number
  readonly maximum?: number
  readonly format?: 'safeint'
}

/** A number that is not below this one. */
export function atLeast(inner: typeof number, minimum: number): typeof number {
  return refine(inner, (value) => value >= minimum, `must be at least ${minimum}`, [], { minimum })
}

/** A number that is not above this one. */
export function atMost(inner: typeof number, maximum: number): typeof number {
  return refine(inner, (value) => value <= maximum, `must be at most ${maximum}`, [], { maximum })
}

/** A text or a list with something in it. */
export function filled<S extends Long>(inner: S): S {
  return refine(inner, ({ length }) => length > 0, 'must not be empty', [], { minimum: 1 })
}

/** A text or a list that is no longer than this. */
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

import type * as z from 'zod/mini'

/** Whether a value fits, without a word about why not. Allocates nothing for a value that does. */
export type Fits = (value: unknown) => boolean

/** A check of our own, with a predicate that says the same. */
export type FittingCheck = ((payload: z.core.ParsePayload) => void) & { readonly fits: Fits }

type Members = { readonly [key: string]: unknown }

/**
 * A predicate that says the same as the schema; undefined for schemas of a kind not known here. Zod builds a result for every
 * node it looks at; most requests are right, and only the words of a refusal need one.
 */
export function compileFits(schema: z.core.$ZodType): Fits | undefined {
  const bare = compileBare(schema)
  const checks = schema._zod.def.checks ?? []
  if (bare === undefined || checks.length === 0) return bare
  const further = checks.map((check): Fits => {
    const { _zod: zod } = check as z.core.$ZodCheck<unknown> // a check of this very schema
    const own = fitsOf(zod)
    if (own !== undefined) return own
    return (value) => {
      const payload: z.core.ParsePayload = { value, issues: [] }
      void zod.check(payload)
      return payload.issues.length === 0
    }
  })
  return (value) => bare(value) && further.every((fits) => fits(value))
}

function fitsOf(zod: object): Fits | undefined {
  const check: unknown = 'check' in zod ? zod.check : undefined
  return typeof check === 'function' && 'fits' in check ? (check as FittingCheck).fits : undefined // made by `list` or `byTag`
}

function compileBare(schema: z.core.$ZodType): Fits | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod // every schema is one of them
  switch (def.type) {
    case 'string':
      return 'format' in def ? undefined : (value) => typeof value === 'string'
    case 'number':
      if ('format' in def) return def.format === 'safeint' ? (value) => Number.isSafeInteger(value) : undefined
      return (value) => typeof value === 'number' && Number.isFinite(value)
    case 'boolean':
      return (value) => typeof value === 'boolean'
    case 'unknown':
      return () => true
    case 'literal':
      return oneOf(def.values)
    case 'enum':
      return oneOf(Object.values(def.entries))
    case 'optional':
      return orElse(undefined, compileFits(def.innerType))
    case 'nullable':
      return orElse(null, compileFits(def.innerType))
    case 'union':
      return anyOf(def.options.map(compileFits))
    case 'array':
      return arrayOf(compileFits(def.element))
    case 'record':
      return recordOf(compileFits(def.valueType))
    case 'lazy':
      return lazily(() => compileFits(def.getter()))
    case 'object':
      return def.catchall?._zod.def.type === 'unknown' ? looseObject(def.shape) : undefined
    default:
      return undefined
  }
}

function oneOf(values: readonly unknown[]): Fits {
  const allowed = new Set(values)
  return (value) => allowed.has(value)
}

function orElse(absent: null | undefined, inner: Fits | undefined): Fits | undefined {
  return inner && ((value) => value === absent || inner(value))
}

function anyOf(options: readonly (Fits | undefined)[]): Fits | undefined {
  const known = options.filter((option) => option !== undefined)
  return known.length === options.length ? (value) => known.some((option) => option(value)) : undefined
}

function arrayOf(item: Fits | undefined): Fits | undefined {
  return item && ((value) => Array.isArray(value) && value.every(item))
}

function recordOf(item: Fits | undefined): Fits | undefined {
  if (item === undefined) return undefined
  return (value) => {
    if (!isMembers(value)) return false
    for (const key in value) if (!item(value[key])) return false
    return true
  }
}

/** For schemas that name each other in a circle. One that cannot be compiled fits nothing, and zod has the word. */
export function lazily(compile: () => Fits | undefined): Fits {
  let inner: Fits | undefined
  return (value) => (inner ??= compile() ?? (() => false))(value)
}

function looseObject(shape: { readonly [key: string]: z.core.$ZodType }): Fits | undefined {
  const members: { readonly key: string; readonly fits: Fits; readonly required: boolean }[] = []
  for (const [key, schema] of Object.entries(shape)) {
    const fits = compileFits(schema)
    if (fits === undefined) return undefined
    members.push({ key, fits, required: schema._zod.optin !== 'optional' })
  }
  return (value) => {
    if (!isMembers(value)) return false
    for (let i = 0; i < members.length; i++) {
      const member = members[i]
      if (member === undefined) break
      const inner = value[member.key]
      if (inner === undefined ? member.required : !member.fits(inner)) return false
    }
    return true
  }
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

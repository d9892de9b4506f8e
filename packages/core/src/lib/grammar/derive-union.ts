import type * as z from 'zod/v4/core'
import { isObject } from '../json.ts'
import { kindsOf } from './schema.ts'
import { issueOf, type Derive, type Derived } from './derived.ts'

/** An object with a member that names its kind. */
export function deriveTagged(schema: z.$ZodType, tag: string, options: readonly z.$ZodType[], derive: Derive): Derived {
  const kinds = new Map<unknown, Derived>()
  for (const option of options) for (const kind of kindsOf(option, tag)) kinds.set(kind, derive(option))
  // A null tag counts as absent.
  const kindOf = (value: unknown) => (isObject(value) ? kinds.get(value[tag] ?? undefined) : undefined)
  return {
    kindOf,
    fits: (value) => kindOf(value)?.fits(value) === true,
    claims: (value) => kindOf(value) !== undefined,
    find: (value) => {
      const kind = kindOf(value)
      return kind === undefined ? issueOf(schema._zod.def, value) : kind.find(value)
    },
    bare: (value) => {
      const kind = kindOf(value)
      return kind === undefined ? value : kind.bare(value)
    },
  }
}

/** The first option that matches a value decides; if none matches, the last. */
export function deriveUnion(options: readonly Derived[]): Derived {
  const last = options.at(-1)
  if (last === undefined) throw new Error('A union has options.')
  const pick = (value: unknown) => {
    for (const option of options) {
      const found = option.kindOf === undefined ? (option.claims(value) ? option : undefined) : option.kindOf(value)
      if (found !== undefined) return found
    }
    return last
  }
  return {
    fits: options.slice(0, -1).reduceRight(fitsOr, last.fits),
    claims: (value) => pick(value).claims(value),
    find: (value) => pick(value).find(value),
    bare: (value) => pick(value).bare(value),
  }
}

/** The check of an option for values that it matches, and of the others for the rest. */
function fitsOr(others: Derived['fits'], { kindOf, claims, fits }: Derived): Derived['fits'] {
  if (kindOf !== undefined) {
    return (value) => {
      const kind = kindOf(value)
      return kind === undefined ? others(value) : kind.fits(value)
    }
  }
  if (claims === fits) return (value) => fits(value) || others(value)
  return (value) => (claims(value) ? fits(value) : others(value))
}

import { KINDS, type CardFacts } from '@dragoman/core/media'
import type { Check } from '@dragoman/core/provider'
import * as z from 'zod'

/** The facts of cards about images, videos and every other kind of media. */
export const mediaFacts = Object.fromEntries(
  KINDS.map(({ name, facts }) => [name, schemaOf(facts).optional().meta(facts.schema)]),
) as { readonly [Kind in keyof CardFacts]-?: z.ZodOptional<z.ZodType<NonNullable<CardFacts[Kind]>>> } // each kind by its name

/** A check of providers, with the path of what is wrong. */
function schemaOf(check: Check): z.ZodType {
  return z.unknown().superRefine((value, context) => {
    let found: { readonly path: string[]; readonly message: string } | undefined
    try {
      check(value, '', (path, message) => {
        found = { path: path.split('.').slice(1), message }
        return new Error(message)
      })
    } catch (error) {
      if (found === undefined) throw error
      context.addIssue({ code: 'custom', ...found })
    }
  })
}

import { budgetOf } from '@dragoman/accounts/dollars'
import type { Period } from '@dragoman/accounts/store'
import * as z from 'zod'
import { object } from './parts.ts'

const count = z.int().positive().max(1e12).nullish()
const dollars = z.union([z.number(), z.string()]).transform((given, context) => {
  const nanos = budgetOf(given)
  if (nanos !== undefined) return nanos
  context.addIssue('must be an amount in dollars with at most 9 decimals, such as 12.50')
  return z.NEVER
})

/** The limits of a key, as in the admin API. */
export const limits = object({
  requestsPerMinute: count,
  tokensPerMinute: count.meta({ description: 'Of input and output.' }),
  concurrent: count.meta({ description: 'Calls at the same time.' }),
}).meta({ description: 'Over all instances; no limits when absent.' })

/** In nano-dollars when it is read. */
export const budgets = object({
  day: dollars.nullish(),
  week: dollars.nullish(),
  month: dollars.nullish(),
  total: dollars.nullish(),
} satisfies { [Name in Period]: z.ZodType }).meta({
  description: 'In dollars, for each period in UTC; no budgets when absent.',
})

import { FEATURES } from '@dragoman/core/provider'
import { COMPLEXITIES, FACTORS, ON_LOSS, ROUTE_TYPES } from '@dragoman/gateway'
import * as z from 'zod'
import { object, text } from './parts.ts'

/** How routes are chosen and tried: of an alias, or of a key. */
export const policy = {
  type: z.enum(ROUTE_TYPES).optional().meta({
    description: 'How the routes are ordered; as they are listed when absent, or in turn if one has a weight.',
  }),
  factor: z.enum(FACTORS).optional().meta({ description: 'What decides between routes that are equal otherwise.' }),
  complexity: z.enum(COMPLEXITIES).optional().meta({ description: 'The least quality of a model: 0, 60 or 80.' }),
  fallback: z
    .boolean()
    .optional()
    .meta({ description: 'Whether another provider may answer if the first one fails; true when absent.' }),
  onLoss: z
    .enum(ON_LOSS)
    .optional()
    .meta({ description: 'What happens if a route would lose something of a request; allow when absent.' }),
  keep: z
    .array(z.enum(FEATURES))
    .min(1)
    .optional()
    .meta({ description: 'What must not be lost, for onLoss; everything when absent.' }),
  firstByte: z
    .number()
    .positive()
    .max(3600)
    .optional()
    .meta({ description: 'Seconds until an upstream must begin to answer; limits.time.head when absent.' }),
  retries: z
    .int()
    .min(0)
    .max(10)
    .optional()
    .meta({ description: 'Further attempts after all routes have failed; 0 when absent.' }),
}

const conditions = object({
  protocols: z.array(text).min(1).optional().meta({ description: 'The protocols of the caller.' }),
  stream: z.boolean().optional(),
  tools: z.boolean().optional(),
  images: z.boolean().optional(),
  promptTokens: object({ min: z.int().positive().optional(), max: z.int().positive().optional() }).optional(),
})

/** One route of an alias: the name of a model, or more about it. */
export const routeOf = <Facts extends z.ZodRawShape>(facts: Facts) =>
  z.union([
    text,
    object({
      model: text,
      weight: z.number().nonnegative().optional().meta({ description: 'Its share of the calls; 1 when absent.' }),
      when: conditions.optional().meta({ description: 'The calls that it is for; all of them when absent.' }),
      card: object(facts).optional().meta({ description: 'Facts about the model that are different on this route.' }),
    }),
  ])

/** The calls that a provider gets at once. */
export const queue = object({
  concurrency: z.int().positive().meta({ description: 'Calls that it gets at once.' }),
  waiting: z.int().min(0).optional().meta({ description: 'Calls that wait for it; 100 when absent.' }),
  seconds: z.number().positive().max(600).optional().meta({ description: 'The longest wait; 30 when absent.' }),
})

export const breaker = object({
  faults: z.int().positive().optional().meta({ description: 'Faults in 30 seconds that open it; 5 when absent.' }),
  share: z
    .number()
    .positive()
    .max(1)
    .optional()
    .meta({ description: 'The share of the calls that must be faults; 0.5 when absent.' }),
  pause: z
    .number()
    .positive()
    .max(3600)
    .optional()
    .meta({ description: 'Seconds of the first pause; 15 when absent.' }),
  longestPause: z
    .number()
    .positive()
    .max(3600)
    .optional()
    .meta({ description: 'Seconds of the longest pause; 120 when absent.' }),
})

/** A policy as the gateway has it. */
export function policyOf<Given extends { readonly firstByte?: number | undefined }>({ firstByte, ...policy }: Given) {
  return { ...policy, ...(firstByte === undefined ? {} : { headMs: firstByte * 1000 }) }
}

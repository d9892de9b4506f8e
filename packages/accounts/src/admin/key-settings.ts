import * as z from 'zod/mini'
import type { KeySettings } from '../keys/manage-keys.ts'
import { patternMistake } from '../patterns/pattern.ts'
import { PERIODS } from '../store/period.ts'
import { SCOPES, type Budgets, type Limits, type StoredKey } from '../store/stored-key.ts'
import { AdminError } from './admin-error.ts'
import { budgetOf } from '../dollars.ts'
import { readBody } from './read-body.ts'

const text = (least: number, most: number): z.ZodMiniString => z.string().check(z.minLength(least), z.maxLength(most))
const NAME = z.string().check(z.trim(), z.minLength(1), z.maxLength(100))
const NAMES = z.array(text(1, 200)).check(z.maxLength(1000))
const COUNT = z.nullish(z.int().check(z.minimum(1), z.maximum(1e12)))
const DOLLARS = z.pipe(
  z.union([z.number(), z.string()]),
  z.transform((dollars, { issues }) => {
    const nanos = budgetOf(dollars)
    if (nanos !== undefined) return nanos
    const message = 'must be an amount in dollars with at most 9 decimals, such as "12.50"'
    issues.push({ code: 'custom', message, input: dollars })
    return z.NEVER
  }),
)
const EXPRESSION = z.string().check(
  z.maxLength(500),
  z.superRefine((source, context) => {
    const mistake = patternMistake(source)
    if (mistake !== undefined) context.addIssue(`${mistake}; it must be a regular expression that takes linear time`)
  }),
)

/** What an admin call says about a key. Null removes a member. */
const SETTINGS = z.strictObject({
  name: z.optional(NAME),
  owner: z.nullish(NAME),
  labels: z.optional(z.record(text(1, 60), z.nullable(text(0, 200)))),
  scopes: z.optional(z.array(z.enum(SCOPES)).check(z.minLength(1))),
  models: z.nullish(NAMES),
  providers: z.nullish(NAMES),
  limits: z.optional(z.strictObject({ requestsPerMinute: COUNT, tokensPerMinute: COUNT, concurrent: COUNT })),
  budgets: z.optional(z.strictObject(Object.fromEntries(PERIODS.map((period) => [period, z.nullish(DOLLARS)])))),
  bodies: z.nullish(
    z.strictObject({
      days: z.int().check(z.minimum(1), z.maximum(365)),
      redact: z.optional(z.array(EXPRESSION).check(z.maxLength(50))),
    }),
  ),
  expiresAt: z.nullish(z.pipe(z.iso.datetime({ offset: true }), z.transform(Date.parse))),
  disabled: z.optional(z.boolean()),
})

/** For a rotation: how long the old secret stays valid. */
const ROTATION = z.strictObject({
  overlapSeconds: z.optional(z.int().check(z.minimum(0), z.maximum(30 * 86_400))),
})

/** The settings of a new key. */
export function newSettings(body: unknown): KeySettings {
  const { name, ...rest } = readBody(SETTINGS, body)
  if (name === undefined) throw new AdminError(400, 'wrong_member', 'The member "name" is missing.', 'name')
  return { ...apply(EMPTY, rest), name }
}

/** The changes of a key, as a JSON merge patch. */
export function changedSettings(key: StoredKey, body: unknown): Partial<KeySettings> {
  const changes = readBody(SETTINGS, body)
  const all = apply(key, changes)
  return Object.fromEntries(Object.keys(changes).map((name) => [name, all[name as keyof KeySettings]])) // its own names
}

/** How long the old secret stays valid after a rotation, in milliseconds: not at all by default. */
export function overlapMs(body: unknown): number {
  return (readBody(ROTATION, body ?? {}).overlapSeconds ?? 0) * 1000
}

const EMPTY: KeySettings = { name: '', labels: {}, scopes: ['inference'], limits: {}, budgets: {}, disabled: false }

type Wanted = z.output<typeof SETTINGS>

function apply(key: KeySettings, wanted: Wanted): KeySettings {
  const { labels, limits, budgets, bodies } = wanted
  return {
    name: wanted.name ?? key.name,
    owner: given(wanted.owner, key.owner),
    labels: labels === undefined ? key.labels : withoutNulls({ ...key.labels, ...labels }),
    scopes: wanted.scopes ?? key.scopes,
    models: given(wanted.models, key.models),
    providers: given(wanted.providers, key.providers),
    limits: limits === undefined ? key.limits : limitsOf(key.limits, limits),
    budgets: budgets === undefined ? key.budgets : (withoutNulls({ ...key.budgets, ...budgets }) satisfies Budgets),
    bodies: given(bodies == null ? bodies : { days: bodies.days, redact: bodies.redact ?? [] }, key.bodies),
    expiresAt: given(wanted.expiresAt, key.expiresAt),
    disabled: wanted.disabled ?? key.disabled,
  }
}

function limitsOf(before: Limits, wanted: NonNullable<Wanted['limits']>): Limits {
  return {
    requests: given(wanted.requestsPerMinute, before.requests),
    tokens: given(wanted.tokensPerMinute, before.tokens),
    concurrent: given(wanted.concurrent, before.concurrent),
  }
}

/** An absent member stays as it was; null removes it. */
function given<T>(wanted: T | null | undefined, before: T | undefined): T | undefined {
  return wanted === undefined ? before : (wanted ?? undefined)
}

function withoutNulls<T>(members: { readonly [name: string]: T | null | undefined }): { readonly [name: string]: T } {
  return Object.fromEntries(Object.entries(members).filter((member): member is [string, T] => member[1] != null))
}

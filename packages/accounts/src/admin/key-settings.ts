import { z } from 'zod'
import type { KeySettings } from '../keys/manage-keys.ts'
import { PERIODS } from '../store/period.ts'
import { SCOPES, type Budgets, type Limits, type StoredKey } from '../store/stored-key.ts'
import { AdminError } from './admin-error.ts'
import { nanosOf } from '../dollars.ts'
import { readBody } from './read-body.ts'

const NAMES = z.array(z.string().min(1).max(200)).max(1000)
const COUNT = z.int().min(1).max(1e12).nullish()
const DOLLARS = z.union([z.number(), z.string()]).transform((dollars, context) => {
  const nanos = nanosOf(dollars)
  if (nanos !== undefined) return nanos
  context.addIssue('must be an amount in dollars with at most 9 decimals, such as "12.50"')
  return z.NEVER
})
const EXPRESSION = z.string().max(500).refine(isExpression, 'must be a regular expression')

/** What an admin call says about a key. Null removes a member. */
const SETTINGS = z.strictObject({
  name: z.string().trim().min(1).max(100).optional(),
  owner: z.string().trim().min(1).max(100).nullish(),
  labels: z.record(z.string().min(1).max(60), z.string().max(200).nullable()).optional(),
  scopes: z.array(z.enum(SCOPES)).min(1).optional(),
  models: NAMES.nullish(),
  providers: NAMES.nullish(),
  limits: z.strictObject({ requestsPerMinute: COUNT, tokensPerMinute: COUNT, concurrent: COUNT }).optional(),
  budgets: z.strictObject(Object.fromEntries(PERIODS.map((period) => [period, DOLLARS.nullish()]))).optional(),
  bodies: z.strictObject({ days: z.int().min(1).max(365), redact: z.array(EXPRESSION).max(50).optional() }).nullish(),
  expiresAt: z.iso.datetime({ offset: true }).transform(Date.parse).nullish(),
  disabled: z.boolean().optional(),
})

/** For a rotation: how long the old secret stays valid. */
const ROTATION = z.strictObject({
  overlapSeconds: z
    .int()
    .min(0)
    .max(30 * 86_400)
    .optional(),
})

/** The settings of a new key. */
export function newSettings(body: unknown): KeySettings {
  const { name, ...rest } = readBody(SETTINGS, body)
  if (name === undefined) throw new AdminError(400, 'wrong_member', 'The member "name" is missing.', 'name')
  return { ...apply(EMPTY, rest), name }
}

/** What changes of a key, as a JSON merge patch. */
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

/** Absent: as before. Null: removed. */
function given<T>(wanted: T | null | undefined, before: T | undefined): T | undefined {
  return wanted === undefined ? before : (wanted ?? undefined)
}

function withoutNulls<T>(members: { readonly [name: string]: T | null | undefined }): { readonly [name: string]: T } {
  return Object.fromEntries(Object.entries(members).filter((member): member is [string, T] => member[1] != null))
}

function isExpression(text: string): boolean {
  try {
    return new RegExp(text, 'gu').flags === 'gu'
  } catch {
    return false
  }
}

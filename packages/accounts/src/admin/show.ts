import type { CallRecord } from '../store/call-record.ts'
import { endOf, type PeriodStart } from '../store/period.ts'
import type { AuditEntry } from '../store/store.ts'
import type { StoredKey } from '../store/stored-key.ts'
import type { Balance, UsageRow } from '../store/usage-query.ts'
import { dollarsOf } from '../dollars.ts'

/** A key as administrators see it: without its digest, amounts in dollars, times in ISO 8601. */
export function showKey(key: StoredKey, now: number) {
  const { limits, budgets, previous } = key
  return {
    id: key.id,
    name: key.name,
    hint: `${key.hint}…`,
    status: statusOf(key, now),
    owner: key.owner ?? null,
    labels: key.labels,
    scopes: key.scopes,
    models: key.models ?? null,
    providers: key.providers ?? null,
    limits: {
      requestsPerMinute: limits.requests ?? null,
      tokensPerMinute: limits.tokens ?? null,
      concurrent: limits.concurrent ?? null,
    },
    budgets: Object.fromEntries(
      Object.entries(budgets).flatMap(([period, nanos]) => (nanos === undefined ? [] : [[period, dollarsOf(nanos)]])),
    ),
    bodies: key.bodies ?? null,
    createdAt: timeOf(key.createdAt),
    expiresAt: key.expiresAt === undefined ? null : timeOf(key.expiresAt),
    previousSecretUntil: previous === undefined || previous.until <= now ? null : timeOf(previous.until),
    disabled: key.disabled,
    revokedAt: key.revokedAt === undefined ? null : timeOf(key.revokedAt),
  }
}

export type KeyStatus = 'active' | 'disabled' | 'expired' | 'revoked'

export function statusOf({ revokedAt, disabled, expiresAt }: StoredKey, now: number): KeyStatus {
  if (revokedAt !== undefined) return 'revoked'
  if (disabled) return 'disabled'
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'active'
}

/** What was spent of a budget of a key. */
export function showBalance(balance: Balance, { budgets }: StoredKey) {
  const limit = budgets[balance.period]
  const spent = balance.spent
  return {
    ...showPeriod(balance),
    limit: limit === undefined ? null : dollarsOf(limit),
    spent: dollarsOf(spent),
    /** Reserved for running and expected calls of the instances. */
    reserved: dollarsOf(balance.held),
  }
}

export function showRecord({ at, tokens, cost, items, firstByteMs, ...record }: CallRecord) {
  return {
    ...record,
    id: `req_${record.id}`,
    at: timeOf(at),
    tokens,
    cost: dollarsOf(cost),
    items: items.map(({ name, quantity, nanos }) => ({ name, quantity, cost: dollarsOf(nanos) })),
    firstByteMs: firstByteMs ?? null,
  }
}

/** Sums are exact: as text if a number would not be. */
export function showUsage({ dimensions, tokens, cost, ms, ...counts }: UsageRow) {
  const { hour, day, ...names } = dimensions
  return {
    ...(hour === undefined ? {} : { hour: timeOf(Number(hour)) }),
    ...(day === undefined ? {} : { day: timeOf(Number(day)).slice(0, 10) }),
    ...names,
    ...counts,
    ...Object.fromEntries(Object.entries(tokens).map(([name, count]) => [`${name}Tokens`, exact(count)])),
    cost: dollarsOf(cost),
    ms: exact(ms),
  }
}

export function showAudit({ at, ...entry }: AuditEntry) {
  return { ...entry, at: timeOf(at) }
}

function showPeriod({ period, start }: PeriodStart) {
  const end = endOf({ period, start })
  return { period, from: start === 0 ? null : timeOf(start), to: end === undefined ? null : timeOf(end) }
}

function timeOf(at: number): string {
  return new Date(at).toISOString()
}

function exact(sum: bigint): number | string {
  return sum <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(sum) : String(sum)
}

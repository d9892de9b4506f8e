import { UnstorableError, type Balance, type UsageRow } from '@dragoman/accounts/store'
import type { HourCursor, UsageStep } from '@dragoman/store-sqlite/sql'

/** How results and failures of the object travel. Bigints are decimal text; only balances and sums of usage have them. */
interface ObjectResult {
  readonly result?: unknown
  readonly failed?: string
  readonly isUnstorable?: boolean
}

/** A value is too large, violates a constraint, or has the wrong type. The platform puts SQLite's name of an error at the end. */
const UNSTORABLE = /\bSQLITE_(?:TOOBIG|CONSTRAINT|MISMATCH|RANGE)/

export function writeResult(result: unknown): Response {
  return new Response(
    JSON.stringify({ result }, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
  )
}

export function writeFailure(error: unknown): Response {
  const failed = error instanceof Error ? error.message : String(error)
  const result: ObjectResult = { failed, isUnstorable: UnstorableError.isInstance(error) || UNSTORABLE.test(failed) }
  return new Response(JSON.stringify(result), { status: 500 })
}

/** Throws what the object has thrown. */
export function readResult(text: string): unknown {
  const { result, failed, isUnstorable = false } = JSON.parse(text) as ObjectResult // as written above
  if (failed !== undefined) throw isUnstorable ? new UnstorableError(failed) : new Error(failed)
  return result
}

/** A value with text instead of bigints. */
type Written<T> = T extends bigint ? string : T extends object ? { readonly [Name in keyof T]: Written<T[Name]> } : T

export function readBalances(written: unknown): readonly Balance[] {
  return (written as readonly Written<Balance>[]).map((balance) => ({
    ...balance,
    spent: BigInt(balance.spent),
    held: BigInt(balance.held),
  }))
}

export function readStep(written: unknown): UsageStep {
  const { rows, next } = written as Written<UsageStep> & { readonly next?: HourCursor } // as the object has written it
  return { rows: readUsage(rows), next }
}

export function readUsage(written: unknown): readonly UsageRow[] {
  return (written as readonly Written<UsageRow>[]).map(({ tokens, cost, ms, ...row }) => ({
    ...row,
    tokens: {
      input: BigInt(tokens.input),
      output: BigInt(tokens.output),
      cacheRead: BigInt(tokens.cacheRead),
      cacheWrite5m: BigInt(tokens.cacheWrite5m),
      cacheWrite1h: BigInt(tokens.cacheWrite1h),
      reasoning: BigInt(tokens.reasoning),
    },
    cost: BigInt(cost),
    ms: BigInt(ms),
  }))
}

import { createRecent } from './recent.ts'

/** Spreads calls over the routes of a pool by weight, as evenly as possible (smooth weighted round robin). */
export interface Rotation {
  /** The id of the next route. The routes of a pool may differ from call to call: each call is shared by the routes it can use. */
  next(pool: string, routes: readonly WeightedRoute[]): string
  /** What `next` would return. Changes nothing. */
  peek(pool: string, routes: readonly WeightedRoute[]): string
}

export interface WeightedRoute {
  readonly id: string
  /** 0 or more. A route of weight 0 is chosen only if all have it. */
  readonly weight: number
}

interface Account {
  /** The calls that the route should have had by now, less those that it had. */
  credit: number
}

const MOST_POOLS = 1000

/** Rounding errors are smaller than this, and real credits larger. */
const EPSILON = 1e-9

export function createRotation(): Rotation {
  const pools = createRecent<Map<string, Account>>(MOST_POOLS)
  return {
    next(pool, routes) {
      const known = pools.get(pool)
      const accounts = known === undefined || isOutgrown(known, routes) ? pools.set(pool, new Map()) : known
      return choose(accounts, routes)
    },
    peek(pool, routes) {
      const known = pools.peek(pool)
      const accounts = known === undefined || isOutgrown(known, routes) ? [] : [...known]
      return choose(new Map(accounts.map(([id, { credit }]) => [id, { credit }])), routes)
    },
  }
}

function choose(accounts: Map<string, Account>, routes: readonly WeightedRoute[]): string {
  const total = routes.reduce((sum, { weight }) => sum + weight, 0)
  let chosen: string | undefined
  let best: Account | undefined
  for (const { id, weight } of routes) {
    const account = accountOf(accounts, id)
    const share = total === 0 ? 1 / routes.length : weight / total
    account.credit += share
    if (share > 0 && (best === undefined || account.credit > best.credit)) {
      best = account
      chosen = id
    }
  }
  if (best === undefined || chosen === undefined) throw new Error('A pool needs a route.')
  best.credit -= 1
  dropRoundingErrors(accounts)
  return chosen
}

function accountOf(accounts: Map<string, Account>, id: string): Account {
  const known = accounts.get(id)
  if (known !== undefined) return known
  const account = { credit: 0 }
  accounts.set(id, account)
  return account
}

/** All credits are zero after each whole turn, apart from rounding errors: they must not add up. */
function dropRoundingErrors(accounts: Map<string, Account>): void {
  for (const { credit } of accounts.values()) if (Math.abs(credit) > EPSILON) return
  for (const account of accounts.values()) account.credit = 0
}

/** Most of the accounts belong to routes that are gone. */
function isOutgrown(accounts: Map<string, Account>, routes: readonly WeightedRoute[]): boolean {
  return accounts.size > 100 && accounts.size > routes.length * 10
}

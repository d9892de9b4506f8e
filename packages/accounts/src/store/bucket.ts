import type { Limits } from './stored-key.ts'

/** What a key has used of its limits per minute. It drains all the time: a whole limit in a minute. */
export interface Bucket {
  readonly requests: number
  /** Above the limit if calls have used more than was expected. */
  readonly tokens: number
  /** Unix milliseconds. */
  readonly at: number
}

/** What is left of the limits of a key, for the headers of the answer. */
export interface Rates {
  readonly requests?: Rate | undefined
  readonly tokens?: Rate | undefined
}

export interface Rate {
  readonly limit: number
  readonly remaining: number
  /** Until everything is available again. */
  readonly resetMs: number
}

export interface Taken {
  /** The bucket afterwards. If the call is refused, only time has passed. */
  readonly bucket: Bucket
  readonly refused?: 'requests' | 'tokens' | undefined
  /** Until such a call would be admitted; 0 if it is. */
  readonly waitMs: number
}

const MINUTE_MS = 60_000

/** The bucket of a key that was not used. */
export const EMPTY_BUCKET: Bucket = { requests: 0, tokens: 0, at: 0 }

/**
 * Takes one request and some tokens. A call that needs more tokens than the whole limit is admitted to an empty bucket: otherwise it would
 * never be.
 */
export function takeFrom(bucket: Bucket, limits: Limits, tokens: number, now: number): Taken {
  if (limits.requests === undefined && limits.tokens === undefined) return { bucket, waitMs: 0 }
  const drained = drain(bucket, limits, now)
  const needed = Math.min(tokens, limits.tokens ?? 0)
  const forRequests = waitFor(drained.requests + 1, limits.requests)
  const forTokens = waitFor(drained.tokens + needed, limits.tokens)
  const waitMs = Math.max(forRequests, forTokens)
  if (waitMs > 0) return { bucket: drained, refused: forRequests > 0 ? 'requests' : 'tokens', waitMs }
  const taken = {
    requests: limits.requests === undefined ? 0 : drained.requests + 1,
    tokens: limits.tokens === undefined ? 0 : drained.tokens + tokens,
    at: drained.at,
  }
  return { bucket: taken, waitMs: 0 }
}

/** Adds tokens that a call has used beyond the expected ones, or takes back what it has not used if the number is negative. */
export function correctTokens(bucket: Bucket, limits: Limits, tokens: number, now: number): Bucket {
  const drained = drain(bucket, limits, now)
  return { ...drained, tokens: Math.max(0, drained.tokens + tokens) }
}

/** What is left, for the caller. */
export function ratesOf(bucket: Bucket, limits: Limits): Rates {
  return { requests: rateOf(bucket.requests, limits.requests), tokens: rateOf(bucket.tokens, limits.tokens) }
}

function rateOf(used: number, limit: number | undefined): Rate | undefined {
  if (limit === undefined) return undefined
  const counted = used < ROUNDED ? 0 : used
  return {
    limit,
    remaining: Math.max(0, Math.floor(limit - counted)),
    resetMs: Math.ceil((counted / limit) * MINUTE_MS),
  }
}

/** A smaller remainder comes from rounding, not from calls. */
const ROUNDED = 1e-6

/** A clock that was set back drains nothing. What has no limit is not counted. */
function drain(bucket: Bucket, limits: Limits, now: number): Bucket {
  if (limits.requests === undefined && limits.tokens === undefined) return bucket
  const { requests, tokens, at } = bucket
  const minutes = Math.max(0, now - at) / MINUTE_MS
  return {
    requests: left(requests, limits.requests, minutes),
    tokens: left(tokens, limits.tokens, minutes),
    at: Math.max(now, at),
  }
}

function left(used: number, limit: number | undefined, minutes: number): number {
  return limit === undefined ? 0 : Math.max(0, used - limit * minutes)
}

function waitFor(used: number, limit: number | undefined): number {
  return limit === undefined || used <= limit ? 0 : Math.ceil(((used - limit) / limit) * MINUTE_MS)
}

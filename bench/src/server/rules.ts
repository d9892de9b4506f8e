import type { Reading } from './rounds.ts'
import { STREAM_TOKENS_PER_SECOND } from './script.ts'
import type { Workload } from './window.ts'

/** At saturation, a process that used less of its core had to wait, so its figures are void. */
const LEAST_BUSY = 0.95
/** If fewer tokens arrive than were sent, they arrive several at a time, which costs less. */
const LEAST_TOKENS = 0.97
/** The largest difference between two identical servers. */
export const MOST_AA = 0.07

function voidCalls(busy: number): string | undefined {
  return busy < LEAST_BUSY ? `VOID: ${Math.floor(busy * 100)} % busy` : undefined
}

function voidTokens(perSecond: number, expected: number): string | undefined {
  const share = perSecond / expected
  return share < LEAST_TOKENS ? `VOID: ${Math.floor(share * 100)} % of tokens` : undefined
}

/** Why a row is void; undefined if it is not. */
export function voidOf(
  { stream, connections }: Pick<Workload, 'stream' | 'connections'>,
  { perSecond, busy }: Pick<Reading, 'perSecond' | 'busy'>,
): string | undefined {
  return stream ? voidTokens(perSecond, connections * STREAM_TOKENS_PER_SECOND) : voidCalls(busy)
}

/** The relative difference of the second of two identical servers to the first. */
export function differenceOf(first: Pick<Reading, 'micros'>, second: Pick<Reading, 'micros'>): number {
  return second.micros / first.micros - 1
}

/** One line about two identical servers. */
export function describeAA(difference: number): string {
  const percent = `${difference < 0 ? '−' : '+'}${(Math.abs(difference) * 100).toFixed(1)} %`
  const limit = `${Math.round(MOST_AA * 100)} %`
  if (Math.abs(difference) <= MOST_AA) return `A/A: the second yardstick takes ${percent}, within ${limit}`
  return `A/A FAILED: two identical servers differ by ${percent}, more than ${limit}: these ratios mean nothing, run it again`
}

import type { Reading } from './rounds.ts'
import { STREAM_TOKENS_PER_SECOND } from './script.ts'
import type { Workload } from './window.ts'

/** At saturation, a process that used less of its core had to wait, so its figures are void. */
const LEAST_BUSY = 0.95
/** If fewer tokens arrive than were sent, they arrive several at a time, which costs less. */
const LEAST_TOKENS = 0.97

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

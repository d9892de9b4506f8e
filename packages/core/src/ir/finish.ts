import type { Losses } from './loss.ts'

/** Why the model stopped. */
export interface Finish {
  readonly reason: FinishReason
  /** The upstream's own finish reason, if it is more specific than ours; only for its own protocol. */
  readonly raw?: { readonly protocol: string; readonly value: string }
  /** The stop sequence that matched. */
  readonly sequence?: string
  readonly message?: string
}

/** Why a candidate ended, the same for all protocols. */
export type FinishReason =
  | 'stop'
  | 'stop-sequence'
  | 'length'
  | 'tool-calls'
  | 'content-filter'
  | 'refusal'
  | 'pause'
  | 'error'
  | 'other'

/** The finish reasons of a protocol, by ours. */
export function readFinish(
  value: string | null | undefined,
  reasons: { readonly [value: string]: FinishReason },
  protocol: string,
): Finish {
  if (typeof value !== 'string') return { reason: 'other' }
  const reason = Object.hasOwn(reasons, value) ? reasons[value] : undefined
  return reason === undefined ? { reason: 'other', raw: { protocol, value: value } } : { reason }
}

/** The finish reason to write, `nearest` or the protocol's own, depending on how a reader decodes it. */
export function encodeFinishReason(
  { reason, raw }: Finish,
  nearest: string,
  protocol: string,
  read: (value: string) => Finish,
  losses: Losses,
): string {
  if (raw?.protocol === protocol) {
    const own = read(raw.value)
    if (own.reason === reason && own.raw?.value === raw.value) return raw.value
  }
  if (raw !== undefined) losses.dropped(['raw'], `a value of ${raw.protocol}`)
  const understood = read(nearest).reason
  if (understood !== reason) losses.changed(['reason'], understood, `${protocol} has no ${reason} here`)
  return nearest
}

import type { JsonObject } from '../lib/json.ts'
import type { Node } from './extras.ts'
import type { Part } from './part.ts'
import type { Usage } from './usage.ts'
import type { Losses } from './loss.ts'

/** A response of a model. */
export interface ModelResponse extends Node {
  readonly id?: string
  readonly model?: string
  /** Unix seconds. */
  readonly created?: number
  /** Empty if and only if the prompt was blocked. Streams have only candidate 0. */
  readonly candidates: readonly Candidate[]
  readonly blocked?: Blocked
  readonly usage?: Usage
  /** The tier that it was served in. */
  readonly serviceTier?: string
}

/** The prompt was refused before anything was generated. */
export interface Blocked {
  readonly reason: string
  readonly message?: string
  readonly safety?: readonly JsonObject[]
}

/** One of the candidates of a response. */
export interface Candidate extends Node {
  readonly parts: readonly Part[]
  readonly finish: Finish
  readonly safety?: readonly JsonObject[]
  readonly logprobs?: Logprobs
  /** Search grounding as one object for the whole response; not copied into parts. */
  readonly grounding?: JsonObject
}

/** Log probabilities of the tokens of a candidate. */
export interface Logprobs {
  readonly tokens: readonly Logprob[]
  readonly average?: number
}

/** One token and its log probability. */
export interface Logprob extends Node {
  readonly token: string
  readonly logprob: number
  readonly bytes?: readonly number[]
  readonly top?: readonly Logprob[]
}

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

/** Why the model stopped. */
export interface Finish {
  readonly reason: FinishReason
  /** The upstream's own word where ours is coarser, for its own protocol. */
  readonly raw?: { readonly protocol: string; readonly value: string }
  /** The stop sequence that matched. */
  readonly sequence?: string
  readonly message?: string
}

/** Why a candidate ended, in one word for all protocols. */
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

import type { JsonObject } from '../lib/json.ts'
import type { DragomanError } from './error.ts'
import type { Extras } from './extras.ts'
import type { Citation, Part } from './part.ts'
import type { Candidate, Logprob, ModelResponse } from './response.ts'
import type { Seal } from './seal.ts'
import type { Usage } from './usage.ts'

/**
 * A response as a stream. Blocks are strictly one after another: one ends before the next starts, so an event needs no index. There is
 * one terminal event, `end` or `error`, and nothing after it. `block-delta` is the only event per token.
 */
export type StreamEvent =
  | { readonly type: 'block-delta'; readonly text: string }
  | {
      readonly type: 'start'
      readonly response: Pick<ModelResponse, 'id' | 'model' | 'created' | 'extras'>
      readonly usage?: Usage
    }
  /** The part with its streamed string empty. Parts without a streamed string come whole and get no deltas. */
  | { readonly type: 'block-start'; readonly part: Part }
  /** Late members of the open block, or of an earlier one. */
  | {
      readonly type: 'block-patch'
      /** The index of a block that has ended; absent for the open one. */
      readonly block?: number
      readonly seal?: Seal
      readonly citation?: Citation
      /** The streamed reasoning is a summary. */
      readonly summary?: true
      /** The reasoning has no text: only its seal exists. */
      readonly hidden?: true
      /** The streamed arguments are not a JSON object: this is the object that contains them. */
      readonly arguments?: JsonObject
      readonly extras?: Extras
    }
  | { readonly type: 'block-end' }
  /** `average` is over all tokens of the candidate; the last one counts. */
  | { readonly type: 'logprobs'; readonly tokens: readonly Logprob[]; readonly average?: number }
  /** Extras of the response or its candidate; the last value per key wins. At most one of each kind per chunk. */
  | { readonly type: 'extras'; readonly of: 'response' | 'candidate'; readonly extras: Extras }
  | {
      readonly type: 'end'
      readonly candidate: Omit<Candidate, 'parts' | 'logprobs'>
      readonly usage?: Usage
      readonly blocked?: ModelResponse['blocked']
      readonly serviceTier?: ModelResponse['serviceTier']
    }
  | { readonly type: 'error'; readonly error: DragomanError }

/** The events of one type. */
export type EventOf<Type extends StreamEvent['type']> = Extract<StreamEvent, { type: Type }>

/** Receives the outputs of a machine, one by one, before its `push` returns. */
export type Emit<Output> = (output: Output) => void

/**
 * A step of a stream: synchronous, with outputs through the `emit` it was made with; no promises, no clock, no I/O. `end` without a
 * terminal event before it emits an error: an early end is never clean.
 */
export interface Machine<Input> {
  push(input: Input): void
  end(): void
}

import type { AnswerFacts, AnswerTranslatorOptions, Match, Protocol } from '@dragoman/core'
import type { ErrorInside, Outgoing } from './answer-work.ts'
import type { RequestWork, WorkOptions } from './request-work.ts'

/** Another thread that works on large bodies, so that this one stays free for everybody else. */
export interface Offload {
  /** Bodies of this many bytes or more are handed over. */
  readonly from: number
  /** Whether the other thread knows these protocols. */
  knows(protocols: readonly Protocol[]): boolean
  /** Takes the bytes over: they cannot be read here any more. */
  request(inbound: Protocol, match: Match, bytes: Uint8Array, options: WorkOptions): RequestWork
  /** Takes the bytes of a whole answer over. */
  answer(task: AnswerTask, bytes: Uint8Array): Promise<Outgoing | ErrorInside>
}

/** The offload that takes a body of this size in these protocols; undefined where this thread has to work on it. */
export function offloadFor(
  offload: Offload | undefined,
  size: number,
  protocols: readonly Protocol[],
): Offload | undefined {
  return offload !== undefined && size >= offload.from && offload.knows(protocols) ? offload : undefined
}

/** What is to be done with a whole answer. */
export type AnswerTask =
  | { readonly way: 'relay'; readonly caller: Protocol }
  | {
      readonly way: 'translate'
      readonly caller: Protocol
      readonly upstream: Protocol
      readonly facts: AnswerFacts
      readonly options: AnswerTranslatorOptions
    }
